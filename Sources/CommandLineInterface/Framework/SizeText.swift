/// Sizes as people write them: `512M`, `1.5GiB`, `2GB`; a bare number counts bytes.
package enum SizeText {
  /// As the GNU tools do: `M` and `MiB` count by 1024, `MB` by 1000.
  private static let powers: [Character: Int] = ["K": 1, "M": 2, "G": 3, "T": 4]

  /// nil when the text is no size, is zero, or is beyond what Int holds.
  package static func bytes(_ text: String) -> Int? {
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let number = Double(digits),
      let factor = factor(of: text.dropFirst(digits.count).uppercased())
    else { return nil }
    let total = (number * factor).rounded()
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
