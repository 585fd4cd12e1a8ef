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
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: block.count) { factors in
      let brightest = SIMD4<Float>(repeating: Float(Self.brightest))
      for index in block.indices {
        let parts = unsafe block[index] * weights
        var light = SIMD4(repeating: parts.x + parts.y + parts.z)
        light.replace(with: 0, where: light .< 0)
        light.replace(with: brightest, where: light .> brightest)
        light.w = 1
        unsafe factors.initializeElement(at: index, to: light)
      }
      unsafe gains.apply(to: factors)
      let grey: SIMD4<Float> = [lift, lift, lift, 0]
      for index in block.indices { unsafe block[index] = block[index] * factors[index] + grey }
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
