import ColourEngine

/// Sums over the last so many rows, for a picture that comes from the top.
///
/// What enters is added and what leaves is taken away; before roundings gather they are made anew.
@safe
final class SlidingSums {
  /// Of the last rows; means something once there are as many as the window has.
  let sums: FloatStore

  private let window: Int
  private let width: Int
  private let ring: RowRing
  private var rows = 0

  /// `width`: floats of a row.
  init(window: Int, width: Int) {
    self.window = window
    self.width = width
    ring = RowRing(count: window + 1, width: width)
    sums = FloatStore(count: width)
  }

  var isComplete: Bool { rows >= window }

  /// Room for the next row; `add` follows when it is filled.
  func room() -> UnsafeMutablePointer<Float> { unsafe ring.advance() }

  func add() {
    rows += 1
    if rows % window == 0 {
      addAll()
    } else if rows > window {
      slide()
    }
  }

  private func slide() {
    let sums = unsafe sums.start
    let entering = unsafe ring.row(back: 0)
    let leaving = unsafe ring.row(back: window)
    var x = 0
    while x < width {
      let difference = unsafe SIMD8(entering, x) - SIMD8(leaving, x)
      unsafe (SIMD8(sums, x) + difference).store(sums, x)
      x &+= 8
    }
  }

  private func addAll() {
    let sums = unsafe sums.start
    unsafe sums.update(from: ring.row(back: 0), count: width)
    for back in 1..<max(1, window) {
      let row = unsafe ring.row(back: back)
      var x = 0
      while x < width {
        unsafe (SIMD8(sums, x) + SIMD8(row, x)).store(sums, x)
        x &+= 8
      }
    }
  }
}

/// Sums over windows across a row.
@safe
final class WindowSums {
  /// Above it, sums of twice as many are made of two sums.
  private static let mostOneByOne = 9

  private let window: Int
  private let doubled: FloatStore

  /// `width`: floats of the widest row that is given.
  init(window: Int, width: Int) {
    self.window = window
    doubled = FloatStore(count: window > Self.mostOneByOne ? width : 0)
  }

  /// The sum of each value and those that follow within the window; `count`: how many sums.
  ///
  /// The row has room for eight floats more than the last window needs.
  func add(
    _ row: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>, count: Int
  ) {
    if window > Self.mostOneByOne {
      unsafe addInSteps(row, into: sums, count: count)
    } else {
      var x = 0
      while x < count {
        var sum = unsafe SIMD8(row, x)
        var next = 1
        while next < window {
          unsafe sum += SIMD8(row, x &+ next)
          next &+= 1
        }
        unsafe sum.store(sums, x)
        x &+= 8
      }
    }
  }

  /// By the binary digits of the window.
  private func addInSteps(
    _ row: UnsafePointer<Float>, into sums: UnsafeMutablePointer<Float>, count: Int
  ) {
    let doubled = unsafe doubled.start
    let taken = count + window - 1
    unsafe doubled.update(from: row, count: taken)
    var (span, done) = (1, 0)
    while true {
      if window & span != 0 {
        var x = 0
        while x < count {
          let part = unsafe SIMD8(doubled, x &+ done)
          unsafe (done == 0 ? part : SIMD8(sums, x) + part).store(sums, x)
          x &+= 8
        }
        done += span
      }
      guard 2 * span <= window else { return }
      var x = 0
      while x < taken - span {
        unsafe (SIMD8(doubled, x) + SIMD8(doubled, x &+ span)).store(doubled, x)
        x &+= 8
      }
      span *= 2
    }
  }
}
