/// Elementary functions on four floats at once, by the bits of a float and a short polynomial.
extension SIMD4<Float> {
  @inline(__always)
  var bits: SIMD4<Int32> { unsafe unsafeBitCast(self, to: SIMD4<Int32>.self) }

  @inline(__always)
  init(bits: SIMD4<Int32>) { self = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self) }

  @inline(__always)
  private var pairs: SIMD2<Double> { unsafe unsafeBitCast(self, to: SIMD2<Double>.self) }

  @inline(__always)
  private init(pairs: SIMD2<Double>) {
    self = unsafe unsafeBitCast(pairs, to: SIMD4<Float>.self)
  }

  @inline(__always)
  var magnitudes: SIMD4<Float> { SIMD4(bits: bits & 0x7FFF_FFFF) }

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

  /// The cube root with the sign of what it is of; relative error below 1e-6, 0 stays 0.
  ///
  /// x · y² with y ≈ |x|^(−⅓) from a third of the bits is within 7 %; the rest is a power series
  /// in h = 1 − |x|·y³, for ∛x = x·y²·(1 − h)^(−⅔).
  @inline(__always)
  var cubeRoots: SIMD4<Float> {
    // In units of 512 the sum fits a mantissa: adding 2²³ rounds it to an integer in the low bits.
    let third = SIMD4<Float>(magnitudes.bits) * (-1 / 1536)
    let guess = SIMD4(bits: (third + (8_388_608 + 2_773_238.375)).bits &<< 9)
    let rough = self * (guess * guess)
    let h = 1 - rough.magnitudes * guess
    let high = h * 0.459_736_62 + 0.499_486_65
    let series = ((high * h + 0.555_526_02) * h + 0.666_651_6) * h + 1
    return rough * series
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

  /// Four indices from the low 16 bits of each lane.
  @inline(__always)
  var indices: (Int, Int, Int, Int) {
    // Lanes come out cheapest in pairs.
    let pairs = unsafe unsafeBitCast(bits & 0xFFFF, to: SIMD2<UInt64>.self)
    return (
      Int(truncatingIfNeeded: pairs[0] & 0xFFFF_FFFF), Int(truncatingIfNeeded: pairs[0] >> 32),
      Int(truncatingIfNeeded: pairs[1] & 0xFFFF_FFFF), Int(truncatingIfNeeded: pairs[1] >> 32)
    )
  }

  /// Rows become columns.
  @inline(__always)
  static func transpose(
    _ first: SIMD4, _ second: SIMD4, _ third: SIMD4, _ fourth: SIMD4
  ) -> (SIMD4, SIMD4, SIMD4, SIMD4) {
    // Pairs as doubles, else the compiler makes one step of two and needs more instructions.
    let upper = SIMD4(first.x, second.x, first.y, second.y).pairs
    let upperRest = SIMD4(first.z, second.z, first.w, second.w).pairs
    let lower = SIMD4(third.x, fourth.x, third.y, fourth.y).pairs
    let lowerRest = SIMD4(third.z, fourth.z, third.w, fourth.w).pairs
    return (
      SIMD4(pairs: SIMD2(upper.x, lower.x)), SIMD4(pairs: SIMD2(upper.y, lower.y)),
      SIMD4(pairs: SIMD2(upperRest.x, lowerRest.x)), SIMD4(pairs: SIMD2(upperRest.y, lowerRest.y))
    )
  }
}
