package import JSONText
package import RenderModel

/// The native record to a validated filter list; all problems at once.
package enum AdjustmentDecoding {
  package enum Result: Hashable, Sendable {
    case filters([FilterStep])
    /// Somebody else's format: its data was not looked at.
    case unknownFormat
    /// Our format in a version that is not ours to read.
    case unknownVersion(String)
    case invalid([AdjustmentProblem])
  }

  package static let currentVersion = "1.0"
  package static let maximumFilters = 256

  package static func decode(identifier: String, version: String, data: JSONValue) -> Result {
    if let answer = refusal(identifier: identifier, version: version, offset: data.offset) {
      return answer
    }
    var decoder = FilterListDecoder()
    let steps = decoder.decode(data)
    return decoder.problems.isEmpty ? .filters(steps) : .invalid(decoder.problems)
  }

  /// Parses the record's data when, and only when, the format and version are ours.
  package static func decode(record: AdjustmentRecord) -> Result {
    if let answer = refusal(
      identifier: record.formatIdentifier, version: record.formatVersion, offset: 0)
    {
      return answer
    }
    do throws(JSONParser.SyntaxError) {
      let document = try JSONParser.parse(record.data)
      return decode(
        identifier: record.formatIdentifier, version: record.formatVersion, data: document.value)
    } catch {
      return .invalid([
        AdjustmentProblem(offset: error.offset, field: "", message: error.message)
      ])
    }
  }

  /// nil when the data may be read.
  private static func refusal(identifier: String, version: String, offset: Int) -> Result? {
    guard identifier == AdjustmentRecord.nativeIdentifier else { return .unknownFormat }
    guard let parsed = FormatVersion(version) else {
      let shown = Wording.quoted(version)
      return .invalid([
        AdjustmentProblem(
          offset: offset, field: "formatVersion",
          message: "\(shown) is no version; numbers with dots are wanted, such as 1.0")
      ])
    }
    return parsed == .current ? nil : .unknownVersion(version)
  }
}
