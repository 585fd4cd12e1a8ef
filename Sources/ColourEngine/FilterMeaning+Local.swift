import RenderModel

extension FilterMeaning {
  /// Filters that follow what was found in the reduced picture; nil for all others, and before it was.
  static func localOperations(_ placed: PlacedStep) -> [ColourProgram.Operation]? { nil }
}
