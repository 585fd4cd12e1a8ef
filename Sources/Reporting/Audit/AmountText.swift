/// Amounts of bytes for a person.
package enum AmountText {
  /// `512 B`, `3.40 MB`, `12.3 GB`, counted by 1000.
  package static func bytes(_ count: Int64) -> String {
    var value = Double(count)
    if value < 1000 { return "\(count) B" }
    var unit = ""
    for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 1000 {
      value /= 1000
      unit = next
    }
    return "\(NumberText.short(value)) \(unit)"
  }
}
