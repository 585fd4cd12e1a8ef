/// Where the jobs of a manifest stand, so that any of them can be read again.
///
/// 16 bytes for each element of `jobs`, however many jobs a selection makes of it.
struct JobPlaces {
  struct Place: Equatable {
    var position: Int
    var line: Int
    /// The number of the element's first job.
    var firstJob: UInt32
  }

  private var positions: [Int] = []
  private var lines: [UInt32] = []
  private var firstJobs: [UInt32] = []

  mutating func append(_ place: Place) {
    positions.append(place.position)
    lines.append(UInt32(clamping: place.line))
    firstJobs.append(place.firstJob)
  }

  /// The element that a job came from.
  func place(of job: UInt32) -> Place? {
    var (low, high) = (0, firstJobs.count)
    while low < high {
      let middle = (low + high) / 2
      if firstJobs[middle] <= job { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    return Place(
      position: positions[low - 1], line: Int(lines[low - 1]), firstJob: firstJobs[low - 1])
  }
}
