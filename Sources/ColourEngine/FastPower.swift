/// Powers of four numbers at a time, from polynomials; relative error below 2e-6 for moderate exponents.
enum FastPower {
  /// `base` to the exponent; bases below 1e-12 count as that, and bases above 1e12 as that.
  @inline(__always)
  static func power(_ base: SIMD4<Float>, _ exponent: Float) -> SIMD4<Float> {
    var bounded = base
    bounded.replace(with: 1e-12, where: .!(base .> 1e-12))
    bounded.replace(with: 1e12, where: base .> 1e12)
    return exp2(log2(bounded) * exponent)
  }

  /// Of positive, normal numbers.
  @inline(__always)
  static func log2(_ value: SIMD4<Float>) -> SIMD4<Float> {
    // Split so that the mantissa lies between the root of a half and that of two.
    let bits = unsafe unsafeBitCast(value, to: SIMD4<Int32>.self) &- 0x3F35_04F3
    let exponent = float(bits &>> 23)
    let mantissa = unsafe unsafeBitCast(
      (bits & 0x007F_FFFF) &+ 0x3F35_04F3, to: SIMD4<Float>.self)
    // log2 m = 2/ln 2 · artanh((m − 1)/(m + 1))
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var sum = square * 0.320_598_9 + 0.412_198_6
    sum = sum * square + 0.577_078_0
    sum = sum * square + 0.961_796_7
    sum = sum * square + 2.885_390_1
    return exponent + s * sum
  }

  /// Of numbers between −120 and 120; those outside count as the ends.
  @inline(__always)
  static func exp2(_ value: SIMD4<Float>) -> SIMD4<Float> {
    var bounded = value
    bounded.replace(with: -120, where: .!(value .> -120))
    bounded.replace(with: 120, where: value .> 120)
    // 1.5 · 2²³: the sum's lowest bits are the nearest whole number.
    let shifted = bounded + 12_582_912
    let fraction = bounded - (shifted - 12_582_912)
    let whole = unsafe unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- 0x4B40_0000
    var sum = fraction * 0.000_154_035_3 + 0.001_333_355_8
    sum = sum * fraction + 0.009_618_129
    sum = sum * fraction + 0.055_504_11
    sum = sum * fraction + 0.240_226_51
    sum = sum * fraction + 0.693_147_18
    sum = sum * fraction + 1
    let scale = unsafe unsafeBitCast((whole &+ 127) &<< 23, to: SIMD4<Float>.self)
    return sum * scale
  }

  /// Whole numbers of less than 2²² as floats, without a conversion of single lanes.
  @inline(__always)
  static func float(_ whole: SIMD4<Int32>) -> SIMD4<Float> {
    let shifted = unsafe unsafeBitCast(whole &+ 0x4B40_0000, to: SIMD4<Float>.self)
    return shifted - 12_582_912
  }
}
