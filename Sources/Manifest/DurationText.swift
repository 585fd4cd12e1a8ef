/// Lengths of time as people write them: `500ms`, `30s`, `1.5s`, `2m`, `1h`.
package enum DurationText {
  private static let units: [(name: String, milliseconds: Int)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
  ]

  /// Milliseconds; nil for what is no length of time or is no whole number of milliseconds.
  package static func parse(_ text: String) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let parts = text.dropLast(unit.name.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, let count = number(whole) else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return product }
    guard parts[1].count <= 6, let digits = number(parts[1]) else { return nil }
    let scale = (0..<parts[1].count).reduce(1) { value, _ in value * 10 }
    let (fraction, remainder) = (digits * unit.milliseconds).quotientAndRemainder(dividingBy: scale)
    let (sum, tooLarge) = product.addingReportingOverflow(fraction)
    return remainder == 0 && !tooLarge ? sum : nil
  }

  /// The shortest text without a fraction.
  package static func format(_ milliseconds: Int) -> String {
    let unit = units.last { $0.milliseconds <= milliseconds && milliseconds % $0.milliseconds == 0 }
    guard let unit else { return "\(milliseconds)ms" }
    return "\(milliseconds / unit.milliseconds)\(unit.name)"
  }

  /// What the schema says of such text.
  static let pattern = "^[0-9]+(\\.[0-9]{1,6})?(ms|s|m|h)$"

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }
}
