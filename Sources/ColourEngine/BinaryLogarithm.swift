/// Binary logarithm and its inverse for eight numbers at a time, to about 2⁻²².
enum BinaryLogarithm {
  /// Adding it leaves a whole number in the lower bits of a float.
  private static let shifter: Float = 12_582_912
  private static let shifterBits: Int32 = 0x4B40_0000
  private static let rootOfHalf: Int32 = 0x3F35_04F3

  /// Of numbers above 2⁻¹²⁶.
  @inline(__always)
  static func log2(_ value: SIMD8<Float>) -> SIMD8<Float> {
    let exponent = (value.bits &- rootOfHalf) &>> 23
    // From √½ to √2.
    let mantissa = SIMD8(bits: value.bits &- (exponent &<< 23))
    let whole = SIMD8(bits: exponent &+ shifterBits) - shifter
    // 2 · artanh t / ln 2
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    var series = constant(0.412_198_6, plus: square, times: constant(0.320_598_9))
    series = constant(0.577_078_0, plus: square, times: series)
    series = constant(0.961_796_7, plus: square, times: series)
    series = constant(2.885_390_1, plus: square, times: series)
    return whole.adding(series, times: t)
  }

  /// For exponents between −126 and 126.
  @inline(__always)
  static func exp2(_ exponent: SIMD8<Float>) -> SIMD8<Float> {
    let shifted = exponent + shifter
    let rest = exponent - (shifted - shifter)
    let bits = shifted.bits &- shifterBits
    // The exponential series for half an octave either way.
    var series = constant(0.001_333_355_8, plus: rest, times: constant(0.000_154_035_3))
    series = constant(0.009_618_129_1, plus: rest, times: series)
    series = constant(0.055_504_108_7, plus: rest, times: series)
    series = constant(0.240_226_506_9, plus: rest, times: series)
    series = constant(0.693_147_180_6, plus: rest, times: series)
    series = constant(1, plus: rest, times: series)
    return SIMD8(bits: series.bits &+ (bits &<< 23))
  }

  @inline(__always)
  private static func constant(_ value: Float) -> SIMD8<Float> { SIMD8(repeating: value) }

  @inline(__always)
  private static func constant(
    _ value: Float, plus a: SIMD8<Float>, times b: SIMD8<Float>
  ) -> SIMD8<Float> {
    constant(value).adding(a, times: b)
  }
}
