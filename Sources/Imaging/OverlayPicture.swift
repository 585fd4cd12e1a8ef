import CImagingShim
import ColourEngine
import RenderModel

/// A decoded picture that is laid over others, as its file stores it.
final class OverlayPicture: Sendable {
  private let samples: [UInt8]
  private let stored: PixelSize
  private let layout: PixelLayout
  private let orientation: Orientation

  /// What is longer would become enormous where its short side is made as wide as a picture.
  private static let steepestAspect = 100

  /// As displayed.
  var size: PixelSize { orientation.displayed(stored) }

  /// `descriptor` stays the caller's; a damaged file is refused.
  init(descriptor: Int32, limits: RenderLimits) throws(RenderFailure) {
    let picture = try OpenedPicture.open(
      descriptor: descriptor, limits: limits, tolerant: false, rawSource: nil
    ).get()
    let (width, height) = (picture.header.width, picture.header.height)
    if max(width, height) > Self.steepestAspect * min(width, height) {
      throw RenderFailure(
        code: .invalidAdjustment, stage: .filter,
        detail: "one of its sides, \(width) and \(height) pixels, is more than "
          + "\(Self.steepestAspect) times the other")
    }
    let tap = DecodeTap()
    do throws(LibraryError) {
      let decoded = try picture.image(isStrict: true, reduction: 1).tapped(by: tap)
      samples = try picture.colour.prepare(decoded).samples()
      stored = decoded.size
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: picture.content.name, stage: .decode)
    }
    try picture.refuseDamage(true)
    layout = picture.colour.layout
    orientation = Orientation(picture.header.orientation) ?? .upright
  }

  /// Made ready for a picture that is turned at the very end by `pending`; nil when none of it is seen.
  ///
  /// `picture`: the size of the picture below, in the frame that it is stored in.
  func laid(
    _ step: FilterStep, on picture: PixelSize, pending: Orientation
  ) throws(LibraryError) -> Overlay? {
    guard let placement = OverlayPlacement(step) else { return nil }
    let shown = placement.rect(of: size, on: pending.displayed(picture))
    let place = pending.stored(shown, of: picture)
    guard let seen = place.intersection(.whole(picture)) else { return nil }
    let turn = orientation.then(pending.inverse)
    let working = try image().mapped(
      through: PixelPass(from: layout, steps: [], to: .workingWithAlpha), to: .workingWithAlpha)
    let upright = turn == .upright ? working : try working.oriented(turn)
    let part = PixelRect(
      left: seen.left - place.left, top: seen.top - place.top, width: seen.width,
      height: seen.height)
    let resampled = try upright.resampled(to: place.size).cropped(to: part)
    return Overlay(rect: seen, opacity: step.opacity, samples: try resampled.samples())
  }

  private func image() throws(LibraryError) -> PipelineImage {
    try PipelineImage(
      samples: samples, size: stored, bands: layout.bands, format: layout.sample.library)
  }
}

/// The overlays of a plan by the names of their files.
enum OverlayFiles {
  /// `descriptors`: one for each of the plan's resources, in order.
  static func read(
    _ plan: RenderPlan, _ descriptors: [Int32]
  ) throws(RenderFailure) -> [String: OverlayPicture] {
    var overlays: [String: OverlayPicture] = [:]
    for step in plan.filters where step.name == "overlay" && step.opacity > 0 {
      guard let name = step.file("path"), overlays[name] == nil else { continue }
      guard let index = plan.resources.firstIndex(of: name), index < descriptors.count else {
        throw RenderFailure(
          code: .internal, stage: .filter,
          detail: "the overlay \(DisplayText.escaped(name)) was not opened")
      }
      do throws(RenderFailure) {
        overlays[name] = try OverlayPicture(
          descriptor: descriptors[index], limits: plan.limits)
      } catch {
        throw RenderFailure(
          code: error.code == .internal ? .internal : .invalidAdjustment, stage: .filter,
          detail: "the overlay \(DisplayText.escaped(name)) cannot be used: \(error.detail)")
      }
    }
    return overlays
  }
}

extension Orientation {
  /// What undoes this one.
  var inverse: Orientation { Self.all.first { then($0) == .upright } ?? .upright }
}

extension PixelRect {
  /// nil when the two have nothing in common.
  func intersection(_ other: PixelRect) -> PixelRect? {
    let left = max(left, other.left)
    let top = max(top, other.top)
    let width = min(right, other.right) - left
    let height = min(bottom, other.bottom) - top
    if width <= 0 || height <= 0 { return nil }
    return PixelRect(left: left, top: top, width: width, height: height)
  }
}
