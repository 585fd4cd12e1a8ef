/// Finds the word that a mistyped one was probably meant to be.
package enum NearestWord {
  /// nil when nothing is near: more than a third of the letters would have to change.
  package static func find(_ word: String, among candidates: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let ranked = candidates.map { (word: $0, distance: distance(Array(word), Array($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= allowed else {
      return candidates.first { word.count >= 3 && $0.hasPrefix(word) }
    }
    return best.word
  }

  /// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
  package static func distance(_ from: [Character], _ to: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for i in from.indices {
      var row = [i + 1]
      for j in to.indices {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (from[i] == to[j] ? 0 : 1))
        if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[to.count]
  }
}
