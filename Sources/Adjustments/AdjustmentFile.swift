package import JSONText
package import RenderModel

/// A file that holds an adjustment record.
package enum AdjustmentFile {
  package enum Content: Hashable, Sendable {
    case record(AdjustmentRecord)
    /// Told by the file's name only: such files are never parsed here.
    case unknownFormat(String)
    case invalid([AdjustmentProblem])
  }

  /// Larger files are no adjustment records.
  package static let maximumBytes = 16 << 20

  /// The format that a file's extension names; nil when it is not a foreign sidecar's.
  package static func foreignFormat(of path: RelativePath) -> String? {
    switch String(decoding: path.pathExtension, as: UTF8.self).lowercased() {
    case "aae": "com.apple.photo (.AAE)"
    case "xmp": "com.adobe.xmp (.xmp)"
    case "pp3": "com.rawtherapee.pp3 (.pp3)"
    case "cube": "com.adobe.cube (.cube)"
    default: nil
    }
  }

  package static func decode(_ bytes: [UInt8], named path: RelativePath) -> Content {
    foreignFormat(of: path).map { .unknownFormat($0) } ?? decode(bytes)
  }

  /// Reads `{"formatIdentifier": …, "formatVersion": …, "data": …}`.
  package static func decode(_ bytes: [UInt8]) -> Content {
    guard bytes.count <= maximumBytes else {
      return .invalid([
        AdjustmentProblem(
          offset: 0, field: "",
          message: "\(bytes.count) bytes are too many for a record; at most \(maximumBytes) may be")
      ])
    }
    do throws(JSONParser.SyntaxError) {
      return decode(try JSONParser.parse(bytes).value, of: bytes[...])
    } catch {
      return .invalid([AdjustmentProblem(offset: error.offset, field: "", message: error.message)])
    }
  }

  /// The same for a value inside a larger text, which the value's offsets count in.
  package static func decode(_ value: JSONValue, of text: ArraySlice<UInt8>) -> Content {
    var problems: [AdjustmentProblem] = []
    guard let members = value.object else {
      return .invalid([
        AdjustmentProblem(
          offset: value.offset, field: "",
          message: "a record is an object, not \(value.typeName)")
      ])
    }
    let known = ["formatIdentifier", "formatVersion", "data"]
    var seen: Set<String> = []
    for member in members {
      if !seen.insert(member.key).inserted {
        problems.append(
          AdjustmentProblem(
            offset: member.keyOffset, field: member.key,
            message: "\(Wording.quoted(member.key)) stands here twice"))
      } else if !known.contains(member.key) {
        problems.append(
          AdjustmentProblem(
            offset: member.keyOffset, field: member.key,
            message: Wording.unknown("member", member.key, among: known)))
      }
    }
    let identifier = string(value, "formatIdentifier", &problems)
    let version = string(value, "formatVersion", &problems)
    let data = value["data"]
    if data == nil {
      problems.append(
        AdjustmentProblem(offset: value.offset, field: "data", message: "data is missing"))
    }
    guard problems.isEmpty, let identifier, let version, let data else {
      return .invalid(problems)
    }
    return .record(
      AdjustmentRecord(
        formatIdentifier: identifier, formatVersion: version,
        data: Array(text[data.offset..<data.end])))
  }

  private static func string(
    _ value: JSONValue, _ name: String, _ problems: inout [AdjustmentProblem]
  ) -> String? {
    guard let member = value[name] else {
      problems.append(
        AdjustmentProblem(offset: value.offset, field: name, message: "\(name) is missing"))
      return nil
    }
    guard let text = member.string, !text.isEmpty else {
      let given = member.string == nil ? member.typeName : "an empty one"
      problems.append(
        AdjustmentProblem(
          offset: member.offset, field: name,
          message: "\(name) must be a string in quotes, not \(given)"))
      return nil
    }
    return text
  }
}
