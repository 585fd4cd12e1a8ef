// Functions that are inlined into another module may call only what is imported so.
public import CLanes

/// Eight floats at a time, from and to rows of floats that have room for them.
extension SIMD8<Float> {
  @inlinable @inline(__always)
  package init(_ row: UnsafePointer<Float>, _ index: Int) {
    self = unsafe UnsafeRawPointer(row + index).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inlinable @inline(__always)
  package init(_ row: UnsafeMutablePointer<Float>, _ index: Int) {
    self = unsafe UnsafeRawPointer(row + index).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inlinable @inline(__always)
  package func store(_ row: UnsafeMutablePointer<Float>, _ index: Int) {
    unsafe UnsafeMutableRawPointer(row + index).storeBytes(of: self, as: SIMD8<Float>.self)
  }

  /// This and the product of two others, rounded once.
  @inlinable @inline(__always)
  package func adding(_ a: SIMD8<Float>, times b: SIMD8<Float>) -> SIMD8<Float> {
    lanes_fused(a, b, self)
  }

  /// 0, 1, 2 … 7
  @inlinable @inline(__always)
  package static var counting: SIMD8<Float> { lanes_counting() }

  /// What is no number becomes 0.
  @inlinable @inline(__always)
  package var notNegative: SIMD8<Float> {
    SIMD8(repeating: 0).replacing(with: self, where: self .> 0)
  }

  /// Lanes are held between 0 and the limit, which is not negative; what is no number becomes 0.
  @inlinable @inline(__always)
  package func held(to limit: Float) -> SIMD8<Float> {
    let positive = notNegative
    return positive.replacing(with: SIMD8(repeating: limit), where: positive .> limit)
  }

  /// S(x) = x² (3 − 2x) with x held to 0…1.
  @inlinable @inline(__always)
  package var smoothStep: SIMD8<Float> {
    let x = held(to: 1)
    return x * x * (3 - 2 * x)
  }

  /// Of numbers that are not negative.
  @inlinable @inline(__always)
  package var roots: SIMD8<Float> { lanes_root(self) }

  @inlinable @inline(__always)
  package var bits: SIMD8<Int32> { unsafe unsafeBitCast(self, to: SIMD8<Int32>.self) }

  @inlinable @inline(__always)
  package init(bits: SIMD8<Int32>) { self = unsafe unsafeBitCast(bits, to: SIMD8<Float>.self) }

  @inlinable @inline(__always)
  package var magnitudes: SIMD8<Float> { SIMD8(bits: bits & 0x7FFF_FFFF) }

  /// With the signs of others; none may be negative.
  @inlinable @inline(__always)
  package func signed(as other: SIMD8<Float>) -> SIMD8<Float> {
    SIMD8(bits: bits | (other.bits & Int32(bitPattern: 0x8000_0000)))
  }
}

/// Eight pixels, channel by channel.
package struct EightPixels {
  package var red: SIMD8<Float>
  package var green: SIMD8<Float>
  package var blue: SIMD8<Float>
  /// 1 without alpha.
  package var alpha: SIMD8<Float>

  @inlinable @inline(__always)
  package init(
    red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>,
    alpha: SIMD8<Float> = SIMD8(repeating: 1)
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `row`: 24 samples of three bands, or 32 of four.
  @inlinable @inline(__always)
  package init(_ row: UnsafePointer<Float>, bands: Int) {
    let a = unsafe SIMD8(row, 0)
    let b = unsafe SIMD8(row, 8)
    let c = unsafe SIMD8(row, 16)
    if bands == 3 {
      self.init(
        red: lanes_first_of_three(a, b, c), green: lanes_second_of_three(a, b, c),
        blue: lanes_third_of_three(a, b, c))
    } else {
      let d = unsafe SIMD8(row, 24)
      self.init(a, b, c, d)
    }
  }

  /// Two pixels of four samples in each.
  @inlinable @inline(__always)
  package init(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ d: SIMD8<Float>) {
    red = lanes_first_of_four(a, b, c, d)
    green = lanes_second_of_four(a, b, c, d)
    blue = lanes_third_of_four(a, b, c, d)
    alpha = lanes_fourth_of_four(a, b, c, d)
  }

  @inlinable @inline(__always)
  package func store(_ row: UnsafeMutablePointer<Float>, bands: Int) {
    if bands == 3 {
      unsafe lanes_first_samples(red, green, blue).store(row, 0)
      unsafe lanes_second_samples(red, green, blue).store(row, 8)
      unsafe lanes_third_samples(red, green, blue).store(row, 16)
    } else {
      unsafe lanes_first_pair(red, green, blue, alpha).store(row, 0)
      unsafe lanes_second_pair(red, green, blue, alpha).store(row, 8)
      unsafe lanes_third_pair(red, green, blue, alpha).store(row, 16)
      unsafe lanes_fourth_pair(red, green, blue, alpha).store(row, 24)
    }
  }

  /// Luminance of linear working light.
  @inlinable @inline(__always)
  package var luminance: SIMD8<Float> {
    (red * 0.262_700_21).adding(green, times: SIMD8(repeating: 0.677_998_07))
      .adding(blue, times: SIMD8(repeating: 0.059_301_72))
  }
}
