/// The highest quality whose file is no larger than allowed, found by halving what is left.
///
/// Says what to encode next and is told what came of it; it ends after eight tries at most.
struct QualitySearch: Hashable, Sendable {
  private let limit: Int
  private var lowest: Int
  private var highest: Int
  /// The best that has been found to fit.
  private(set) var best: Int?
  /// The quality of the try before, and the smallest file that was seen.
  private(set) var last: Int?
  private(set) var smallest: Int?
  private var isFirst = true

  init(qualities: ClosedRange<Int>, limit: Int) {
    lowest = qualities.lowerBound
    highest = qualities.upperBound
    self.limit = limit
  }

  /// What to try next; nil when there is nothing left to find out.
  var next: Int? {
    if lowest > highest { return nil }
    return isFirst ? highest : (lowest + highest) / 2
  }

  mutating func tried(_ quality: Int, bytes: Int) {
    isFirst = false
    last = quality
    smallest = min(smallest ?? bytes, bytes)
    if bytes <= limit {
      best = max(best ?? quality, quality)
      lowest = quality + 1
    } else {
      highest = quality - 1
    }
  }
}
