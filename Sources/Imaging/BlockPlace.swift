/// The block whose middle lies at a pixel's middle or before it, and the share of the next one.
struct BlockPlace {
  let block: Int
  let share: Float

  init(_ pixel: Int, _ factor: Int) {
    let position = (Double(pixel) + 0.5) / Double(factor) - 0.5
    let whole = position.rounded(.down)
    block = Int(whole)
    share = Float(position - whole)
  }

  /// The first block of which no pixel lies before that one; a block's average reaches half a block
  /// beyond its sides.
  static func firstWhole(from pixel: Int, _ factor: Int) -> Int {
    Int(((Double(pixel) / Double(factor)) + 0.5).rounded(.up))
  }
}

/// The block nearest to a pixel, and how much it and its two neighbours count in a quadratic spline.
struct BlockSpline {
  let block: Int
  let weights: (Float, Float, Float)

  init(_ pixel: Int, _ factor: Int) {
    let position = (Double(pixel) + 0.5) / Double(factor) - 0.5
    let nearest = position.rounded()
    let t = position - nearest
    block = Int(nearest)
    weights = (
      Float((0.5 - t) * (0.5 - t) / 2), Float(0.75 - t * t), Float((0.5 + t) * (0.5 + t) / 2)
    )
  }
}

/// Averages along a row that fall off linearly from the middle of a block to those of its neighbours.
@safe
final class BlockAverages {
  /// The first block, and how many there are that are whole.
  let first: Int
  let blocks: Int

  private let planes: Int
  private let factor: Int
  /// Pixels before the first one that counts.
  private let skipped: Int
  /// Of the pixels of a block, from the first on.
  private let weights: [Float]

  /// `from`: the first pixel of a row; sums over columns of blocks are given.
  init(from pixel: Int, count: Int, factor: Int, planes: Int) {
    self.planes = planes
    self.factor = factor
    first = BlockPlace.firstWhole(from: pixel, factor)
    // Half a block before the block, rounded up: at the very edge nothing counts.
    let start = first * factor - factor / 2
    skipped = start - pixel
    let length = 2 * factor - (factor.isMultiple(of: 2) ? 0 : 1)
    blocks = max(0, (count - skipped - length) / factor + 1)
    let scale = 1 / Double(factor * factor)
    let middle = Double(factor / 2) + Double(factor) / 2
    weights = (0..<length).map {
      Float((1 - abs(Double($0) + 0.5 - middle) / Double(factor)) * scale)
    }
  }

  func write(_ sums: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    if planes >= 3 {
      unsafe writeByPixels(sums, target)
    } else {
      unsafe writeBySamples(sums, target)
    }
  }

  /// Four floats at a time; of three planes the next block overwrites the fourth.
  private func writeByPixels(
    _ sums: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>
  ) {
    unsafe weights.withUnsafeBufferPointer { weights in
      for block in 0..<blocks {
        let start = unsafe sums + (skipped + block * factor) * planes
        var sum = SIMD4<Float>()
        for pixel in 0..<weights.count {
          let sample = unsafe UnsafeRawPointer(start + pixel &* planes)
          unsafe sum += sample.loadUnaligned(as: SIMD4<Float>.self) * weights[pixel]
        }
        unsafe UnsafeMutableRawPointer(target + block * planes)
          .storeBytes(of: sum, as: SIMD4<Float>.self)
      }
    }
  }

  private func writeBySamples(
    _ sums: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>
  ) {
    unsafe weights.withUnsafeBufferPointer { weights in
      for block in 0..<blocks {
        for plane in 0..<planes {
          let start = unsafe sums + (skipped + block * factor) * planes + plane
          var sum: Float = 0
          for pixel in 0..<weights.count {
            unsafe sum += start[pixel &* planes] * weights[pixel]
          }
          unsafe target[block * planes + plane] = sum
        }
      }
    }
  }
}

/// Pixels between blocks, along a row.
@safe
final class BlockSpread {
  private let planes: Int
  /// For each pixel where the block before the nearest one begins, and the weights of three blocks.
  private let starts: [Int]
  private let weights: [Float]

  /// `firstBlock`: that with which rows of blocks begin.
  init(_ columns: Range<Int>, firstBlock: Int, factor: Int, planes: Int) {
    self.planes = planes
    let splines = columns.map { BlockSpline($0, factor) }
    starts = splines.map { ($0.block - 1 - firstBlock) * planes }
    weights = splines.flatMap { [$0.weights.0, $0.weights.1, $0.weights.2] }
  }

  func write(_ blocks: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    unsafe starts.withUnsafeBufferPointer { starts in
      unsafe weights.withUnsafeBufferPointer { weights in
        guard let weights = weights.baseAddress else { return }
        for x in 0..<starts.count {
          let three = unsafe blocks + starts[x]
          let share = unsafe weights + 3 &* x
          if planes >= 3 {
            unsafe writePixel(three, share, target + x &* planes)
          } else {
            unsafe writeSamples(three, share, target + x &* planes)
          }
        }
      }
    }
  }

  /// Four floats at a time; of three planes the next pixel overwrites the fourth.
  @inline(__always)
  private func writePixel(
    _ blocks: UnsafePointer<Float>, _ share: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>
  ) {
    let from = unsafe UnsafeRawPointer(blocks)
    let step = 4 &* planes
    var sum = unsafe from.loadUnaligned(as: SIMD4<Float>.self) * share[0]
    unsafe sum += from.loadUnaligned(fromByteOffset: step, as: SIMD4<Float>.self) * share[1]
    unsafe sum += from.loadUnaligned(fromByteOffset: 2 &* step, as: SIMD4<Float>.self) * share[2]
    unsafe UnsafeMutableRawPointer(target).storeBytes(of: sum, as: SIMD4<Float>.self)
  }

  @inline(__always)
  private func writeSamples(
    _ blocks: UnsafePointer<Float>, _ share: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>
  ) {
    for plane in 0..<planes {
      unsafe target[plane] =
        blocks[plane] * share[0] + blocks[planes &+ plane] * share[1]
        + blocks[2 &* planes &+ plane] * share[2]
    }
  }
}
