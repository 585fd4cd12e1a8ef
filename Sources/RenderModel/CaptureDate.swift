/// When a photo was taken, as its header says it: wall-clock time of the place, never converted.
package struct CaptureDate: Hashable, Sendable {
  package var year, month, day, hour, minute, second: Int
  /// The digits after the seconds as recorded; empty when there were none.
  package var fraction: String
  /// `+02:00` or `Z`; nil when the camera did not say.
  package var offset: String?

  /// Reads `YYYY-MM-DDThh:mm:ss`, with `.fraction` and an offset where given; nil for all else.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19 else { return nil }
    let separators: [(Int, UInt8)] = [
      (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")),
      (13, UInt8(ascii: ":")), (16, UInt8(ascii: ":")),
    ]
    guard separators.allSatisfy({ bytes[$0.0] == $0.1 }),
      let year = Self.number(bytes[0..<4]),
      let month = Self.number(bytes[5..<7]), (1...12).contains(month),
      let day = Self.number(bytes[8..<10]), (1...31).contains(day),
      let hour = Self.number(bytes[11..<13]), hour < 24,
      let minute = Self.number(bytes[14..<16]), minute < 60,
      let second = Self.number(bytes[17..<19]), second <= 60
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)

    var rest = bytes[19...]
    fraction = ""
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { Self.isDigit($0) }
      guard !digits.isEmpty else { return nil }
      fraction = String(decoding: digits, as: UTF8.self)
      rest = rest[digits.endIndex...]
    }
    guard rest.isEmpty || Self.isOffset(Array(rest)) else { return nil }
    offset = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func isOffset(_ bytes: [UInt8]) -> Bool {
    if bytes == [UInt8(ascii: "Z")] { return true }
    return bytes.count == 6 && (bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"))
      && isDigit(bytes[1]) && isDigit(bytes[2]) && bytes[3] == UInt8(ascii: ":")
      && isDigit(bytes[4]) && isDigit(bytes[5])
  }
}

extension CaptureDate {
  /// The letters that a format knows after `%`.
  package static let conversions: [Character] = ["Y", "y", "m", "d", "H", "M", "S", "f", "%"]

  /// The date in a strftime-like format: `%Y %y %m %d %H %M %S`, `%f` for sub-seconds, `%%`.
  ///
  /// `%f` has at least three digits, filled up with zeros on the right.
  package func formatted(_ format: String) -> String {
    var result = ""
    var characters = format.makeIterator()
    while let character = characters.next() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      switch characters.next() {
      case "Y": result += Self.padded(year, 4)
      case "y": result += Self.padded(year % 100, 2)
      case "m": result += Self.padded(month, 2)
      case "d": result += Self.padded(day, 2)
      case "H": result += Self.padded(hour, 2)
      case "M": result += Self.padded(minute, 2)
      case "S": result += Self.padded(second, 2)
      case "f": result += fraction + String(repeating: "0", count: max(0, 3 - fraction.count))
      case "%": result += "%"
      default: break
      }
    }
    return result
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
