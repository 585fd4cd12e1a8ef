import Adjustments
import JSONText
import RenderModel
import Testing

/// Decodes the text of a native record's data.
func decode(_ text: String, version: String = "1.0") -> AdjustmentDecoding.Result {
  AdjustmentDecoding.decode(
    record: AdjustmentRecord(
      formatIdentifier: "org.minilab.adjustments", formatVersion: version,
      data: Array(text.utf8)))
}

/// The data of a record with one filter, from its members.
func one(_ members: String) -> String { #"{"filters": [{\#(members)}]}"# }

/// The only problem of a text; fails when there are none or more.
func problem(_ text: String) throws -> AdjustmentProblem {
  guard case .invalid(let problems) = decode(text) else {
    Issue.record("no problem was found in \(text)")
    return AdjustmentProblem(offset: -1, field: "", message: "")
  }
  #expect(problems.count == 1, "\(problems)")
  return try #require(problems.first)
}

func steps(_ text: String) throws -> [FilterStep] {
  guard case .filters(let steps) = decode(text) else {
    Issue.record("\(decode(text))")
    return []
  }
  return steps
}
