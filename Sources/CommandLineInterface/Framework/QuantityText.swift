/// A number followed by the letters of its unit, as in `30s` or `1.5G`.
private struct Quantity {
  var number: Double
  var unit: Substring

  /// Takes one quantity from the front; nil when the text does not begin with a plain number.
  static func take(from text: inout Substring) -> Quantity? {
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard digits.contains(where: { $0 != "." }), let number = Double(digits) else { return nil }
    text = text[digits.endIndex...]
    let unit = text.prefix { !("0"..."9").contains($0) && $0 != "." }
    text = text[unit.endIndex...]
    return Quantity(number: number, unit: unit)
  }
}

/// Times as people write them: `30s`, `1m30s`, `500ms`, `1.5h`; a bare number counts seconds.
package enum DurationText {
  private static let units: [(name: Substring, milliseconds: Double)] = [
    ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]
  /// Thirty days: longer is a slip of the pen.
  private static let longest = 30 * 24 * 3_600_000.0

  /// nil when the text is no time, is less than a millisecond, or is longer than thirty days.
  package static func milliseconds(_ text: String) -> Int? {
    var rest = Substring(text)
    var total = 0.0
    var lastUnit = -1
    repeat {
      guard let quantity = Quantity.take(from: &rest) else { return nil }
      let isBare = quantity.unit.isEmpty && lastUnit == -1 && rest.isEmpty
      let name = isBare ? "s" : quantity.unit
      guard let index = units.firstIndex(where: { $0.name == name }), index > lastUnit else {
        return nil
      }
      total += quantity.number * units[index].milliseconds
      lastUnit = index
    } while !rest.isEmpty
    guard total >= 1, total <= longest else { return nil }
    return Int(total.rounded())
  }
}

/// Sizes as people write them: `512M`, `1.5GiB`, `2GB`; a bare number counts bytes.
package enum SizeText {
  /// As the GNU tools do: `M` and `MiB` count by 1024, `MB` by 1000.
  private static let powers: [Character: Int] = ["K": 1, "M": 2, "G": 3, "T": 4]

  /// nil when the text is no size, is zero, or is beyond what Int holds.
  package static func bytes(_ text: String) -> Int? {
    var rest = Substring(text)
    guard let quantity = Quantity.take(from: &rest), rest.isEmpty,
      let factor = factor(of: quantity.unit.uppercased())
    else { return nil }
    let total = (quantity.number * factor).rounded()
    guard total >= 1, total < 9e18 else { return nil }
    return Int(total)
  }

  private static func factor(of unit: String) -> Double? {
    if unit.isEmpty || unit == "B" { return 1 }
    guard let letter = unit.first, let power = powers[letter] else { return nil }
    let base: Double? =
      switch unit.dropFirst() {
      case "", "IB": 1024
      case "B": 1000
      default: nil
      }
    guard let base else { return nil }
    return (0..<power).reduce(1.0) { product, _ in product * base }
  }
}
