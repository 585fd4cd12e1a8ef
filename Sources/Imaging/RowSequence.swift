/// One thread's way through a picture: asks for rows, hands them to workers and gives what they make.
final class RowSequence {
  /// Rows of input to ask for at a time.
  private static let step = 16

  private let filter: any RowFilter
  private let size: PixelSize
  private let bands: Int

  private var workers: [(columns: Range<Int>, worker: any RowWorker)] = []
  private var columns = 0..<0
  /// The first row that the workers have not taken; those outside the picture repeat its edge.
  private var nextRow = 0
  /// The part of the output that is being made.
  private var current: PixelRect?
  private let padded: FloatStore

  init(_ filter: any RowFilter, size: PixelSize, bands: Int) {
    self.filter = filter
    self.size = size
    self.bands = bands
    padded = FloatStore(count: (min(filter.bandWidth, size.width) + 1 + 2 * filter.reach) * bands)
  }

  /// The rows of input that a part of the output needs next; nil when it is finished.
  func next(for part: PixelRect) -> PixelRect? {
    let reach = filter.reach
    if current != part {
      // Rows that were skipped are in memory all the same, as long as none is missing between.
      let goesOn =
        columns == part.left..<part.right && part.top - reach <= nextRow
        && nextRow <= part.top + reach
      if !goesOn { begin(part) }
      current = part
    }
    let rows = rows(for: part)
    if rows.isEmpty {
      current = nil
      return nil
    }
    let left = max(0, part.left - reach)
    return PixelRect(
      left: left, top: clamped(rows.lowerBound),
      width: min(size.width, part.right + reach) - left,
      height: clamped(rows.upperBound - 1) - clamped(rows.lowerBound) + 1)
  }

  /// Takes the rows that `next` asked for and writes those of the output that they complete.
  func work(_ input: FloatWindow, _ output: FloatWindow) {
    let rows = rows(for: output.rect)
    for (columns, worker) in workers {
      for row in rows {
        take(input, row: clamped(row), columns, worker)
        let given = row - filter.reach
        if given >= output.rect.top {
          unsafe worker.give(output.row(columns.lowerBound, given))
        }
      }
    }
    nextRow = rows.upperBound
  }

  private func clamped(_ row: Int) -> Int { min(max(row, 0), size.height - 1) }

  private func rows(for part: PixelRect) -> Range<Int> {
    let end = part.bottom + filter.reach
    return nextRow..<max(nextRow, min(end, max(nextRow, 0) + Self.step))
  }

  private func begin(_ part: PixelRect) {
    columns = part.left..<part.right
    nextRow = part.top - filter.reach
    let count = max(1, (part.width + filter.bandWidth - 1) / filter.bandWidth)
    workers = (0..<count).map { index in
      let columns =
        (part.left + part.width * index / count)..<(part.left + part.width * (index + 1) / count)
      let band = RowBand(columns: columns, top: nextRow, bands: bands, reach: filter.reach)
      return (columns, filter.worker(for: band))
    }
  }

  private func take(
    _ input: FloatWindow, row: Int, _ columns: Range<Int>, _ worker: any RowWorker
  ) {
    let (from, to) = (columns.lowerBound - filter.reach, columns.upperBound + filter.reach)
    let (first, last) = (max(from, input.rect.left), min(to, input.rect.right))
    let inside = unsafe input.row(first, row)
    if first == from && last == to {
      unsafe worker.take(inside)
      return
    }
    var place = unsafe padded.start
    for _ in from..<first {
      unsafe place.update(from: inside, count: bands)
      unsafe place += bands
    }
    unsafe place.update(from: inside, count: (last - first) * bands)
    unsafe place += (last - first) * bands
    for _ in last..<to {
      unsafe place.update(from: inside + (last - first - 1) * bands, count: bands)
      unsafe place += bands
    }
    unsafe worker.take(padded.start)
  }
}
