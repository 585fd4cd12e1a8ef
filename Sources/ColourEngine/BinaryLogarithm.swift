/// Binary logarithm and its inverse for four numbers at a time, to about 2⁻²².
enum BinaryLogarithm {
  /// Adding it leaves a whole number in the lower bits of a float.
  private static let shifter: Float = 12_582_912
  private static let shifterBits: Int32 = 0x4B40_0000
  private static let rootOfHalf: Int32 = 0x3F35_04F3

  /// Of numbers above 2⁻¹²⁶.
  @inline(__always)
  static func log2(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(value, to: SIMD4<Int32>.self)
    let exponent = (bits &- rootOfHalf) &>> 23
    // From √½ to √2.
    let mantissa = unsafe unsafeBitCast(bits &- (exponent &<< 23), to: SIMD4<Float>.self)
    let whole = unsafe unsafeBitCast(exponent &+ shifterBits, to: SIMD4<Float>.self) - shifter
    // 2 · artanh t / ln 2
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    var series = square * 0.412_198_6 + 0.577_078_0
    series = series * square + 0.961_796_7
    series = series * square + 2.885_390_1
    return whole + series * t
  }

  /// For exponents between −126 and 126.
  @inline(__always)
  static func exp2(_ exponent: SIMD4<Float>) -> SIMD4<Float> {
    let shifted = exponent + shifter
    let rest = exponent - (shifted - shifter)
    let bits = unsafe unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- shifterBits
    // The exponential series for half an octave either way.
    var series = rest * 0.000_154_035_3 + 0.001_333_355_8
    series = series * rest + 0.009_618_129_1
    series = series * rest + 0.055_504_108_7
    series = series * rest + 0.240_226_506_9
    series = series * rest + 0.693_147_180_6
    series = series * rest + 1
    let power = unsafe unsafeBitCast(series, to: SIMD4<Int32>.self) &+ (bits &<< 23)
    return unsafe unsafeBitCast(power, to: SIMD4<Float>.self)
  }
}

extension SIMD4<Float> {
  /// Lanes below 0 become 0, also by their bits so that no comparison of floats is a branch.
  @inline(__always)
  var notNegative: SIMD4<Float> {
    var bits = unsafe unsafeBitCast(self, to: SIMD4<Int32>.self)
    bits.replace(with: 0, where: bits .< 0)
    return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
  }

  /// Lanes are held between 0 and the limit, which is not negative.
  @inline(__always)
  func held(to limit: Float) -> SIMD4<Float> {
    var bits = unsafe unsafeBitCast(self, to: SIMD4<Int32>.self)
    let most = SIMD4<Int32>(repeating: Int32(bitPattern: limit.bitPattern))
    bits.replace(with: 0, where: bits .< 0)
    bits.replace(with: most, where: bits .> most)
    return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
  }

  /// S(x) = x² (3 − 2x) with x held to 0…1.
  @inline(__always)
  var smoothStep: SIMD4<Float> {
    let x = held(to: 1)
    return x * x * (3 - 2 * x)
  }
}
