import Glibc

/// Gives colours the luminance that a tone curve makes of theirs, and keeps their hue.
///
/// With L(Y) the light that the curve on encoded luminance gives: c′ = c · (L(Y) − L(0)) / Y + L(0).
/// Light that the curve gives to black is added as grey; the rest of it scales the colour. At and
/// below Y = 0 the factor is its limit at 0.
struct LuminanceCurve: PixelFunction {
  /// Farther out the factor stays as it is.
  private static let brightest = 64.0

  private let weights: SIMD4<Float>
  private let gains: SegmentedCurves
  private let lift: Float
  private let highestGain: Double

  init(_ curve: MonotoneCurve) {
    let gain = LuminanceGain(curve)
    weights = SIMD4(SIMD3<Float>(RGBSpace.workingLuminance), 0)
    let chains = [CurveChain([.gain(gain)])]
    let lights = SegmentedCurves.Bounds(below: 0, above: Self.brightest)
    gains = SegmentedCurves(chains, within: lights)
    lift = Float(gain.lift)
    let factors = SegmentedCurves.bounds(of: chains, within: lights)
    highestGain = max(factors.above, factors.below)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let groups = (block.count + 7) / 8
    unsafe ColourPlanes.withGroups(groups) { factors in
      let brightest = Float(Self.brightest)
      for index in 0..<(8 * groups) {
        let parts = unsafe index < block.count ? block[index] * weights : SIMD4()
        let light = parts.x + parts.y + parts.z
        unsafe factors[index] = light > 0 ? min(light, brightest) : 0
      }
      unsafe gains.apply(to: factors, groups: groups, channel: 0)
      let grey = SIMD4(lift, lift, lift, 0)
      for index in block.indices {
        let pixel = unsafe block[index]
        var result = unsafe pixel * factors[index] + grey
        result.w = pixel.w
        unsafe block[index] = result
      }
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(
      below: max(bounds.below, bounds.above) * highestGain,
      above: max(bounds.below, bounds.above) * highestGain + Double(lift))
  }
}

/// What a curve on encoded luminance multiplies a colour of the luminance Y by, besides its lift.
struct LuminanceGain: Hashable, Sendable {
  /// The light that black gets.
  let lift: Double
  private let curve: MonotoneCurve

  /// Smaller lights count as this one: the quotient is as good as its limit there.
  private static let smallest = exp2(-24.0)

  init(_ curve: MonotoneCurve) {
    self.curve = curve
    lift = TransferCurve.sRGB.decode(curve.value(0))
  }

  func value(_ luminance: Double) -> Double {
    let light = max(luminance, Self.smallest)
    let after = TransferCurve.sRGB.decode(curve.value(TransferCurve.sRGB.encode(light)))
    return (after - lift) / light
  }
}
