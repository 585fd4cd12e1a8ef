/// Codes of an HDR signal to working light that is rolled off to the range of a display of today.
///
/// The brightest of the three channels decides how far all of them are turned down, so that hues stay.
struct HDRFunction: PixelFunction {
  private static let steps = 1024

  private let signal: HDRSignal
  private let toWorking: FloatMatrix
  /// Factors from light, 1 for 10,000 cd/m², to what is shown, by the PQ code of the brightest channel.
  private let gains: [Float]

  init(_ signal: HDRSignal, toWorking: Matrix3) {
    self.signal = signal
    self.toWorking = FloatMatrix(toWorking)
    gains = (0...Self.steps).map { step in
      let light = PerceptualQuantizer.decode(Double(max(step, 1)) / Double(Self.steps))
      let unit = PerceptualQuantizer.brightest / HDRSignal.white
      return Float(signal.rolledOff(light) / light * unit)
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(below: 1, above: 1)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    for index in block.indices {
      let pixel = unsafe block[index]
      var light = signal.transfer == .pq ? quantized(pixel) : hybrid(pixel)
      light *= gain(max(light.x, max(light.y, light.z)))
      light.w = pixel.w
      unsafe block[index] = light
    }
  }

  private func quantized(_ code: SIMD4<Float>) -> SIMD4<Float> {
    let quantizer = PerceptualQuantizer.self
    let power = Self.power(code, Float(1 / quantizer.m2))
    let rest = (power - Float(quantizer.c1)) / (Float(quantizer.c2) - Float(quantizer.c3) * power)
    var light = Self.power(rest, Float(1 / quantizer.m1))
    light.replace(with: 0, where: .!(rest .> 0))
    return toWorking.apply(light)
  }

  private func hybrid(_ code: SIMD4<Float>) -> SIMD4<Float> {
    let log = HybridLogGamma.self
    let exponent = (code - Float(log.c)) * Float(1.442_695_040_888_963 / log.a)
    var scene = (Self.exp2(exponent) + Float(log.b)) * (1 / 12)
    scene.replace(with: code * code * (1 / 3), where: code .<= 0.5)
    scene.replace(with: 0, where: .!(code .> 0))
    let light = toWorking.apply(scene)
    let weights = RGBSpace.workingLuminance
    let luminance =
      light.x * Float(weights.x) + light.y * Float(weights.y) + light.z * Float(weights.z)
    let gamma = Float(log.systemGamma - 1)
    let factor = Self.power(SIMD4(repeating: luminance), gamma).x
    return light * (factor * Float(signal.peak / PerceptualQuantizer.brightest))
  }

  private func gain(_ light: Float) -> Float {
    let quantizer = PerceptualQuantizer.self
    let power = Self.power(SIMD4(repeating: light), Float(quantizer.m1))
    let ratio =
      (power * Float(quantizer.c2) + Float(quantizer.c1)) / (power * Float(quantizer.c3) + 1)
    let code = Self.power(ratio, Float(quantizer.m2)).x * Float(Self.steps)
    let index = min(max(Int(code), 0), Self.steps - 1)
    return gains[index] + (gains[index + 1] - gains[index]) * (code - Float(index))
  }

  // Of three channels; the other lanes of the eight are not looked at.

  @inline(__always)
  private static func power(_ base: SIMD4<Float>, _ exponent: Float) -> SIMD4<Float> {
    FastPower.power(SIMD8(lowHalf: base, highHalf: base), exponent).lowHalf
  }

  @inline(__always)
  private static func exp2(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let bounded = value.clamped(
      lowerBound: SIMD4(repeating: -120), upperBound: SIMD4(repeating: 120))
    return BinaryLogarithm.exp2(SIMD8(lowHalf: bounded, highHalf: bounded)).lowHalf
  }
}
