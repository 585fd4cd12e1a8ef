/// What pixels are multiplied by, one factor for each, by way of memory.
///
/// Lanes that are taken out of a vector make the compiler work out the whole vector lane by lane.
enum PixelGains {
  /// Calls for room for a few factors more than there are pixels, and then multiplies.
  @inline(__always)
  static func multiply(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>,
    by fill: (UnsafeMutableBufferPointer<SIMD4<Float>>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: block.count / 4 + 1) {
      gains in
      unsafe gains.initialize(repeating: SIMD4(repeating: 1))
      unsafe fill(gains)
      unsafe gains.withMemoryRebound(to: Float.self) { factors in
        for index in block.indices {
          let factor = unsafe factors[index]
          unsafe block[index] *= SIMD4(factor, factor, factor, 1)
        }
      }
    }
  }

  /// Held to 0…1.
  @inline(__always)
  static func held(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let positive = value.replacing(with: SIMD4(), where: value .< 0)
    return positive.replacing(with: SIMD4(repeating: 1), where: positive .> 1)
  }
}
