import ColourEngine
import Glibc

/// A symmetric kernel from its middle outwards; all weights together are 1.
struct SymmetricKernel: Hashable, Sendable {
  let weights: [Float]

  var reach: Int { weights.count - 1 }

  init(_ raw: [Double]) {
    let sum = (raw.first ?? 1) + 2 * raw.dropFirst().reduce(0, +)
    weights = raw.map { Float($0 / sum) }
  }

  /// A Gaussian to three sigma, rounded to whole pixels.
  static func gaussian(sigma: Double) -> SymmetricKernel {
    let reach = Int(3 * sigma + 0.5)
    return SymmetricKernel((0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) })
  }

  /// The weighted sum of rows that lie around the middle one.
  ///
  /// `rows`: 2 · reach + 1 of them; `count`: floats, of which up to 31 more may be written and read.
  func sum(
    _ rows: UnsafePointer<UnsafePointer<Float>>, count: Int, into sum: UnsafeMutablePointer<Float>
  ) {
    let reach = reach
    unsafe weights.withUnsafeBufferPointer { weights in
      var x = 0
      while x < count {
        let middle = unsafe rows[reach]
        let own = unsafe SIMD8(repeating: weights[0])
        var a = unsafe SIMD8(middle, x) * own
        var b = unsafe SIMD8(middle, x &+ 8) * own
        var c = unsafe SIMD8(middle, x &+ 16) * own
        var d = unsafe SIMD8(middle, x &+ 24) * own
        var step = 1
        while step <= reach {
          let weight = unsafe SIMD8(repeating: weights[step])
          let (low, high) = unsafe (rows[reach &- step], rows[reach &+ step])
          a = unsafe a.adding(SIMD8(low, x) + SIMD8(high, x), times: weight)
          b = unsafe b.adding(SIMD8(low, x &+ 8) + SIMD8(high, x &+ 8), times: weight)
          c = unsafe c.adding(SIMD8(low, x &+ 16) + SIMD8(high, x &+ 16), times: weight)
          d = unsafe d.adding(SIMD8(low, x &+ 24) + SIMD8(high, x &+ 24), times: weight)
          step &+= 1
        }
        unsafe a.store(sum, x)
        unsafe b.store(sum, x &+ 8)
        unsafe c.store(sum, x &+ 16)
        unsafe d.store(sum, x &+ 24)
        x &+= 32
      }
    }
  }
}

/// Pointers to rows around a middle one, for a kernel.
@safe
final class RowPointers {
  let start: UnsafeMutablePointer<UnsafePointer<Float>>

  init(count: Int, from store: FloatStore) {
    unsafe start = .allocate(capacity: count)
    unsafe start.initialize(repeating: UnsafePointer(store.start), count: count)
  }

  deinit { unsafe start.deallocate() }
}
