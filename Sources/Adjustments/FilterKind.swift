/// How much of a picture a filter must see for one pixel of its result.
package enum FilterKind: String, Hashable, Sendable, CaseIterable {
  /// The pixel itself.
  case point
  /// The pixel itself, and what the whole picture averaged down says of its surroundings.
  case local
  /// The pixels around it.
  case neighbourhood
  /// Pixels from elsewhere: it moves or cuts.
  case geometry
}
