package import RenderModel

/// Point filters and two layouts compiled to one pass that touches each pixel once.
///
/// Safe to run on several threads at the same time; `run` allocates nothing.
package final class PixelPass: Sendable {
  private static let blockSize = 128

  private let source: PixelSource
  private let stages: [PixelStage]
  private let target: PixelTarget
  private let inputBytes: Int
  private let outputBytes: Int

  /// - Parameters:
  ///   - steps: Point filters of the catalogue; anything else is a programmer's error and traps.
  ///   - matte: The linear grey under a picture whose alpha the target cannot hold; 1 is white.
  package init(
    from source: PixelLayout, steps: [FilterStep], to target: PixelLayout, matte: Double = 1
  ) {
    let program = ColourProgram(from: source, steps: steps, to: target, matte: matte)
    let lowering = PixelLowering(program, from: source, to: target)
    self.source = lowering.reader
    stages = lowering.stages
    self.target = PixelTarget(target)
    inputBytes = source.bytesPerPixel
    outputBytes = target.bytesPerPixel
  }

  /// Whether a step can be part of a pass.
  package static func accepts(_ step: FilterStep) -> Bool { PointFilter(step) != nil }

  /// The two buffers must not overlap; they need no alignment.
  package func run(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, pixels: Int
  ) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: Self.blockSize) {
      scratch in
      var done = 0
      while done < pixels {
        let count = min(Self.blockSize, pixels - done)
        let block = unsafe UnsafeMutableBufferPointer(rebasing: scratch[..<count])
        unsafe source.read(input + done * inputBytes, into: block)
        for stage in stages { unsafe stage.apply(to: block) }
        unsafe target.write(block, to: output + done * outputBytes)
        done += count
      }
    }
  }
}
