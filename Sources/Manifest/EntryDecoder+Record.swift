import Adjustments
import JSONText
import RenderModel

extension EntryDecoder {
  /// A record that stands in the manifest itself, kept byte for byte, and what its filters read.
  mutating func record(_ value: JSONValue) -> (AdjustmentRecord, files: [NamedFile])? {
    guard let identifier = value["formatIdentifier"]?.string,
      let version = value["formatVersion"]?.string, let data = value["data"]
    else { return nil }
    let files = filterFiles(identifier: identifier, version: version, data: data)
    let bytes = text.indices.contains(data.offset) ? Array(text[data.offset..<data.end]) : []
    let record = AdjustmentRecord(
      formatIdentifier: identifier, formatVersion: version, data: bytes)
    return (record, files)
  }

  /// A format or version that nobody knows is no mistake: such a photo is kept as it is.
  private mutating func filterFiles(identifier: String, version: String, data: JSONValue)
    -> [NamedFile]
  {
    switch AdjustmentDecoding.decode(identifier: identifier, version: version, data: data) {
    case .filters(let steps): return steps.namedFiles
    case .unknownFormat, .unknownVersion: return []
    case .invalid(let problems):
      for problem in problems {
        let isInData = problem.field != "formatVersion"
        findings.add(
          problem.message, at: problem.offset,
          field: isInData ? Findings.joined("data", problem.field) : problem.field)
      }
      return []
    }
  }
}
