/// Elementary functions on four floats at once, by the bits of a float and a short polynomial.
extension SIMD4<Float> {
  @inline(__always)
  var bits: SIMD4<Int32> { unsafe unsafeBitCast(self, to: SIMD4<Int32>.self) }

  @inline(__always)
  init(bits: SIMD4<Int32>) { self = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self) }

  /// The lesser of each pair; NaN becomes the limit.
  @inline(__always)
  func atMost(_ limit: Float) -> SIMD4<Float> {
    SIMD4(repeating: limit).replacing(with: self, where: self .< limit)
  }

  /// The greater of each pair; NaN becomes the limit.
  @inline(__always)
  func atLeast(_ limit: Float) -> SIMD4<Float> {
    SIMD4(repeating: limit).replacing(with: self, where: self .> limit)
  }

  /// The logarithm to base 2 of positive normal numbers; absolute error below 1e-6.
  @inline(__always)
  var logarithms: SIMD4<Float> {
    // The mantissa is taken from √½ to √2, so that the error vanishes at 1.
    let exponent = (bits &- 0x3F35_04F3) &>> 23
    let t = SIMD4(bits: bits &- (exponent &<< 23)) - 1
    let whole = SIMD4(bits: exponent &+ 0x4B40_0000) - 12_582_912
    // In pairs, so that no long chain of results waits for the one before.
    let square = t * t
    let upper = (t * 0.176_167_25 - 0.270_977_59) * square + (t * 0.295_099_77 - 0.359_184_77)
    let lower = t * 0.480_648_7 - 0.721_367_72
    return ((upper * square + lower) * t + 1.442_696_33) * t + whole
  }

  /// 2 to the power of numbers from −126 to 127; relative error below 2e-7.
  @inline(__always)
  var powersOfTwo: SIMD4<Float> {
    let shifted = self + 12_582_912
    let t = self - (shifted - 12_582_912)
    let square = t * t
    let upper = (t * 0.001_327_647_25 + 0.009_675_541_89) * square
    let middle = t * 0.055_507_130_9 + 0.240_221_202
    let series = (upper + middle) * square + (t * 0.693_146_944 + 1)
    return SIMD4(bits: series.bits &+ (shifted.bits &<< 23))
  }
}
