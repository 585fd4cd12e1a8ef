/// How much of a picture a filter must see for one pixel of its result.
package enum FilterKind: String, Hashable, Sendable, CaseIterable {
  /// The pixel itself.
  case point
  /// The pixels around it.
  case neighbourhood
  /// Pixels from elsewhere: it moves or cuts.
  case geometry
}
