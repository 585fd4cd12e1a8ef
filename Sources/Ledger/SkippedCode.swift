/// What a `skipped` report says beyond its state.
package enum SkippedCode: String, Sendable, CaseIterable {
  /// Outputs that no job makes any more were removed: `renditions` and `reportFile` name them.
  case pruned
}
