/// Adds a constant to each channel.
struct ChannelOffset: PixelFunction {
  private let offset: SIMD4<Float>
  private let largest: Double

  init(_ offset: SIMD3<Double>) {
    self.offset = SIMD4(SIMD3<Float>(offset), 0)
    largest = max(offset.max(), -offset.min())
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    for index in block.indices { unsafe block[index] += offset }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(below: bounds.below + largest, above: bounds.above + largest)
  }
}

/// Holds each channel between two values; the upper one wins where they cross.
struct ChannelClamp: PixelFunction {
  private let least: SIMD4<Float>
  private let most: SIMD4<Float>

  init(from least: Double, to most: Double) {
    let low = Float(min(least, most))
    self.least = SIMD4(low, low, low, -.infinity)
    self.most = SIMD4(Float(most), Float(most), Float(most), .infinity)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    for index in block.indices {
      var value = unsafe block[index]
      value.replace(with: least, where: value .< least)
      value.replace(with: most, where: value .> most)
      unsafe block[index] = value
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(below: Double(-least.x), above: Double(most.x))
  }
}

/// Rounds each channel to the nearest of equal steps, so many from 0 to 1.
struct ChannelLevels: PixelFunction {
  private let steps: Float

  /// At least two levels.
  init(_ levels: Double) { steps = Float(max(1, levels - 1)) }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let width = 1 / steps
    for index in block.indices {
      let value = unsafe block[index]
      // Adding 1½ · 2²³ rounds to an integer as long as the sum keeps that exponent.
      let scaled = (value * steps).atLeast(-4_194_000).atMost(4_194_000)
      var result = ((scaled + 12_582_912) - 12_582_912) * width
      result.w = value.w
      unsafe block[index] = result
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let half = Double(0.5 / steps)
    return SegmentedCurves.Bounds(below: bounds.below + half, above: bounds.above + half)
  }
}
