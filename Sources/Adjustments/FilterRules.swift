import RenderModel

/// What the parameters of one filter must be together.
enum FilterRules {
  struct Problem {
    var field: String
    var text: String
  }

  /// nil when all is well.
  static func problem(of step: FilterStep) -> Problem? {
    geometryProblem(of: step) ?? toneProblem(step)
  }
}
