import RenderModel

/// Masks of a record made ready for pixels.
enum CompiledMask {
  /// nil when the kind is unknown, or a parameter or a file is missing.
  static func make(
    _ mask: FilterMask, _ placed: PlacedStep, _ resources: FilterResources
  ) -> (any MaskFunction)? { nil }
}
