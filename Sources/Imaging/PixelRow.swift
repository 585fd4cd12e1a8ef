import CLanes
import ColourEngine

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

  /// Multiplies the colours of each eight pixels by what is given for them; alpha stays.
  @inline(__always)
  func multiply(
    _ row: UnsafeMutablePointer<Float>, count: Int, by gains: (_ first: Int) -> SIMD8<Float>
  ) {
    var x = 0
    while x &+ 8 <= count {
      unsafe multiply(row + bands &* x, by: gains(x))
      x &+= 8
    }
    guard x < count else { return }
    unsafe rest.start.update(from: row + bands * x, count: bands * (count - x))
    unsafe multiply(rest.start, by: gains(x))
    unsafe (row + bands * x).update(from: rest.start, count: bands * (count - x))
  }

  @inline(__always)
  private func multiply(_ samples: UnsafeMutablePointer<Float>, by gains: SIMD8<Float>) {
    if bands == 3 {
      unsafe (SIMD8(samples, 0) * lanes_first_gains_of_three(gains)).store(samples, 0)
      unsafe (SIMD8(samples, 8) * lanes_second_gains_of_three(gains)).store(samples, 8)
      unsafe (SIMD8(samples, 16) * lanes_third_gains_of_three(gains)).store(samples, 16)
    } else {
      unsafe (SIMD8(samples, 0) * lanes_first_gains(gains)).store(samples, 0)
      unsafe (SIMD8(samples, 8) * lanes_second_gains(gains)).store(samples, 8)
      unsafe (SIMD8(samples, 16) * lanes_third_gains(gains)).store(samples, 16)
      unsafe (SIMD8(samples, 24) * lanes_fourth_gains(gains)).store(samples, 24)
    }
  }
}
