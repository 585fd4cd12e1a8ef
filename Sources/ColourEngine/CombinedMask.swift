/// 1 where the mask inside is 0.
struct InvertedMask: MaskFunction {
  var inner: any MaskFunction

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe inner.weigh(block, at: place, into: weights)
    for index in weights.indices { unsafe weights[index] = 1 - weights[index] }
  }
}

/// Masks put together as fuzzy sets (L. A. Zadeh 1965).
struct CombinedMask: MaskFunction {
  enum Operation: String, Sendable {
    /// The largest weight.
    case union
    /// The smallest weight.
    case intersect
    /// The first, where none of the others is.
    case subtract
  }

  var operation: Operation
  /// At least one.
  var parts: [any MaskFunction]

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe parts[0].weigh(block, at: place, into: weights)
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: weights.count) { others in
      for part in parts.dropFirst() {
        unsafe part.weigh(block, at: place, into: others)
        for index in weights.indices {
          let (weight, other) = unsafe (weights[index], others[index])
          unsafe weights[index] =
            switch operation {
            case .union: max(weight, other)
            case .intersect: min(weight, other)
            case .subtract: min(weight, 1 - other)
            }
        }
      }
    }
  }
}
