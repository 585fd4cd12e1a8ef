import Adjustments
import JSONText
import RenderModel

extension EntryDecoder {
  /// A record that stands in the manifest itself; its data is kept byte for byte.
  mutating func record(_ value: JSONValue) -> Job.AdjustmentSource? {
    guard let identifier = value["formatIdentifier"]?.string,
      let version = value["formatVersion"]?.string, let data = value["data"]
    else { return nil }
    checkFilters(identifier: identifier, version: version, data: data)
    let bytes = text.indices.contains(data.offset) ? Array(text[data.offset..<data.end]) : []
    return .record(
      AdjustmentRecord(formatIdentifier: identifier, formatVersion: version, data: bytes))
  }

  /// A format or version that nobody knows is no mistake: such a photo is kept as it is.
  private mutating func checkFilters(identifier: String, version: String, data: JSONValue) {
    guard
      case .invalid(let problems) = AdjustmentDecoding.decode(
        identifier: identifier, version: version, data: data)
    else { return }
    for problem in problems {
      let isInData = problem.field != "formatVersion"
      findings.add(
        problem.message, at: problem.offset,
        field: isInData ? Findings.joined("data", problem.field) : problem.field)
    }
  }
}
