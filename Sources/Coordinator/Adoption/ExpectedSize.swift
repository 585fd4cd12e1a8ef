import Adjustments
import RenderModel

/// The size that a job gives a rendition, as far as it follows from the original's header.
enum ExpectedSize: Hashable {
  case known(RenditionSizing.Sides)
  /// This filter decides it, and only the worker knows how.
  case unknown(filter: String)

  static func of(
    _ rendition: Rendition, header: AssetHeader, filters: [FilterStep]
  ) -> ExpectedSize {
    var stored = RenditionSizing.Sides(width: max(1, header.width), height: max(1, header.height))
    var isTurned = header.orientation >= 5
    for step in filters where FilterCatalogue.kind(of: step) == .geometry {
      switch step.name {
      case "flip", "overlay": break
      case "orient": if (step.number("orientation") ?? 1) >= 5 { isTurned.toggle() }
      case "straighten" where step.number("degrees") == 0: break
      case "crop":
        guard let cropped = cropped(stored, isTurned: isTurned, by: step) else {
          return .unknown(filter: step.name)
        }
        stored = cropped
      default: return .unknown(filter: step.name)
      }
    }
    return .known(
      RenditionSizing(of: isTurned ? stored.swapped : stored, for: rendition).final)
  }

  /// In the stored frame; nil when the crop is none.
  private static func cropped(
    _ stored: RenditionSizing.Sides, isTurned: Bool, by step: FilterStep
  ) -> RenditionSizing.Sides? {
    guard let x = step.number("x"), let y = step.number("y"), let width = step.number("width"),
      let height = step.number("height"), [x, y, width, height].allSatisfy(\.isFinite)
    else { return nil }
    let isSwapped = isTurned && step.text("frame") != "stored"
    let frame = isSwapped ? stored.swapped : stored
    let isPixels = step.text("unit") == "pixel"
    guard
      let across = CropSpan.pixels(
        from: x, length: width, unit: isPixels ? 1 : frame.width, within: frame.width),
      let down = CropSpan.pixels(
        from: y, length: height, unit: isPixels ? 1 : frame.height, within: frame.height)
    else { return nil }
    let cropped = RenditionSizing.Sides(width: across.count, height: down.count)
    return isSwapped ? cropped.swapped : cropped
  }

  /// Whether a size is the one that is wanted; where that is not known, whether it is within bounds.
  func admits(_ sides: RenditionSizing.Sides, for rendition: Rendition) -> Bool {
    switch self {
    case .known(let wanted): return sides == wanted
    case .unknown:
      guard let box = rendition.targetSize else { return true }
      return (box.width == 0 || sides.width <= box.width)
        && (box.height == 0 || sides.height <= box.height)
    }
  }
}

extension RenditionSizing.Sides {
  fileprivate var swapped: Self { Self(width: height, height: width) }

  init(_ header: AssetHeader) {
    let shown = header.displayedSize
    self.init(width: shown.width, height: shown.height)
  }
}
