import RenderModel

extension FilterMeaning {
  /// Filters that follow what was found in the reduced picture; nil for all others, and before it was.
  static func localOperations(_ placed: PlacedStep) -> [ColourProgram.Operation]? {
    guard let meaning = LocalMeaning(placed.step) else { return nil }
    if meaning.isIdentity { return [] }
    guard let analysis = placed.analysis else { return nil }
    let lookup = CoefficientLookup(analysis, toExtent: placed.toExtent)
    switch meaning {
    case .highlightsShadows(let highlights, let shadows):
      return [
        .function(ToneFunction(lookup, highlights: highlights, shadows: shadows))
      ]
    case .localContrast(let amount, _):
      return [.function(DetailFunction(lookup, amount: amount))]
    case .dehaze(let amount):
      return [
        .function(HazeFunction(lookup: lookup, amount: amount, airLight: analysis.airLight))
      ]
    }
  }
}
