/// The known name that a misspelt one was probably meant to be.
package enum Spelling {
  /// nil when nothing is near enough to be worth offering.
  ///
  /// Near is: the same but for upper and lower case, the last part of a dotted name (`jpeg` for
  /// `public.jpeg`), or a few slips of the finger, fewer in short names.
  package static func nearest(to name: String, among known: [String]) -> String? {
    let wanted = name.lowercased()
    guard !wanted.isEmpty, wanted.utf8.count <= 64 else { return nil }
    if let same = known.first(where: { $0.lowercased() == wanted }) { return same }
    if let part = known.first(where: { $0.lowercased().hasSuffix("." + wanted) }) { return part }
    let allowed = max(1, wanted.count / 3)
    let ranked = known.map { (name: $0, distance: distance(wanted, $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= allowed else {
      return nil
    }
    return best.name
  }

  /// `; did you mean "quality"?`, or nothing when no known name is near.
  package static func hint(_ name: String, among known: [String]) -> String {
    nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
  package static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for row in 1..<(a.count + 1) {
      var current = [row]
      for column in 1..<(b.count + 1) {
        let replaced = last[column - 1] + (a[row - 1] == b[column - 1] ? 0 : 1)
        var best = min(replaced, last[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, a[row - 1] == b[column - 2], a[row - 2] == b[column - 1] {
          best = min(best, beforeLast[column - 2] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[b.count]
  }
}
