import RenderModel

extension FilterMeaning {
  /// Filters that look at where a pixel lies; nil for all others.
  static func placeOperations(_ placed: PlacedStep) -> [ColourProgram.Operation]? { nil }
}
