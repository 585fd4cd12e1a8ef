/// The known name that a misspelt one was probably meant to be.
package enum NearestName {
  /// nil when none is near: at most a third of the letters may differ, case aside.
  package static func of(_ name: String, among known: [String]) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let wanted = Array(name.lowercased().utf8)
    let measured = known.map { ($0, distance(wanted, Array($0.lowercased().utf8))) }
    guard let best = measured.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(1, max(wanted.count, best.0.utf8.count) / 3) ? best.0 : nil
  }

  /// Insertions, removals, replacements and swaps of neighbours.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(
          row[j] + 1, previous[j + 1] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        row.append(cost)
      }
      older = previous
      previous = row
    }
    return previous[b.count]
  }
}
