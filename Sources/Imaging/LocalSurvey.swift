import ColourEngine
import Glibc
import RenderModel

/// What the local filters of a plan learn from the picture averaged down, as it is at each of them.
///
/// The stages are replayed on the small picture. Filters of a pixel's surroundings other than blur
/// leave it as it is.
struct LocalSurvey {
  private let geometry: RenderGeometry
  private let context: StageContext
  private let firstLocal: Int
  private let lastLocal: Int

  /// nil when no filter is a local one.
  init?(_ geometry: RenderGeometry, _ context: StageContext) {
    let locals = geometry.stages.indices.filter { geometry.stages[$0].asksForAnalysis }
    guard let first = locals.first, let last = locals.last else { return nil }
    self.geometry = geometry
    self.context = context
    firstLocal = first
    lastLocal = last
  }

  /// The part of the decoded picture that is averaged down: crops before the first local filter are
  /// taken ahead where nothing between them moves pixels.
  func part(of size: PixelSize) -> PixelRect {
    var part = PixelRect.whole(size)
    for stage in geometry.stages[..<cutsEnd] {
      guard case .crop(let rect) = stage else { continue }
      part = PixelRect(
        left: part.left + rect.left, top: part.top + rect.top, width: rect.width,
        height: rect.height)
    }
    return part
  }

  /// The first stage before which crops need not be replayed.
  private var cutsEnd: Int {
    geometry.stages[..<firstLocal].firstIndex { !$0.isPlainOrCrop } ?? firstLocal
  }

  /// By the index of the stage; `reduced` shows the part of a decoded picture of that size.
  func analyses(_ reduced: ReducedPicture, decoded size: PixelSize) -> [Int: LocalAnalysis] {
    var replay = StageReplay(reduced, part: part(of: size), of: size, context)
    var analyses: [Int: LocalAnalysis] = [:]
    for index in 0...lastLocal {
      switch geometry.stages[index] {
      case .point(let step, let orientation): replay.add(step, orientation)
      case .local(let step, let orientation):
        analyses[index] = replay.analysis(of: step)
        replay.add(step, orientation, analyses[index])
      case .crop(let rect):
        let toInput = Matrix3.translation(Double(rect.left), Double(rect.top))
        if index < cutsEnd {
          replay.recount(toInput, size: rect.size)
        } else {
          replay.resample(toInput, size: rect.size)
        }
      case .turn(let degrees, let inside):
        let turn = Straightening(input: replay.size, output: inside, degrees: degrees)
        replay.resample(turn.toInput, size: inside)
      case .warp(let fractions, let size):
        let warp = Perspective(input: replay.size, output: size, toFractions: fractions)
        replay.resample(warp.toInput, size: size)
      case .canvas(let canvas):
        let (left, top) = canvas.corner
        replay.resample(
          .translation(-Double(left), -Double(top)), size: canvas.size)
      case .neighbourhood(let step, _): replay.blur(step)
      // What is laid over a picture says nothing of its light.
      case .overlay: break
      }
    }
    return analyses
  }
}

extension RenderGeometry.Stage {
  /// Whether it is a local filter that does anything.
  fileprivate var asksForAnalysis: Bool {
    guard case .local(let step, _) = self else { return false }
    return LocalAnalysis.isNeeded(by: step)
  }

  fileprivate var isPlainOrCrop: Bool {
    switch self {
    case .point, .local, .crop: true
    default: false
    }
  }
}

/// The small picture on its way through the stages.
private struct StageReplay {
  private static let layout = PixelLayout(
    sample: .float32, bands: 4, alpha: .straight, space: .working)

  private let context: StageContext
  private var picture: ReducedPicture
  private var waiting: [PlacedStep] = []
  /// Of the picture at this stage, in decoded pixels.
  private(set) var size: PixelSize
  /// From a position in the small picture to the one in the picture at this stage.
  private var toStage: Matrix3
  /// From a position in the picture at this stage to fractions of the whole picture as stored.
  private var toStored: Matrix3

  init(
    _ picture: ReducedPicture, part: PixelRect, of size: PixelSize, _ context: StageContext
  ) {
    self.picture = picture
    self.size = size
    self.context = context
    toStored = .scale(1 / Double(size.width), 1 / Double(size.height))
    toStage =
      .translation(Double(part.left), Double(part.top))
      * .scale(
        Double(part.width) / Double(picture.width), Double(part.height) / Double(picture.height))
  }

