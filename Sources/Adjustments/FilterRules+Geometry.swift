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

  private static func cropProblem(_ step: FilterStep) -> Problem? {
    let isFraction = step.text("unit") == "fraction"
    for (origin, size) in [("x", "width"), ("y", "height")] {
      guard let start = step.number(origin), let length = step.number(size) else { continue }
      if length <= 0 { return Problem(field: size, text: "\(size) must be more than 0") }
      if isFraction {
        // What is written with few digits may add up to a little more than 1.
        if start + length > 1 + 1e-6 {
          let sum = Wording.number(start + length)
          return Problem(
            field: size,
            text: "\(origin) and \(size) must not add up to more than 1, the whole side; "
              + "they give \(sum) (for pixels set unit to pixel)")
        }
      } else {
        for (name, value) in [(origin, start), (size, length)]
        where value != Double(Int(value)) {
          return Problem(field: name, text: "\(name) must be a whole number of pixels")
        }
      }
    }
    return nil
  }
}
