import ColourEngine
import RenderModel

/// An unsharp mask on encoded luminance; hue and saturation stay, all channels get the same gain.
///
/// Where the difference between a pixel and its blurred surroundings is below the threshold, nothing
/// changes. Transparent surroundings count as much as they are opaque.
struct Sharpening: RowFilter {
  fileprivate let amount: Float
  fileprivate let threshold: Float
  fileprivate let gaussian: GaussianBlur

  var reach: Int { amount == 0 ? 0 : gaussian.reach }

  /// nil when a parameter is missing or out of range.
  ///
  /// `reduction`: how many pixels of the full resolution one pixel stands for.
  init?(_ step: FilterStep, reduction: Int = 1) {
    guard let amount = step.number("amount"), let radius = step.number("radius"),
      let threshold = step.number("threshold"), amount.isFinite, threshold.isFinite, radius > 0,
      radius <= 1000
    else { return nil }
    self.amount = Float(amount)
    self.threshold = Float(threshold)
    gaussian = GaussianBlur(sigma: radius / Double(max(1, reduction)), isFine: true)
  }

  func worker(for band: RowBand) -> any RowWorker { SharpeningWorker(self, band) }
}

/// Finds one gain for the channels of each pixel, from its luminance and that around it.
@safe
private final class SharpeningWorker: RowWorker {
  private let amount: Float
  private let threshold: Float
  private let reach: Int
  private let bands: Int
  private let width: Int
  private let taken: Int
  private let pixels: PixelRow
  /// Encoded luminance, and how much it counts; all count the same without alpha.
  private let blurred: any BlurredRows
  private let covers: (any BlurredRows)?
  private let colours: RowRing
  /// Luminance of the rows that wait, as light and encoded, not premultiplied.
  private let lights: RowRing
  private let own: RowRing
  private let around: FloatStore
  private let cover: FloatStore
  private let after: FloatStore

  init(_ filter: Sharpening, _ band: RowBand) {
    amount = filter.amount
    threshold = filter.threshold
    reach = band.reach
    bands = band.bands
    width = band.columns.count
    taken = band.takenWidth
    pixels = PixelRow(bands: band.bands)
    blurred = filter.gaussian.rows(band, planes: 1)
    covers = band.bands == 4 ? filter.gaussian.rows(band, planes: 1) : nil
    colours = RowRing(count: reach + 1, width: width * band.bands)
    lights = RowRing(count: reach + 1, width: width)
    own = RowRing(count: reach + 1, width: width)
    around = FloatStore(count: width)
    cover = FloatStore(count: covers == nil ? 0 : width)
    after = FloatStore(count: width)
  }

  func take(_ row: UnsafePointer<Float>) {
    let luminance = unsafe blurred.room()
    let alpha = unsafe covers?.room()
    unsafe pixels.read(row, count: taken) { x, pixels in
      var light = pixels.luminance
      if let alpha = unsafe alpha {
        let isCovered = pixels.alpha .> 1e-6
        let whole = pixels.alpha.replacing(with: 1, where: .!isCovered)
        light = SIMD8(repeating: 0).replacing(with: light / whole, where: isCovered)
        unsafe pixels.alpha.notNegative.store(alpha, x)
      }
      unsafe light.store(luminance, x)
    }
    unsafe lights.advance().update(from: luminance + reach, count: width)
    unsafe StandardCurveRow.encode(luminance, count: taken)
    unsafe own.advance().update(from: luminance + reach, count: width)
    unsafe colours.advance().update(from: row + reach * bands, count: width * bands)
    if let alpha = unsafe alpha {
      for x in stride(from: 0, to: taken, by: 8) {
        unsafe (SIMD8(luminance, x) * SIMD8(alpha, x)).store(luminance, x)
      }
    }
    blurred.take()
    covers?.take()
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    unsafe blurred.give(around.start)
    if let covers { unsafe covers.give(cover.start) }
    sharpen()
    unsafe StandardCurveRow.decode(after.start, count: width)
    let light = unsafe lights.row(back: reach)
    let colour = unsafe colours.row(back: reach)
    unsafe pixels.multiply(colour, into: row, count: width) { x in
      let mark = unsafe SIMD8(around.start, x)
      let old = unsafe SIMD8(light, x)
      let changes = (mark .>= 0) .& (old .> 1e-7)
      let gain = unsafe SIMD8(after.start, x) / old.replacing(with: 1, where: .!changes)
      return SIMD8(repeating: 1).replacing(with: gain, where: changes)
    }
  }

  /// From the blurred surroundings to the encoded luminance that comes out; what stays is marked by −1
  /// in their place, so that it stays to the last bit.
  private func sharpen() {
    let before = unsafe own.row(back: reach)
    for x in stride(from: 0, to: width, by: 8) {
      var surroundings = unsafe SIMD8(around.start, x)
      if covers != nil {
        let weight = unsafe SIMD8(cover.start, x)
        let counts = weight .> 1e-6
        surroundings = SIMD8(repeating: 0).replacing(
          with: surroundings / weight.replacing(with: 1, where: .!counts), where: counts)
      }
      let old = unsafe SIMD8(before, x)
      let difference = old - surroundings
      var result = old.adding(difference, times: SIMD8(repeating: amount)).notNegative
      result.replace(with: -1, where: (difference .< threshold) .& (difference .> -threshold))
      unsafe result.store(around.start, x)
      unsafe result.store(after.start, x)
    }
  }
}
