import RenderModel

extension FilterMeaning {
  /// Looks with a name; nil for all others.
  static func lookOperations(_ step: FilterStep) -> [ColourProgram.Operation]? { nil }
}
