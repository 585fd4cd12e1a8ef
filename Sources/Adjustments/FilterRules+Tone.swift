import RenderModel

extension FilterRules {
  /// What levels and curves need besides the ranges of their parameters; nil when all is well.
  static func toneProblem(_ step: FilterStep) -> Problem? {
    switch step.name {
    case "levels":
      if let black = step.number("black"), let white = step.number("white"),
        let text = distanceProblem(black, white)
      {
        return Problem(field: "white", text: text)
      }
      for name in ["red", "green", "blue"] {
        guard let five = step.numbers(name), let text = levelsProblem(five) else { continue }
        return Problem(field: name, text: "\(name): \(text)")
      }
    case "toneCurve":
      let names = ["points", "red", "green", "blue", "luminance"]
      if names.allSatisfy({ step.points($0) == nil }) {
        return Problem(field: "points", text: "points is missing, and so are all other curves")
      }
    default: break
    }
    return nil
  }

  private static func levelsProblem(_ five: [Double]) -> String? {
    guard five.count == 5 else { return "five numbers are wanted" }
    for (index, name) in [(0, "black"), (1, "white"), (3, "outputBlack"), (4, "outputWhite")]
    where !(0...1).contains(five[index]) {
      return "\(name) must be a number from 0 to 1"
    }
    if five[2] < 0.1 { return "gamma must be a number from 0.1 to 10" }
    return distanceProblem(five[0], five[1])
  }

  private static func distanceProblem(_ black: Double, _ white: Double) -> String? {
    // Decimal fractions such as 0.51 − 0.5 come out a little short.
    white - black >= 0.01 - 1e-9 ? nil : "white must lie at least 0.01 above black"
  }
}
