import ColourEngine
import RenderModel

/// Filters that look at a pixel's surroundings, made ready for rows.
enum NeighbourhoodFilter {
  /// nil when there is no such filter, or a parameter is missing or out of range.
  static func make(_ placed: PlacedStep, _ context: StageContext) -> (any RowFilter)? {
    guard let filter = whole(placed.step, context.reduction) else { return nil }
    if placed.step.mask == nil, placed.step.opacity >= 1 { return filter }
    return BlendedFilter(filter, placed, context.resources)
  }

  private static func whole(_ step: FilterStep, _ reduction: Int) -> (any RowFilter)? {
    switch step.name {
    case "sharpen": Sharpening(step, reduction: reduction)
    case "noiseReduction": NoiseReduction(step, reduction: reduction)
    case "blur": Blur(step, reduction: reduction)
    default: nil
    }
  }
}
