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
  /// `rows`: 2 · reach + 1 of them; `count`: floats, of which up to 15 more may be written and read.
  func sum(
    _ rows: UnsafePointer<UnsafePointer<Float>>, count: Int, into sum: UnsafeMutablePointer<Float>
  ) {
    let reach = reach
    unsafe weights.withUnsafeBufferPointer { weights in
      var x = 0
      while x < count {
        let middle = unsafe UnsafeRawPointer(rows[reach] + x)
        let own = unsafe weights[0]
        var a = unsafe own * middle.loadUnaligned(as: SIMD4<Float>.self)
        var b = unsafe own * middle.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
        var c = unsafe own * middle.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self)
        var d = unsafe own * middle.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self)
        var step = 1
        while step <= reach {
          let weight = unsafe weights[step]
          let low = unsafe UnsafeRawPointer(rows[reach - step] + x)
          let high = unsafe UnsafeRawPointer(rows[reach + step] + x)
          unsafe a +=
            weight
            * (low.loadUnaligned(as: SIMD4<Float>.self)
              + high.loadUnaligned(as: SIMD4<Float>.self))
          unsafe b +=
            weight
            * (low.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
              + high.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self))
          unsafe c +=
            weight
            * (low.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self)
              + high.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self))
          unsafe d +=
            weight
            * (low.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self)
              + high.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self))
          step += 1
        }
        let target = unsafe UnsafeMutableRawPointer(sum + x)
        unsafe target.storeBytes(of: a, as: SIMD4<Float>.self)
        unsafe target.storeBytes(of: b, toByteOffset: 16, as: SIMD4<Float>.self)
        unsafe target.storeBytes(of: c, toByteOffset: 32, as: SIMD4<Float>.self)
        unsafe target.storeBytes(of: d, toByteOffset: 48, as: SIMD4<Float>.self)
        x += 16
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
