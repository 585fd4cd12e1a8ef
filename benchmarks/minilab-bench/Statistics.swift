/// The middle of several measurements.
enum Statistics {
  /// The mean of the two middle ones when their number is even.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Numbers in columns.
enum TableText {
  static func number(_ value: Double, _ decimals: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if decimals == 0 { return sign + padded }
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// The first column to the left, the others to the right.
  static func lines(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
