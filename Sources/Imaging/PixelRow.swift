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

  // Each calls its body at one place alone, so that the compiler puts it into the loop.

  /// Calls with each eight pixels and the number of the first; the last ones are filled up.
  @inline(__always)
  func read(
    _ row: UnsafePointer<Float>, count: Int, _ body: (_ first: Int, _ pixels: EightPixels) -> Void
  ) {
    var x = 0
    while x < count {
      var place = unsafe row + bands &* x
      if x &+ 8 > count {
        unsafe rest.start.update(from: place, count: bands &* (count &- x))
        unsafe place = UnsafePointer(rest.start)
      }
      unsafe body(x, EightPixels(place, bands: bands))
      x &+= 8
    }
  }

  /// Writes the pixels that are given for each eight; what is beyond the end is dropped.
  @inline(__always)
  func write(
    _ row: UnsafeMutablePointer<Float>, count: Int, _ body: (_ first: Int) -> EightPixels
  ) {
    var x = 0
    while x < count {
      let own = unsafe row + bands &* x
      let isWhole = x &+ 8 <= count
      unsafe body(x).store(isWhole ? own : rest.start, bands: bands)
      if !isWhole { unsafe own.update(from: rest.start, count: bands &* (count &- x)) }
      x &+= 8
    }
  }

  /// Writes colours of other pixels, multiplied by what is given for each eight; alpha stays.
  @inline(__always)
  func multiply(
    _ pixels: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>, count: Int,
    by gains: (_ first: Int) -> SIMD8<Float>
  ) {
    var x = 0
    while x < count {
      let own = unsafe row + bands &* x
      let isWhole = x &+ 8 <= count
      let place = unsafe isWhole ? own : rest.start
      unsafe multiply(pixels + bands &* x, into: place, by: gains(x))
      if !isWhole { unsafe own.update(from: rest.start, count: bands &* (count &- x)) }
      x &+= 8
    }
  }

  /// `pixels`: can be read beyond their end.
  @inline(__always)
  private func multiply(
    _ pixels: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>, by gains: SIMD8<Float>
  ) {
    if bands == 3 {
      unsafe (SIMD8(pixels, 0) * lanes_first_gains_of_three(gains)).store(row, 0)
      unsafe (SIMD8(pixels, 8) * lanes_second_gains_of_three(gains)).store(row, 8)
      unsafe (SIMD8(pixels, 16) * lanes_third_gains_of_three(gains)).store(row, 16)
    } else {
      unsafe (SIMD8(pixels, 0) * lanes_first_gains(gains)).store(row, 0)
      unsafe (SIMD8(pixels, 8) * lanes_second_gains(gains)).store(row, 8)
      unsafe (SIMD8(pixels, 16) * lanes_third_gains(gains)).store(row, 16)
      unsafe (SIMD8(pixels, 24) * lanes_fourth_gains(gains)).store(row, 24)
    }
  }
}
