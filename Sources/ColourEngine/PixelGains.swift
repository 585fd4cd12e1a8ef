import CLanes

/// Pixels multiplied by one factor each, which are worked out for eight at a time.
enum PixelGains {
  /// `gains`: of eight pixels, the first of which has that number; those beyond the end are black.
  @inline(__always)
  static func multiply(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>,
    by gains: (_ first: Int, _ pixels: EightPixels) -> SIMD8<Float>
  ) {
    unsafe EightPixels.each(of: block) { first, pairs in
      let factors = gains(first, pairs.pixels)
      pairs.first *= lanes_first_gains(factors)
      pairs.second *= lanes_second_gains(factors)
      pairs.third *= lanes_third_gains(factors)
      pairs.fourth *= lanes_fourth_gains(factors)
    }
  }
}

/// Eight pixels of four samples as they lie in memory, two by two.
struct PixelPairs {
  var first: SIMD8<Float>
  var second: SIMD8<Float>
  var third: SIMD8<Float>
  var fourth: SIMD8<Float>

  @inline(__always)
  init(_ samples: UnsafePointer<Float>) {
    first = unsafe SIMD8(samples, 0)
    second = unsafe SIMD8(samples, 8)
    third = unsafe SIMD8(samples, 16)
    fourth = unsafe SIMD8(samples, 24)
  }

  @inline(__always)
  func store(_ samples: UnsafeMutablePointer<Float>) {
    unsafe first.store(samples, 0)
    unsafe second.store(samples, 8)
    unsafe third.store(samples, 16)
    unsafe fourth.store(samples, 24)
  }

  @inline(__always)
  var pixels: EightPixels { EightPixels(first, second, third, fourth) }
}

extension EightPixels {
  /// Calls for each eight pixels of a block, to change them in place.
  @inline(__always)
  static func each(
    of block: UnsafeMutableBufferPointer<SIMD4<Float>>,
    _ body: (_ first: Int, _ pairs: inout PixelPairs) -> Void
  ) {
    guard let start = block.baseAddress else { return }
    let count = block.count
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 32) { rest in
      unsafe rest.initialize(repeating: 0)
      guard let rest = rest.baseAddress else { return }
      unsafe start.withMemoryRebound(to: Float.self, capacity: 4 * count) { samples in
        var index = 0
        while index < count {
          // One call alone is worth its place in the loop to the compiler.
          let own = unsafe samples + 4 &* index
          let left = min(8, count &- index)
          let place = unsafe left == 8 ? own : rest
          if left < 8 { unsafe rest.update(from: own, count: 4 &* left) }
          var pairs = unsafe PixelPairs(place)
          body(index, &pairs)
          unsafe pairs.store(place)
          if left < 8 { unsafe own.update(from: rest, count: 4 &* left) }
          index &+= 8
        }
      }
    }
  }
}
