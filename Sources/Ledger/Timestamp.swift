/// Reads the UTC times of reports, `2026-01-31T12:00:00.123Z`.
enum Timestamp {
  /// Nanoseconds since 1970; nil for another form. Missing fractions count as zero.
  static func nanoseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    let separators: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    for (index, character) in separators where bytes[index] != character.asciiValue {
      return nil
    }
    guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      let digits = bytes[20..<(bytes.count - 1)]
      guard bytes[19] == UInt8(ascii: "."), (1...9).contains(digits.count),
        let value = number(digits)
      else { return nil }
      fraction = (digits.count..<9).reduce(value) { value, _ in value * 10 }
    }
    let seconds = (daysSince1970(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    return seconds * 1_000_000_000 + fraction
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// Days of the proleptic Gregorian calendar, counted in years that begin in March.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
    return days + (monthFromMarch * 153 + 2) / 5 + day - 1 - 719_468
  }
}
