import Adjustments
import RenderModel

extension FilterMeaning {
  /// Looks with a name; nil for all others.
  static func lookOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    guard let recipe = LookRecipe.all[step.name], let amount = step.number("amount") else {
      return nil
    }
    if amount == 0 { return [] }
    let whole = operations(recipe, step.version < 2 ? .held : .openCorners)
    if amount == 1 { return whole }
    return [.blend(MaskedBlend(opacity: amount, mask: nil, operations: whole))]
  }

  private static func operations(
    _ recipe: LookRecipe, _ ends: MonotoneCurve.Ends
  ) -> [ColourProgram.Operation] {
    var operations: [ColourProgram.Operation] = []
    if let temperature = recipe.temperature {
      operations.append(.matrix(TemperatureTint.matrix(temperature: temperature, tint: 0)))
    }
    var inner: [ColourProgram.Operation] = []
    switch recipe.colour {
    case .saturation(let amount): inner.append(.matrix(saturation(amount)))
    case .grey(let red, let green, let blue):
      let weights: SIMD3<Double> = [red, green, blue]
      inner.append(.matrix(Matrix3(weights, weights, weights)))
    case .luminance: operations += linear(saturation(0))
    }
    if !recipe.curves.isEmpty {
      inner.append(
        .curves(
          recipe.curves.map { points in
            CurveChain([.tone(MonotoneCurve(points, ends: ends))])
          }))
    }
    return operations + encoded(inner)
  }
}
