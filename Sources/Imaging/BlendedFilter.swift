import ColourEngine
import RenderModel

/// A filter whose result is mixed with what was there before, in linear light.
struct BlendedFilter: RowFilter {
  private let filter: any RowFilter
  private let opacity: Float
  private let mask: MaskWeights?

  var reach: Int { opacity == 0 ? 0 : filter.reach }

  /// nil when the step's mask cannot be made.
  init?(_ filter: any RowFilter, _ placed: PlacedStep, _ resources: FilterResources) {
    self.filter = filter
    opacity = Float(min(max(placed.step.opacity, 0), 1))
    guard let mask = placed.step.mask else {
      self.mask = nil
      return
    }
    guard let weights = MaskWeights(mask, placed, resources) else { return nil }
    self.mask = weights
  }

  func worker(for band: RowBand) -> any RowWorker {
    BlendingWorker(filter.worker(for: band), band, opacity: opacity, mask: mask)
  }
}

@safe
private final class BlendingWorker: RowWorker {
  private let inner: any RowWorker
  private let band: RowBand
  private let opacity: Float
  private let mask: MaskWeights?
  private let before: RowRing
  private let weights: FloatStore
  private var nextRow: Int

  init(_ inner: any RowWorker, _ band: RowBand, opacity: Float, mask: MaskWeights?) {
    self.inner = inner
    self.band = band
    self.opacity = opacity
    self.mask = mask
    before = RowRing(count: band.reach + 1, width: band.columns.count * band.bands)
    weights = FloatStore(count: mask == nil ? 0 : band.columns.count)
    nextRow = band.top
  }

  func take(_ row: UnsafePointer<Float>) {
    unsafe before.advance().update(
      from: row + band.reach * band.bands, count: band.columns.count * band.bands)
    unsafe inner.take(row)
    nextRow += 1
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    unsafe inner.give(row)
    let old = unsafe before.row(back: band.reach)
    let bands = band.bands
    guard let mask else {
      for index in 0..<(band.columns.count * bands) {
        unsafe row[index] = old[index] + (row[index] - old[index]) * opacity
      }
      return
    }
    unsafe mask.write(
      old, bands: bands, count: band.columns.count,
      at: PixelPlace(column: band.columns.lowerBound, row: nextRow - 1 - band.reach),
      into: weights.start)
    for x in 0..<band.columns.count {
      let weight = unsafe weights.start[x] * opacity
      for index in (x * bands)..<((x + 1) * bands) {
        unsafe row[index] = old[index] + (row[index] - old[index]) * weight
      }
    }
  }
}
