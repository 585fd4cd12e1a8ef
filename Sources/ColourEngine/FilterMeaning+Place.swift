import RenderModel

extension FilterMeaning {
  /// Filters that look at where a pixel lies; nil for all others.
  static func placeOperations(_ placed: PlacedStep) -> [ColourProgram.Operation]? {
    let step = placed.step
    switch step.name {
    case "vignette":
      guard let amount = step.number("amount"), let radius = step.number("radius"),
        let feather = step.number("feather"), let roundness = step.number("roundness"),
        roundness > 0
      else { return nil }
      if amount == 0 { return [] }
      return [
        .function(
          Vignette(
            amount: amount, radius: radius, feather: feather, roundness: roundness, in: placed))
      ]
    case "grain":
      guard let amount = step.number("amount"), let size = step.number("size"), size > 0,
        let roughness = step.number("roughness"), let seed = step.number("seed"),
        let whole = UInt32(exactly: seed)
      else { return nil }
      if amount == 0 { return [] }
      return [
        .function(
          Grain(amount: amount, size: size, roughness: roughness, seed: whole, in: placed))
      ]
    default: return nil
    }
  }
}
