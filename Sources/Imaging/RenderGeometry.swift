import Adjustments
package import ColourEngine
package import RenderModel

/// The filters of a plan as stages in the frame that the decoder gives, and what each rendition becomes.
///
/// Turns by quarters and mirrorings are exact, so they are gathered from EXIF and `orient` filters and
/// left for the end, where the picture is small; what comes before is mapped into the stored frame.
package struct RenderGeometry: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// A filter that looks at one pixel at a time, and how the picture lies when it is applied.
    case point(FilterStep, Orientation)
    /// A filter that looks at one pixel and at what the reduced picture says of its surroundings.
    case local(FilterStep, Orientation)
    case crop(PixelRect)
    /// Turned about the centre, clockwise in the stored frame, and cut to the size inside.
    case turn(degrees: Double, inside: PixelSize)
    /// A quadrilateral made a rectangle; from fractions of the result to fractions of what is there.
    case warp(Matrix3, to: PixelSize)
    case canvas(Canvas)
    /// Another picture laid over this one.
    case overlay(FilterStep, Orientation)
    /// Filters that look at a pixel's surroundings.
    case neighbourhood(FilterStep, Orientation)
  }

  /// One rendition, in the stored frame: resample, keep a part, apply `orientation`.
  package struct Output: Hashable, Sendable {
    package var resampled: PixelSize
    package var part: PixelRect
    /// As displayed.
    package var final: PixelSize
  }

  package internal(set) var stages: [Stage] = []
  package internal(set) var orientation: Orientation
  /// The size of the adjusted picture in the stored frame.
  package internal(set) var size: PixelSize
  package private(set) var outputs: [Output] = []

  /// How many stored pixels one decoded pixel stands for; 1 unless the decoder reduces.
  let reduction: Int
  /// The size that crops count in: that of the picture as it would be without the decoder's reduction.
  var fullSize: PixelSize

  /// `limits`: no filter may make the picture larger than they allow, or than it is stored.
  /// `reduction`: what the decoder divides both sides by, rounding down.
  package init(
    stored: PixelSize, orientation: Orientation, filters: [FilterStep], renditions: [Rendition],
    limits: RenderLimits = RenderLimits(), reduction: Int = 1
  ) throws(RenderFailure) {
    self.orientation = orientation
    self.reduction = max(1, reduction)
    fullSize = stored
    size = PixelSize(
      width: max(1, stored.width / self.reduction), height: max(1, stored.height / self.reduction))
    for step in filters {
      try add(step)
      try refuseIfTooLarge(after: step, max(limits.pixels, stored.pixels))
    }
    let displayed = self.orientation.displayed(fullSize)
    let displayedNow = self.orientation.displayed(size)
    outputs = renditions.map { rendition in
      var sizing = TargetSizing(of: displayed, for: rendition)
      if sizing.resampled == displayed, self.reduction > 1 {
        sizing.resampled = displayedNow
        sizing.final = PixelSize(
          width: min(sizing.final.width, displayedNow.width),
          height: min(sizing.final.height, displayedNow.height))
      }
      let storedSize = self.orientation.displayed(sizing.resampled)
      return Output(
        resampled: storedSize,
        part: self.orientation.stored(
          .centred(sizing.final, in: sizing.resampled), of: storedSize),
        final: sizing.final)
    }
  }

  /// Whether the whole picture must be at hand at once.
  package var needsRandomAccess: Bool {
    stages.contains {
      switch $0 {
      case .turn, .warp: true
      default: false
      }
    }
  }

  private mutating func add(_ step: FilterStep) throws(RenderFailure) {
    if FilterCatalogue.kind(of: step) == .geometry, step.name != "overlay",
      step.opacity != 1 || step.mask != nil
    {
      throw Self.invalid(step, "it can have neither opacity nor mask")
    }
    switch step.name {
    case "orient":
      guard let number = step.number("orientation"), let turn = Orientation(number) else {
        throw Self.invalid(step, "its orientation is not a number from 1 to 8")
      }
      orientation = orientation.then(turn)
    case "crop": try addCrop(step)
    case "straighten": try addTurn(step)
    case "flip": orientation = orientation.then(try Self.flip(step))
    case "perspective": try addWarp(step)
    case "pad": try addPad(step)
    case "border": try addBorder(step)
    case "overlay": try addOverlay(step)
    default:
      switch FilterCatalogue.kind(of: step) {
      case .point: stages.append(.point(step, orientation))
      case .local: stages.append(.local(step, orientation))
      case .neighbourhood: stages.append(.neighbourhood(step, orientation))
      case .geometry, nil: throw Self.invalid(step, "no such filter")
      }
    }
  }

  /// No library holds more on a side, and products of two of them do not overflow.
  private static let longestSide = 10_000_000

  private func refuseIfTooLarge(after step: FilterStep, _ limit: Int) throws(RenderFailure) {
    if fullSize.longestSide <= Self.longestSide, fullSize.pixels <= limit { return }
    let shown = orientation.displayed(fullSize)
    throw RenderFailure(
      code: .limitExceeded, stage: .filter,
      detail: "the filter \(step.name) would make \(shown.width) x \(shown.height) pixels, which "
        + "are more than the limit of \(limit) pixels (limits.pixels)")
  }

  private mutating func addCrop(_ step: FilterStep) throws(RenderFailure) {
    guard let crop = CropRequest(step) else {
      throw Self.invalid(step, "its numbers are missing or not finite")
    }
    let frame = crop.isStored ? Orientation.upright : orientation
    guard let shown = crop.rect(in: frame.displayed(fullSize)) else {
      throw Self.invalid(step, "nothing of the picture is left")
    }
    let full = frame.stored(shown, of: fullSize)
    let rect = full.reduced(by: reduction, within: size)
    fullSize = full.size
    if rect != .whole(size) { stages.append(.crop(rect)) }
    size = rect.size
  }

  private mutating func addTurn(_ step: FilterStep) throws(RenderFailure) {
    guard let degrees = step.number("degrees"), abs(degrees) <= 90 else {
      throw Self.invalid(step, "its angle is not a number from -90 to 90")
    }
    if degrees == 0 { return }
    fullSize = Straightening.inside(fullSize, degrees: degrees)
    size = Straightening.inside(size, degrees: degrees)
    stages.append(.turn(degrees: orientation.mirrors ? -degrees : degrees, inside: size))
  }

  static func invalid(_ step: FilterStep, _ reason: String) -> RenderFailure {
    RenderFailure(
      code: .invalidAdjustment, stage: .filter, detail: "the filter \(step.name): \(reason)")
  }
}

extension Orientation {
  fileprivate init?(_ number: Double) {
    guard let whole = Int(exactly: number) else { return nil }
    self.init(whole)
  }
}