  mutating func add(
    _ step: FilterStep, _ orientation: Orientation, _ analysis: LocalAnalysis? = nil
  ) {
    let (width, height) = (Double(size.width), Double(size.height))
    let reduction = Double(context.reduction)
    let placed = PlacedStep(
      step, toPicture: orientation.displayedFractions * toStored * toStage,
      toExtent: .scale(1 / width, 1 / height) * toStage,
      extent: [width * reduction, height * reduction], analysis: analysis)
    // What is not accepted fails the render itself, with its reason.
    if PixelPass.accepts(placed, context.resources) { waiting.append(placed) }
  }

  mutating func analysis(of step: FilterStep) -> LocalAnalysis? {
    run()
    return LocalAnalysis.of(step, picture)
  }

  /// The picture has become a part of what it was, and the small one shows just that part already.
  mutating func recount(_ toInput: Matrix3, size: PixelSize) {
    toStage = .translation(-toInput.column(2).x, -toInput.column(2).y) * toStage
    toStored = toStored * toInput
    self.size = size
  }

  /// The picture has become another, whose positions lie where the map says in what it was.
  mutating func resample(_ toInput: Matrix3, size: PixelSize) {
    run()
    let sides = ReducedPicture.sides(
      Self.scaled(picture.width, size.width, self.size.width),
      Self.scaled(picture.height, size.height, self.size.height))
    let toOutput = Matrix3.scale(
      Double(size.width) / Double(sides.width), Double(size.height) / Double(sides.height))
    if let back = toStage.inverse {
      picture = picture.resampled(
        width: sides.width, height: sides.height, through: back * toInput * toOutput)
    }
    toStored = toStored * toInput
    toStage = .scale(
      Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height))
    self.size = size
  }

  mutating func blur(_ step: FilterStep) {
    guard step.name == "blur", let radius = step.number("radius"), radius > 0 else { return }
    run()
    let scale = Double(picture.width) / Double(size.width * context.reduction)
    picture = picture.blurred(sigma: radius * scale) { exp(-$0 * $0 / 2) }
  }

  private static func scaled(_ small: Int, _ new: Int, _ old: Int) -> Int {
    max(1, Int((Double(small) * Double(new) / Double(old)).rounded()))
  }

  private mutating func run() {
    guard !waiting.isEmpty else { return }
    let pass = PixelPass(
      from: Self.layout, placed: waiting, to: Self.layout, resources: context.resources)
    waiting = []
    let before = picture.pixels
    unsafe before.withUnsafeBytes { input in
      unsafe picture.pixels.withUnsafeMutableBytes { output in
        guard let input = input.baseAddress, let output = output.baseAddress else { return }
        let stride = picture.width * MemoryLayout<SIMD4<Float>>.stride
        for row in 0..<picture.height {
          unsafe pass.run(
            input + row * stride, output + row * stride, pixels: picture.width,
            at: PixelPlace(column: 0, row: row))
        }
      }
    }
  }
}

extension RenderWork {
  /// From a decode of its own, which fails as that of the render would.
  func surveyFromSource() throws(RenderFailure) -> [Int: LocalAnalysis] {
    guard LocalSurvey(geometry, context) != nil else { return [:] }
    let tap = DecodeTap()
    let analyses = try survey(try load(tap), tap)
    // The decoder is gone and has said all it has to say.
    try picture.refuseDamage(isStrict)
    LibraryMessages.clear()
    return analyses
  }

  func survey(
    _ decoded: borrowing PipelineImage, _ tap: borrowing DecodeTap
  ) throws(RenderFailure) -> [Int: LocalAnalysis] {
    guard let survey = LocalSurvey(geometry, context) else { return [:] }
    do throws(LibraryError) {
      let part = survey.part(of: decoded.size)
      let prepared = try picture.colour.prepare(decoded)
      let shown = part == .whole(decoded.size) ? prepared : try prepared.cropped(to: part)
      return survey.analyses(
        try shown.reduced(from: picture.colour.layout), decoded: decoded.size)
    } catch {
      throw failure(error, tap, .filter)
    }
  }
}
