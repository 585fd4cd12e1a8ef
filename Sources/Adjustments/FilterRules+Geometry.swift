import RenderModel

extension FilterRules {
  /// nil when all is well, or the step is no geometry filter.
  static func geometryProblem(of step: FilterStep) -> Problem? {
    guard FilterCatalogue.kind(of: step) == .geometry else { return nil }
    if let problem = blendProblem(step) { return problem }
    switch step.name {
    case "crop": return cropProblem(step)
    case "perspective":
      return PerspectiveCorners(step)?.problem.map { Problem(field: $0.corner, text: $0.text) }
    case "pad":
      guard let aspect = step.number("aspect"), aspect > 0, aspect < 0.01 else { return nil }
      return Problem(
        field: "aspect", text: "aspect must be 0, which leaves it, or from 0.01 to 100")
    default: return nil
    }
  }

  /// A pixel that has moved cannot be mixed with the one that was there before.
  private static func blendProblem(_ step: FilterStep) -> Problem? {
    if step.mask != nil {
      return Problem(
        field: "mask", text: "\(step.name) is a geometry filter, which cannot have a mask")
    }
    if step.opacity != 1, step.name != "overlay" {
      return Problem(
        field: "opacity",
        text: "\(step.name) is a geometry filter, which cannot have an opacity; only overlay can")
    }
    return nil
  }
}
