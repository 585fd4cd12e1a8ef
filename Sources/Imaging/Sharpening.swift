import ColourEngine
import Glibc
import RenderModel

/// An unsharp mask on encoded luminance; hue and saturation stay, all channels get the same gain.
///
/// Where the difference between a pixel and its blurred surroundings is below the threshold, nothing
/// changes. Transparent surroundings count as much as they are opaque.
struct Sharpening: WindowFilter {
  private let amount: Float
  private let threshold: Float
  /// Of the Gaussian, from the middle outwards; all of them weigh 1 together.
  private let weights: [Float]
  private let curve = LuminanceCurve()

  private var reach: Int { weights.count - 1 }

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
    weights = Self.gaussian(sigma: radius / Double(max(1, reduction)))
  }

  /// Half a Gaussian to three sigma, as Core Image and the W3C's filter effects bound it.
  static func gaussian(sigma: Double) -> [Float] {
    let reach = max(1, Int((3 * sigma).rounded(.up)))
    let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = raw[0] + 2 * raw.dropFirst().reduce(0, +)
    return raw.map { Float($0 / sum) }
  }

  func need(_ rect: PixelRect) -> PixelRect {
    PixelRect(
      left: rect.left - reach, top: rect.top - reach, width: rect.width + 2 * reach,
      height: rect.height + 2 * reach)
  }

  func fill(_ output: FloatWindow, from input: FloatWindow) {
    let padded = need(output.rect)
    let hasAlpha = output.bands == 4
    var luminance = Plane(width: padded.width, height: padded.height)
    var opacity = Plane(width: hasAlpha ? padded.width : 0, height: hasAlpha ? padded.height : 0)
    read(input, padded, &luminance, &opacity)
    let blurred = luminance.blurred(weights)
    let weight = hasAlpha ? opacity.blurred(weights) : nil
    for y in 0..<output.rect.height {
      for x in 0..<output.rect.width {
        let own = luminance[x + reach, y + reach]
        let alpha = hasAlpha ? opacity[x + reach, y + reach] : 1
        let around = weight.map { $0[x, y] > 1e-6 ? blurred[x, y] / $0[x, y] : 0 } ?? blurred[x, y]
        let mine = alpha > 1e-6 ? own / alpha : 0
        let gain = self.gain(mine, around)
        let from = unsafe input.row(output.rect.left + x, output.rect.top + y)
        let to = unsafe output.row(output.rect.left + x, output.rect.top + y)
        for band in 0..<3 { unsafe to[band] = from[band] * gain }
        if hasAlpha { unsafe to[3] = from[3] }
      }
    }
  }

  private func gain(_ own: Float, _ around: Float) -> Float {
    let difference = own - around
    guard abs(difference) >= threshold, own > 0 else { return 1 }
    let before = curve.decode(own)
    guard before > 1e-7 else { return 1 }
    return curve.decode(max(0, own + amount * difference)) / before
  }

  /// Encoded luminance, times alpha where there is any, with the edges carried on outwards.
  private func read(
    _ input: FloatWindow, _ padded: PixelRect, _ luminance: inout Plane, _ opacity: inout Plane
  ) {
    let rect = input.rect
    for y in 0..<padded.height {
      let row = min(max(padded.top + y, rect.top), rect.bottom - 1)
      for x in 0..<padded.width {
        let column = min(max(padded.left + x, rect.left), rect.right - 1)
        let pixel = unsafe input.row(column, row)
        let light = unsafe pixel[0] * 0.2627 + pixel[1] * 0.6780 + pixel[2] * 0.0593
        if input.bands == 4 {
          let alpha = unsafe pixel[3]
          opacity[x, y] = alpha
          luminance[x, y] = alpha > 1e-6 ? curve.encode(light / alpha) * alpha : 0
        } else {
          luminance[x, y] = curve.encode(light)
        }
      }
    }
  }
}

/// The sRGB curve between light and encoded luminance, by tables where they are exact enough.
struct LuminanceCurve: Sendable {
  private static let steps = 4096
  /// Encoded values at even steps of the root of light, which is nearly straight.
  private let encoded: [Float]
  private let decoded: [Float]

  init() {
    encoded = (0...Self.steps + 1).map { index in
      let root = Double(index) / Double(Self.steps)
      return Float(TransferCurve.sRGB.encode(root * root))
    }
    decoded = (0...Self.steps + 1).map { index in
      Float(TransferCurve.sRGB.decode(Double(index) / Double(Self.steps)))
    }
  }

  func encode(_ light: Float) -> Float {
    guard light > 0 else { return 0 }
    guard light < 1 else { return Float(TransferCurve.sRGB.encode(Double(light))) }
    return Self.look(light.squareRoot(), encoded)
  }

  func decode(_ value: Float) -> Float {
    guard value > 0 else { return 0 }
    guard value < 1 else { return Float(TransferCurve.sRGB.decode(Double(value))) }
    return Self.look(value, decoded)
  }

  private static func look(_ position: Float, _ table: [Float]) -> Float {
    let scaled = position * Float(steps)
    let index = Int(scaled)
    let low = table[index]
    return low + (table[index + 1] - low) * (scaled - Float(index))
  }
}
