package import RenderModel

/// Point filters and two layouts compiled to one pass that touches each pixel once.
///
/// Safe to run on several threads at the same time; `run` allocates nothing.
package final class PixelPass: Sendable {
  private static let blockSize = 256

  private let source: PixelSource
  /// Instead of the source, where the first stage acts on planes.
  private let opening: PlanarOpening?
  private let stages: [PixelStage]
  /// Instead of the target, where the last stage acts on planes.
  private let closing: PlanarClosing?
  private let target: PixelTarget
  private let inputBytes: Int
  private let outputBytes: Int

  /// Tables for one run over many pixels: 0.1 to a few milliseconds.
  ///
  /// Steps must be ones that `accepts` takes; anything else traps. Where the target cannot hold the
  /// source's alpha, the picture is laid over an even ground of the linear grey `matte`.
  /// `precision`: nil for what the target's samples hold. `gamut` counts colours of an RGB target.
  package init(
    from source: PixelLayout, placed steps: [PlacedStep], to target: PixelLayout,
    matte: Double = 1, resources: FilterResources = .none, precision: PixelPrecision? = nil,
    gamut: GamutMeter? = nil
  ) {
    let program = ColourProgram(
      from: source, steps: steps, to: target, matte: matte, resources: resources,
      gamut: gamut)
    let lowering = PixelLowering(
      program, from: source, to: target,
      precision ?? (target.sample == .uint8 ? .eightBits : .full))
    self.source = lowering.reader
    var stages = lowering.stages
    opening = PlanarOpening(lowering.reader, &stages)
    closing = PlanarClosing(target, &stages, opening)
    self.stages = stages
    self.target = PixelTarget(target)
    inputBytes = source.bytesPerPixel
    outputBytes = target.bytesPerPixel
  }

  /// The same for filters to which it does not matter where a pixel lies.
  package convenience init(
    from source: PixelLayout, steps: [FilterStep], to target: PixelLayout, matte: Double = 1
  ) {
    self.init(from: source, placed: steps.map { PlacedStep($0) }, to: target, matte: matte)
  }

  /// Whether a step can be part of a pass.
  package static func accepts(_ step: FilterStep) -> Bool { accepts(PlacedStep(step), .none) }

  /// The same with all that is known of its place and files.
  package static func accepts(_ placed: PlacedStep, _ resources: FilterResources) -> Bool {
    FilterMeaning.operations(of: placed, resources) != nil
  }

  /// The two buffers must not overlap; they need no alignment.
  ///
  /// The pixels lie in one row, the first at `place`.
  package func run(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, pixels: Int,
    at place: PixelPlace = .origin
  ) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: Self.blockSize) {
      scratch in
      unsafe ColourPlanes.withGroups(3 * Self.blockSize / 8) { room in
        var done = 0
        while done < pixels {
          let count = min(Self.blockSize, pixels - done)
          let block = unsafe UnsafeMutableBufferPointer(rebasing: scratch[..<count])
          let planes = unsafe ColourPlanes(
            start: room, groups: (count + 7) / 8, pixels: count)
          let here = PixelPlace(column: place.column + done, row: place.row)
          unsafe run(
            input + done * inputBytes, output + done * outputBytes, block, planes, at: here)
          done += count
        }
      }
    }
  }

  /// One block; where all is done on planes, pixels never lie side by side.
  private func run(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, _ planes: ColourPlanes,
    at place: PixelPlace
  ) {
    let isPlanar = opening != nil && closing != nil && stages.isEmpty
    if let opening {
      unsafe opening.read(input, into: planes, pixels: block.count)
      if !isPlanar {
        unsafe block.update(repeating: Self.opaque)
        unsafe planes.write(block)
      }
    } else {
      unsafe source.read(input, into: block)
    }
    for stage in stages { unsafe stage.apply(to: block, at: place) }
    if let closing {
      if !isPlanar { unsafe planes.read(block) }
      unsafe closing.write(planes, to: output, pixels: block.count)
    } else {
      unsafe target.write(block, to: output)
    }
  }

  private static let opaque = SIMD4<Float>(0, 0, 0, 1)
}
