import JSONText

/// The way from one format version to the next: a check, and a pure function of the record's data.
struct Migration: Sendable {
  var from: FormatVersion
  /// How the older version writes its list; checked before anything is changed.
  var form: RecordForm
  /// Data of the older version that has passed the check, as data of the next.
  ///
  /// Values keep their places in the text, so that problems can still be shown there.
  var migrate: @Sendable (JSONValue) -> JSONValue

  /// In order; the last one leads to the current version.
  static let all = [zeroNine]

  /// Those that lead from a version to the current one; nil when it is not a version to begin at.
  static func path(from version: FormatVersion) -> ArraySlice<Migration>? {
    if version == .current { return [] }
    return all.firstIndex { $0.from == version }.map { all[$0...] }
  }
}
