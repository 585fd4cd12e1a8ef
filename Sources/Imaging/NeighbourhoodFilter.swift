import ColourEngine
import RenderModel

/// Filters that look at a pixel's surroundings, made ready for strips.
enum NeighbourhoodFilter {
  /// nil when there is no such filter, or a parameter is missing or out of range.
  static func make(_ placed: PlacedStep, _ context: StageContext) -> (any WindowFilter)? {
    switch placed.step.name {
    case "sharpen": Sharpening(placed.step, reduction: context.reduction)
    default: nil
    }
  }
}
