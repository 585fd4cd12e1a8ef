/// A curve for each channel as equally spaced samples, joined by straight lines.
///
/// What lies outside the domain is moved to its edge.
struct TableCurves: Sendable {
  static let sizes = 2...65_536

  let size: Int
  /// Value at a sample and the step to the next, channel after channel.
  private let pieces: [SIMD2<Float>]
  private let lowest: SIMD4<Float>
  private let highest: SIMD4<Float>
  private let scale: SIMD4<Float>

  /// Samples of the three channels side by side; nil when there are too few or too many.
  init?(domain: TableDomain, samples: [SIMD4<Float>]) {
    guard Self.sizes.contains(samples.count) else { return nil }
    size = samples.count
    lowest = SIMD4(domain.lowest, 0)
    highest = SIMD4(domain.highest, 0)
    scale = SIMD4(domain.scale(points: samples.count), 0)
    pieces = (0..<3).flatMap { channel in
      zip(samples, samples.dropFirst()).map {
        SIMD2($0[channel], $1[channel] - $0[channel])
      }
    }
  }

  /// Changes the first three lanes of each pixel.
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    let lastPiece = SIMD4(repeating: Float(size - 2))
    let (lowest, highest, scale) = (lowest, highest, scale)
    unsafe pieces.withUnsafeBufferPointer { all in
      guard let red = all.baseAddress else { return }
      let green = unsafe red + (size - 1)
      let blue = unsafe green + (size - 1)
      for index in block.indices {
        let pixel = unsafe block[index]
        let position = (lesser(greater(pixel, lowest), highest) - lowest) * scale
        let whole = lesser(position - 0.5, lastPiece) + Rounding.anchor
        let fraction = position - (whole - Rounding.anchor)
        let places = unsafe unsafeBitCast(whole, to: SIMD2<UInt64>.self)
        let r = unsafe red[Int(truncatingIfNeeded: places[0] & 0xFFFF)]
        let g = unsafe green[Int(truncatingIfNeeded: places[0] >> 32 & 0xFFFF)]
        let b = unsafe blue[Int(truncatingIfNeeded: places[1] & 0xFFFF)]
        unsafe block[index] = SIMD4(
          r.x + r.y * fraction.x, g.x + g.y * fraction.y, b.x + b.y * fraction.z, pixel.w)
      }
    }
  }
}
