internal import CPixelKernels

/// The beginning of a pass that reads bytes straight into planes.
struct PlanarOpening: Sendable {
  private let tables: ByteTables
  private let run: PlanarRun

  /// Takes the first stage away; nil when pixels are better read side by side.
  init?(_ source: PixelSource, _ stages: inout [PixelStage]) {
    guard case .tables(let tables) = source, tables.bands == 3,
      case .planar(let run) = stages.first
    else { return nil }
    self.tables = tables
    self.run = run
    stages.removeFirst()
  }

  func read(_ input: UnsafeRawPointer, into planes: ColourPlanes, pixels: Int) {
    unsafe tables.read(input, into: planes, pixels: pixels)
    run.apply(to: planes)
  }
}

/// The end of a pass that writes bytes straight from planes.
struct PlanarClosing: Sendable {
  private let run: PlanarRun

  /// Takes the last stage away, or ends an opening after which there is none.
  ///
  /// nil when pixels are better written from where they lie side by side.
  init?(_ target: PixelLayout, _ stages: inout [PixelStage], _ opening: PlanarOpening?) {
    guard target.sample == .uint8, target.bands == 3 else { return nil }
    if case .planar(let last) = stages.last {
      run = last
      stages.removeLast()
    } else if stages.isEmpty, opening != nil {
      run = PlanarRun([])
    } else {
      return nil
    }
  }

  func write(_ planes: ColourPlanes, to output: UnsafeMutableRawPointer, pixels: Int) {
    run.apply(to: planes)
    unsafe minilab_planes_write_bytes(
      planes.start, planes.groups, output.assumingMemoryBound(to: UInt8.self), pixels)
  }
}
