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

  /// Tables for one run over many pixels: 0.1 to a few milliseconds.
  ///
  /// Steps must be ones that `accepts` takes; anything else traps. Where the target cannot hold the
  /// source's alpha, the picture is laid over an even ground of the linear grey `matte`.
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
