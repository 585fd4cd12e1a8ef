import ColourEngine
import RenderModel

/// A picture on its way through the stages: what has been applied, and the point filters that wait to
/// be fused with the pass that comes next.
struct PixelStages: ~Copyable {
  private(set) var image: PipelineImage
  private var layout: PixelLayout
  private var waiting: [PlacedStep] = []
  private let context: StageContext
  /// From a pixel's position to fractions of the whole picture as stored.
  private var toStored: Matrix3
  /// Whether filters that work down the picture lie between here and what is in memory.
  private var comesInRows = false
  /// Whether pixels are worked out in tiles, each from a part of the picture above.
  private var comesInTiles = false

  init(_ image: consuming PipelineImage, layout: PixelLayout, context: StageContext) {
    toStored = .scale(1 / Double(image.size.width), 1 / Double(image.size.height))
    self.image = image
    self.layout = layout
    self.context = context
  }

  /// `index`: the stage's among the geometry's stages.
  mutating func apply(_ stage: RenderGeometry.Stage, index: Int) throws(LibraryError) {
    switch stage {
    case .point(let step, let orientation): try wait(for: placed(step, orientation))
    case .local(let step, let orientation):
      var placed = placed(step, orientation)
      placed.analysis = context.analyses[index]
      try wait(for: placed)
    case .crop(let rect): try cut(rect)
    case .turn(let degrees, let inside):
      try enterMemory()
      let turn = Straightening(input: image.size, output: inside, degrees: degrees)
      image = try image.filtered(by: turn, to: inside, tiles: true)
      comesInTiles = true
      toStored = toStored * turn.toInput
    case .warp(let toFractions, let size):
      try enterMemory()
      let warp = Perspective(input: image.size, output: size, toFractions: toFractions)
      image = try image.filtered(by: warp, to: size, tiles: true)
      comesInTiles = true
      toStored = toStored * warp.toInput
    case .canvas(let canvas):
      try enterWorkingSpace()
      image = try image.filtered(
        by: CanvasFilter(canvas, over: image.size), to: canvas.size, tiles: false)
      let (left, top) = canvas.corner
      toStored = toStored * .translation(-Double(left), -Double(top))
    case .overlay(let step, let orientation): try lay(step, orientation)
    case .neighbourhood(let step, let orientation):
      guard let filter = NeighbourhoodFilter.make(placed(step, orientation), context) else {
        throw Self.invalid(step)
      }
      guard filter.reach > 0 else { return }
      try enterWorkingSpace()
      if comesInTiles {
        // Whole rows of what is turned need most of the picture each.
        image = try image.inMemory()
        comesInTiles = false
      }
      image = try image.filtered(by: filter)
      comesInRows = true
    }
  }

  /// One resampling in linear light with premultiplied alpha, and the part of it that is kept.
  mutating func resample(to size: PixelSize, part: PixelRect) throws(LibraryError) {
    if image.size != size {
      try enterWorkingSpace()
      image = try image.resampled(to: size)
      if part != .whole(size) { image = try image.cropped(to: part) }
    } else if part != .whole(size) {
      try cut(part)
    }
  }

  /// Gives the samples that are to be encoded.
  consuming func encode(
    _ target: PixelLayout, gamut: GamutMeter? = nil
  ) throws(LibraryError) -> PipelineImage {
    let pass = PixelPass(
      from: layout, placed: waiting, to: target, resources: context.resources, gamut: gamut)
    return try image.mapped(through: pass, to: target)
  }

  /// A cut moves no pixel, so it may come before the filters that wait.
  private mutating func cut(_ rect: PixelRect) throws(LibraryError) {
    image = try image.cropped(to: rect)
    let (left, top) = (Double(rect.left), Double(rect.top))
    waiting = waiting.map { $0.moved(left: left, top: top) }
    toStored = toStored * .translation(left, top)
  }

  private mutating func lay(_ step: FilterStep, _ orientation: Orientation) throws(LibraryError) {
    guard let picture = step.file("path").flatMap({ context.overlays[$0] }) else {
      throw Self.invalid(step)
    }
    guard let overlay = try picture.laid(step, on: image.size, pending: orientation) else { return }
    try enterWorkingSpace()
    image = try image.filtered(by: overlay, to: image.size, tiles: false)
  }

  private static func invalid(_ step: FilterStep) -> LibraryError {
    LibraryError(
      text: "the filter \(step.name) has parameters that are missing or out of range",
      isOfAdjustment: true)
  }

  private func placed(_ step: FilterStep, _ orientation: Orientation) -> PlacedStep {
    let (width, height) = (Double(image.size.width), Double(image.size.height))
    let reduction = Double(context.reduction)
    return PlacedStep(
      step, toPicture: orientation.displayedFractions * toStored,
      toExtent: .scale(1 / width, 1 / height), extent: [width * reduction, height * reduction])
  }

  private mutating func wait(for placed: PlacedStep) throws(LibraryError) {
    guard PixelPass.accepts(placed, context.resources) else { throw Self.invalid(placed.step) }
    waiting.append(placed)
  }

  /// What is to be turned is asked for in tiles, and rows would be worked out anew for each of them.
  private mutating func enterMemory() throws(LibraryError) {
    try enterWorkingSpace()
    guard comesInRows else { return }
    image = try image.inMemory()
    comesInRows = false
  }

  private mutating func enterWorkingSpace() throws(LibraryError) {
    let working = layout.hasAlpha ? PixelLayout.workingWithAlpha : .working
    if layout == working && waiting.isEmpty { return }
    let pass = PixelPass(
      from: layout, placed: waiting, to: working, resources: context.resources,
      precision: context.precision)
    image = try image.mapped(through: pass, to: working)
    layout = working
    waiting = []
  }
}
