import RenderModel

extension FilterMeaning {
  /// Filters that look colours up in a file's table; nil for all others and when the file is missing.
  static func tableOperations(
    _ step: FilterStep, _ resources: FilterResources
  ) -> [ColourProgram.Operation]? { nil }
}

/// A table of colours over colours, as read from a file.
package final class ColourTable: Sendable {}
