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
    gaussian = GaussianBlur(sigma: radius / Double(max(1, reduction)))
  }

  func worker(for band: RowBand) -> any RowWorker {
    band.bands == 4 ? CoveredSharpeningWorker(self, band) : SharpeningWorker(self, band)
  }
}

extension Sharpening {
  /// Encoded luminance after the filter, four pixels at a time.
  @inline(__always)
  fileprivate func sharpened(_ own: SIMD4<Float>, _ around: SIMD4<Float>) -> SIMD4<Float> {
    let difference = own - around
    var result = own + amount * difference
    result.replace(with: 0, where: result .< 0)
    let isSmall = (difference .< threshold) .& (difference .> -threshold)
    // What stays is marked, so that it stays to the last bit.
    result.replace(with: -1, where: isSmall)
    return result
  }

  @inline(__always)
  fileprivate static func luminance(_ pixel: UnsafePointer<Float>) -> Float {
    unsafe pixel[0] * 0.262_700_21 + pixel[1] * 0.677_998_07 + pixel[2] * 0.059_301_72
  }
}

/// For pictures without alpha.
@safe
private final class SharpeningWorker: RowWorker {
  private let filter: Sharpening
  private let reach: Int
  private let width: Int
  private let taken: Int
  private let blurred: any BlurredRows
  private let colours: RowRing
  /// Luminance of the rows that wait, as light and encoded.
  private let lights: RowRing
  private let own: RowRing
  private let line: FloatStore
  private let after: FloatStore

  init(_ filter: Sharpening, _ band: RowBand) {
    self.filter = filter
    reach = band.reach
    width = band.columns.count
    taken = band.takenWidth
    blurred = filter.gaussian.rows(band, planes: 1)
    colours = RowRing(count: reach + 1, width: width * 3)
    lights = RowRing(count: reach + 1, width: width)
    own = RowRing(count: reach + 1, width: width)
    line = FloatStore(count: width)
    after = FloatStore(count: width)
  }

  func take(_ row: UnsafePointer<Float>) {
    let luminance = unsafe blurred.room()
    for x in 0..<taken { unsafe luminance[x] = Sharpening.luminance(row + x * 3) }
    unsafe lights.advance().update(from: luminance + reach, count: width)
    unsafe StandardCurveRow.encode(luminance, count: taken)
    unsafe own.advance().update(from: luminance + reach, count: width)
    unsafe colours.advance().update(from: row + reach * 3, count: width * 3)
    blurred.take()
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    unsafe blurred.give(line.start)
    findGains()
    let colour = unsafe colours.row(back: reach)
    let gains = unsafe line.start
    for x in 0..<width {
      let gain = unsafe gains[x]
      unsafe row[x * 3] = colour[x * 3] * gain
      unsafe row[x * 3 + 1] = colour[x * 3 + 1] * gain
      unsafe row[x * 3 + 2] = colour[x * 3 + 2] * gain
    }
  }

  /// From the blurred surroundings in `line` to what light is multiplied by.
  private func findGains() {
    let before = unsafe UnsafeRawPointer(own.row(back: reach))
    let light = unsafe UnsafeRawPointer(lights.row(back: reach))
    let around = unsafe UnsafeMutableRawPointer(line.start)
    let sharp = unsafe UnsafeMutableRawPointer(after.start)
    for offset in stride(from: 0, to: width * 4, by: 16) {
      let result = unsafe filter.sharpened(
        before.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self),
        around.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self))
      unsafe around.storeBytes(of: result, toByteOffset: offset, as: SIMD4<Float>.self)
      unsafe sharp.storeBytes(of: result, toByteOffset: offset, as: SIMD4<Float>.self)
    }
    unsafe StandardCurveRow.decode(after.start, count: width)
    for offset in stride(from: 0, to: width * 4, by: 16) {
      let mark = unsafe around.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      let old = unsafe light.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      let new = unsafe sharp.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      let changes = (mark .>= 0) .& (old .> 1e-7)
      let gain = SIMD4<Float>(repeating: 1).replacing(
        with: new / old.replacing(with: 1, where: .!changes), where: changes)
      unsafe around.storeBytes(of: gain, toByteOffset: offset, as: SIMD4<Float>.self)
    }
  }
}

/// For pictures with alpha: luminance is weighed by how opaque a pixel is.
@safe
private final class CoveredSharpeningWorker: RowWorker {
  private let filter: Sharpening
  private let reach: Int
  private let width: Int
  private let taken: Int
  private let blurred: any BlurredRows
  private let colours: RowRing
  private let own: RowRing
  private let encoded: FloatStore
  private let line: FloatStore
  private let lights: FloatStore

  init(_ filter: Sharpening, _ band: RowBand) {
    self.filter = filter
    reach = band.reach
    width = band.columns.count
    taken = band.takenWidth
    blurred = filter.gaussian.rows(band, planes: 2)
    colours = RowRing(count: reach + 1, width: width * 4)
    own = RowRing(count: reach + 1, width: width)
    encoded = FloatStore(count: taken)
    line = FloatStore(count: width * 2)
    lights = FloatStore(count: width)
  }

  func take(_ row: UnsafePointer<Float>) {
    let luminance = unsafe encoded.start
    for x in 0..<taken {
      let alpha = unsafe row[x * 4 + 3]
      unsafe luminance[x] = alpha > 1e-6 ? Sharpening.luminance(row + x * 4) / alpha : 0
    }
    unsafe StandardCurveRow.encode(luminance, count: taken)
    let weighed = unsafe blurred.room()
    for x in 0..<taken {
      let alpha = unsafe max(0, row[x * 4 + 3])
      unsafe weighed[x * 2] = luminance[x] * alpha
      unsafe weighed[x * 2 + 1] = alpha
    }
    unsafe own.advance().update(from: luminance + reach, count: width)
    unsafe colours.advance().update(from: row + reach * 4, count: width * 4)
    blurred.take()
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    unsafe blurred.give(line.start)
    let before = unsafe own.row(back: reach)
    let marks = unsafe line.start
    for x in 0..<width {
      let cover = unsafe marks[x * 2 + 1]
      let around = unsafe cover > 1e-6 ? marks[x * 2] / cover : 0
      let result = unsafe filter.sharpened(
        SIMD4(repeating: before[x]), SIMD4(repeating: around)
      ).x
      unsafe marks[x] = result
      unsafe lights.start[x] = result
    }
    unsafe StandardCurveRow.decode(lights.start, count: width)
    let colour = unsafe colours.row(back: reach)
    for x in 0..<width {
      let pixel = unsafe colour + x * 4
      let alpha = unsafe pixel[3]
      let light = unsafe Sharpening.luminance(pixel)
      let isLit = unsafe alpha > 1e-6 && light > 1e-7 * alpha && marks[x] >= 0
      let gain = unsafe isLit ? lights.start[x] * alpha / light : 1
      unsafe row[x * 4] = pixel[0] * gain
      unsafe row[x * 4 + 1] = pixel[1] * gain
      unsafe row[x * 4 + 2] = pixel[2] * gain
      unsafe row[x * 4 + 3] = alpha
    }
  }
}
