import RenderModel

/// What the parameters of one filter must be together.
enum FilterRules {
  struct Problem {
    var field: String
    var text: String
  }

  /// nil when all is well.
  static func problem(of step: FilterStep) -> Problem? {
    geometryProblem(of: step)
  }

  static func cropProblem(_ step: FilterStep) -> Problem? {
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
