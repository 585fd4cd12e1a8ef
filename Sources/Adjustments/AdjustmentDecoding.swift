package import JSONText
package import RenderModel

/// The native record to a validated filter list; all problems at once.
package enum AdjustmentDecoding {
  package enum Result: Hashable, Sendable {
    case filters([FilterStep])
    /// Somebody else's format: its data was not looked at.
    case unknownFormat
    /// Our format, but the version of the whole or of a filter is not ours to render; which and why.
    case unknownVersion(String)
    case invalid([AdjustmentProblem])
  }

  package static let currentVersion = "1.0"
  package static let maximumFilters = 256

  /// `filters`: those that there are, in the current version of the format.
  package static func decode(
    identifier: String, version: String, data: JSONValue,
    filters: [FilterDescription] = FilterCatalogue.filters
  ) -> Result {
    switch reading(identifier: identifier, version: version, offset: data.offset) {
    case .refusal(let result): result
    case .migrations(let migrations): decode(data, migrations, filters)
    }
  }

  /// Parses the record's data when, and only when, the format and version are ours.
  package static func decode(record: AdjustmentRecord) -> Result {
    let reading = reading(
      identifier: record.formatIdentifier, version: record.formatVersion, offset: 0)
    let migrations: ArraySlice<Migration>
    switch reading {
    case .refusal(let result): return result
    case .migrations(let path): migrations = path
    }
    do throws(JSONParser.SyntaxError) {
      return decode(
        try JSONParser.parse(record.data).value, migrations, FilterCatalogue.filters)
    } catch {
      return .invalid([
        AdjustmentProblem(offset: error.offset, field: "", message: error.message)
      ])
    }
  }

  /// Data of an older version as that of the current one; nil when it is not valid in its own.
  package static func migrated(_ data: JSONValue, from version: FormatVersion) -> JSONValue? {
    guard let migrations = Migration.path(from: version) else { return nil }
    var data = data
    for migration in migrations {
      if problem(in: data, migration.form) != nil { return nil }
      data = migration.migrate(data)
    }
    return data
  }

  private static func decode(
    _ data: JSONValue, _ migrations: ArraySlice<Migration>, _ filters: [FilterDescription]
  ) -> Result {
    var data = data
    for migration in migrations {
      if let problem = problem(in: data, migration.form) { return problem }
      data = migration.migrate(data)
    }
    var decoder = FilterListDecoder(form: .current(filters))
    let steps = decoder.decode(data)
    return refusal(of: decoder) ?? .filters(steps)
  }

  private static func problem(in data: JSONValue, _ form: RecordForm) -> Result? {
    var decoder = FilterListDecoder(form: form)
    _ = decoder.decode(data)
    return refusal(of: decoder)
  }

  /// A version that is not known comes first: what else looks wrong may be right in it.
  private static func refusal(of decoder: FilterListDecoder) -> Result? {
    if let words = decoder.unknownVersion { return .unknownVersion(words) }
    return decoder.problems.isEmpty ? nil : .invalid(decoder.problems)
  }

  private enum Reading {
    case refusal(Result)
    case migrations(ArraySlice<Migration>)
  }

  /// Whether, and by which way, the data may be read.
  private static func reading(identifier: String, version: String, offset: Int) -> Reading {
    guard identifier == AdjustmentRecord.nativeIdentifier else { return .refusal(.unknownFormat) }
    guard let parsed = FormatVersion(version) else {
      let shown = Wording.quoted(version)
      return .refusal(
        .invalid([
          AdjustmentProblem(
            offset: offset, field: "formatVersion",
            message: "\(shown) is no version; numbers with dots are wanted, such as 1.0")
        ]))
    }
    if let path = Migration.path(from: parsed) { return .migrations(path) }
    let state =
      parsed > .current ? "is newer than this program knows" : "is older than this program can read"
    return .refusal(
      .unknownVersion("version \(version) of \(AdjustmentRecord.nativeIdentifier) \(state)"))
  }
}
