import ColourEngine
import RenderModel

/// A picture on its way through the stages: what has been applied, and the point filters that wait to
/// be fused with the pass that comes next.
struct PixelStages: ~Copyable {
  private var image: PipelineImage
  private var layout: PixelLayout
  private var waiting: [FilterStep] = []
  private let reduction: Int

  init(_ image: consuming PipelineImage, layout: PixelLayout, reduction: Int) {
    self.image = image
    self.layout = layout
    self.reduction = reduction
  }

  mutating func apply(_ stage: RenderGeometry.Stage) throws(LibraryError) {
    switch stage {
    case .point(let steps): waiting += steps
    // A cut moves no pixel, so it may come before the filters that wait.
    case .crop(let rect): image = try image.cropped(to: rect)
    case .turn(let degrees, let inside):
      try enterWorkingSpace()
      let turn = Straightening(input: image.size, output: inside, degrees: degrees)
      image = try image.filtered(by: turn, to: inside, tiles: true)
    case .neighbourhood(let step):
      guard let sharpening = Sharpening(step, reduction: reduction) else {
        throw LibraryError(text: "the filter \(step.name) has parameters out of range")
      }
      try enterWorkingSpace()
      image = try image.filtered(by: sharpening, to: image.size, tiles: false)
    }
  }

  /// One resampling in linear light with premultiplied alpha, and the part of it that is kept.
  mutating func resample(to size: PixelSize, part: PixelRect) throws(LibraryError) {
    if image.size != size {
      try enterWorkingSpace()
      let before = image.size
      let factors = Resampling.areaFactors(from: before, to: size, bands: image.bands)
      if factors.width > 1 || factors.height > 1 { image = try image.shrunk(by: factors) }
      let across = ResamplingAxis(
        input: image.size.width, length: Double(before.width) / Double(factors.width),
        output: size.width)
      let down = ResamplingAxis(
        input: image.size.height, length: Double(before.height) / Double(factors.height),
        output: size.height)
      image = try image.filtered(
        by: Resampling(across: across, down: down), to: size, tiles: false)
    }
    if part != .whole(size) { image = try image.cropped(to: part) }
  }

  /// Gives the samples that are to be encoded.
  consuming func encode(_ target: PixelLayout) throws(LibraryError) -> PipelineImage {
    try image.mapped(through: PixelPass(from: layout, steps: waiting, to: target), to: target)
  }

  private mutating func enterWorkingSpace() throws(LibraryError) {
    let working = layout.hasAlpha ? PixelLayout.workingWithAlpha : .working
    if layout == working && waiting.isEmpty { return }
    let pass = PixelPass(from: layout, steps: waiting, to: working)
    image = try image.mapped(through: pass, to: working)
    layout = working
    waiting = []
  }
}
