import RenderModel

/// A Gaussian blur of linear light; colour is premultiplied, so what is transparent gives no colour.
struct Blur: RowFilter {
  private let gaussian: GaussianBlur

  var reach: Int { gaussian.reach }

  /// nil when a parameter is missing or out of range.
  ///
  /// `reduction`: how many pixels of the full resolution one pixel stands for.
  init?(_ step: FilterStep, reduction: Int = 1) {
    guard let radius = step.number("radius"), radius > 0, radius <= 1000 else { return nil }
    gaussian = GaussianBlur(sigma: radius / Double(max(1, reduction)))
  }

  func worker(for band: RowBand) -> any RowWorker { BlurWorker(gaussian, band) }
}

private final class BlurWorker: RowWorker {
  private let blurred: any BlurredRows
  private let line: FloatStore
  private let taken: Int
  private let given: Int

  init(_ gaussian: GaussianBlur, _ band: RowBand) {
    blurred = gaussian.rows(band, planes: band.bands)
    taken = band.takenWidth * band.bands
    given = band.columns.count * band.bands
    line = FloatStore(count: given)
  }

  func take(_ row: UnsafePointer<Float>) {
    unsafe blurred.room().update(from: row, count: taken)
    blurred.take()
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    unsafe blurred.give(line.start)
    unsafe row.update(from: line.start, count: given)
  }
}
