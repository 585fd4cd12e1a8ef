internal import CPixelKernels

/// A curve for each channel as equally spaced samples, joined by straight lines.
///
/// What lies outside the domain is moved to its edge.
struct TableCurves: Sendable {
  static let sizes = 2...65_536

  let size: Int
  /// Value at a sample and the step to the next, channel after channel.
  private let pieces: [SIMD2<Float>]
  private let domain: TableDomain

  /// Samples of the three channels side by side; nil when there are too few or too many.
  init?(domain: TableDomain, samples: [SIMD4<Float>]) {
    guard Self.sizes.contains(samples.count) else { return nil }
    size = samples.count
    self.domain = domain
    pieces = (0..<3).flatMap { channel in
      zip(samples, samples.dropFirst()).map {
        SIMD2($0[channel], $1[channel] - $0[channel])
      }
    }
  }

  func apply(to planes: ColourPlanes) {
    let scale = domain.scale(points: size)
    unsafe pieces.withUnsafeBufferPointer { all in
      unsafe all.withMemoryRebound(to: Float.self) { all in
        guard let start = all.baseAddress else { return }
        for channel in 0..<3 {
          var samples = MinilabSamples(
            lowest: domain.lowest[channel], highest: domain.highest[channel],
            scale: scale[channel], count: Int32(size))
          unsafe minilab_values_interpolate(
            planes.plane(channel), planes.groups, start + 2 * channel * (size - 1), &samples)
        }
      }
    }
  }
}
