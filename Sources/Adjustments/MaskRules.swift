import RenderModel

/// What the parameters of one mask must be together.
enum MaskRules {
  /// nil when all is well.
  static func problem(of mask: FilterMask) -> FilterRules.Problem? {
    switch mask.kind {
    case "linearGradient":
      guard let from = mask.numbers("from"), let to = mask.numbers("to"), from.count == 2,
        to.count == 2, abs(from[0] - to[0]) < nearest, abs(from[1] - to[1]) < nearest
      else { return nil }
      return FilterRules.Problem(
        field: "to", text: "from and to are the same point; the gradient needs a direction")
    case "luminanceRange":
      guard let from = mask.number("from"), let to = mask.number("to"), from > to else {
        return nil
      }
      return FilterRules.Problem(
        field: "to",
        text: "to must not be below from: \(Wording.number(to)) is below \(Wording.number(from))")
    default: return nil
    }
  }

  /// Points nearer than this, in fractions, are the same.
  private static let nearest = 0.0001
}
