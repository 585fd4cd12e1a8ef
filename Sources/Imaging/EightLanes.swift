import CLanes

/// Eight floats at a time, from and to rows of floats that have room for them.
extension SIMD8<Float> {
  @inline(__always)
  init(_ row: UnsafePointer<Float>, _ index: Int) {
    self = unsafe UnsafeRawPointer(row + index).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  init(_ row: UnsafeMutablePointer<Float>, _ index: Int) {
    self = unsafe UnsafeRawPointer(row + index).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  func store(_ row: UnsafeMutablePointer<Float>, _ index: Int) {
    unsafe UnsafeMutableRawPointer(row + index).storeBytes(of: self, as: SIMD8<Float>.self)
  }

  /// This and the product of two others, rounded once.
  @inline(__always)
  func adding(_ a: SIMD8<Float>, times b: SIMD8<Float>) -> SIMD8<Float> {
    lanes_fused(a, b, self)
  }

  /// Of numbers that are not negative.
  @inline(__always)
  var roots: SIMD8<Float> { lanes_root(self) }

  @inline(__always)
  var bits: SIMD8<Int32> { unsafe unsafeBitCast(self, to: SIMD8<Int32>.self) }

  @inline(__always)
  init(bits: SIMD8<Int32>) { self = unsafe unsafeBitCast(bits, to: SIMD8<Float>.self) }

  @inline(__always)
  var magnitudes: SIMD8<Float> { SIMD8(bits: bits & 0x7FFF_FFFF) }

  /// With the signs of others; none may be negative.
  @inline(__always)
  func signed(as other: SIMD8<Float>) -> SIMD8<Float> {
    SIMD8(bits: bits | (other.bits & Int32(bitPattern: 0x8000_0000)))
  }
}

/// Eight pixels, channel by channel.
struct EightPixels {
  var red: SIMD8<Float>
  var green: SIMD8<Float>
  var blue: SIMD8<Float>
  /// 1 without alpha.
  var alpha: SIMD8<Float>

  @inline(__always)
  init(
    red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>,
    alpha: SIMD8<Float> = SIMD8(repeating: 1)
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `row`: 24 samples of three bands, or 32 of four.
  @inline(__always)
  init(_ row: UnsafePointer<Float>, bands: Int) {
    let a = unsafe SIMD8(row, 0)
    let b = unsafe SIMD8(row, 8)
    let c = unsafe SIMD8(row, 16)
    if bands == 3 {
      red = lanes_first_of_three(a, b, c)
      green = lanes_second_of_three(a, b, c)
      blue = lanes_third_of_three(a, b, c)
      alpha = SIMD8(repeating: 1)
    } else {
      let d = unsafe SIMD8(row, 24)
      red = lanes_channel(a, b, c, d, 0)
      green = lanes_channel(a, b, c, d, 1)
      blue = lanes_channel(a, b, c, d, 2)
      alpha = lanes_channel(a, b, c, d, 3)
    }
  }

  @inline(__always)
  func store(_ row: UnsafeMutablePointer<Float>, bands: Int) {
    if bands == 3 {
      unsafe lanes_first_samples(red, green, blue).store(row, 0)
      unsafe lanes_second_samples(red, green, blue).store(row, 8)
      unsafe lanes_third_samples(red, green, blue).store(row, 16)
    } else {
      unsafe lanes_two_pixels(red, green, blue, alpha, 0).store(row, 0)
      unsafe lanes_two_pixels(red, green, blue, alpha, 2).store(row, 8)
      unsafe lanes_two_pixels(red, green, blue, alpha, 4).store(row, 16)
      unsafe lanes_two_pixels(red, green, blue, alpha, 6).store(row, 24)
    }
  }

  /// Luminance of linear working light.
  @inline(__always)
  var luminance: SIMD8<Float> {
    (red * 0.262_700_21).adding(green, times: SIMD8(repeating: 0.677_998_07))
      .adding(blue, times: SIMD8(repeating: 0.059_301_72))
  }
}

/// Rows of pixels that have no room beyond their end, eight pixels at a time.
@safe
final class PixelRow {
  let bands: Int
  private let rest: FloatStore

  init(bands: Int) {
    self.bands = bands
    rest = FloatStore(count: 32)
  }

  /// Calls with each eight pixels and the number of the first; the last ones are filled up.
  @inline(__always)
  func read(
    _ row: UnsafePointer<Float>, count: Int, _ body: (_ first: Int, _ pixels: EightPixels) -> Void
  ) {
    var x = 0
    if bands == 3 {
      while x &+ 8 <= count {
        body(x, unsafe EightPixels(row + 3 &* x, bands: 3))
        x &+= 8
      }
    } else {
      while x &+ 8 <= count {
        body(x, unsafe EightPixels(row + 4 &* x, bands: 4))
        x &+= 8
      }
    }
    guard x < count else { return }
    unsafe rest.start.update(from: row + bands * x, count: bands * (count - x))
    body(x, unsafe EightPixels(rest.start, bands: bands))
  }

  /// Writes the pixels that are given for each eight; what is beyond the end is dropped.
  @inline(__always)
  func write(
    _ row: UnsafeMutablePointer<Float>, count: Int, _ body: (_ first: Int) -> EightPixels
  ) {
    var x = 0
    if bands == 3 {
      while x &+ 8 <= count {
        unsafe body(x).store(row + 3 &* x, bands: 3)
        x &+= 8
      }
    } else {
      while x &+ 8 <= count {
        unsafe body(x).store(row + 4 &* x, bands: 4)
        x &+= 8
      }
    }
    guard x < count else { return }
    unsafe body(x).store(rest.start, bands: bands)
    unsafe (row + bands * x).update(from: rest.start, count: bands * (count - x))
  }
}
