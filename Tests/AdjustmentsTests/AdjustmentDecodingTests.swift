import Adjustments
import JSONText
import RenderModel
import Testing

@Suite struct AdjustmentDecodingTests {
  @Test("filters come in their order with defaults filled in")
  func whole() throws {
    let text = #"""
      {"filters": [
        {"filter": "orient", "orientation": 6},
        {"filter": "crop", "x": 0.1, "y": 0, "width": 0.9, "height": 1},
        {"filter": "straighten", "degrees": -1.5},
        {"filter": "exposure", "ev": 0.4, "version": 1},
        {"filter": "contrast", "amount": 1.2},
        {"filter": "temperatureTint"},
        {"filter": "toneCurve", "points": [[0,0],[0.5,0.56],[1,1]]},
        {"filter": "sharpen", "amount": 0.5, "radius": 2}
      ]}
      """#
    let steps = try steps(text)
    #expect(
      steps.map(\.name) == [
        "orient", "crop", "straighten", "exposure", "contrast", "temperatureTint", "toneCurve",
        "sharpen",
      ])
    #expect(steps.map(\.version) == [1, 1, 1, 1, 1, 1, 1, 2])
    #expect(steps[0].number("orientation") == 6)
    #expect(steps[1].parameters.map(\.name) == ["x", "y", "width", "height", "unit", "frame"])
    #expect(steps[1].text("unit") == "fraction")
    #expect(steps[1].text("frame") == "displayed")
    #expect(steps[4].number("pivot") == 0.5)
    #expect(steps[5].number("temperature") == 6500)
    #expect(steps[5].number("tint") == 0)
    #expect(steps[6].points("points")?.count == 3)
    #expect(steps[6].points("points")?[1] == FilterStep.CurvePoint(x: 0.5, y: 0.56))
    #expect(steps[7].number("threshold") == 0)
  }

  @Test("no filters are no edits")
  func empty() throws {
    #expect(try steps(#"{"filters": []}"#).isEmpty)
  }

  @Test(
    "each filter takes the ends of its ranges and nothing beyond",
    arguments: FilterCatalogue.filters)
  func ranges(filter: FilterDescription) throws {
    for parameter in filter.parameters {
      guard case .number(let range, _) = parameter.domain else { continue }
      func text(_ value: Double) -> String {
        var members = ["\"filter\": \"\(filter.name)\"", "\"\(parameter.name)\": \(value)"]
        if filter.name == "crop" { members.append(#""unit": "pixel""#) }
        for other in filter.parameters where other.name != parameter.name {
          if case .number(_, nil) = other.domain { members.append("\"\(other.name)\": 1") }
          if case .file = other.domain { members.append("\"\(other.name)\": \"file\"") }
        }
        return one(members.joined(separator: ", "))
      }
      // An empty crop has a rule of its own.
      if !["width", "height"].contains(parameter.name) {
        #expect(try steps(text(range.lowerBound)).count == 1)
      }
      #expect(try steps(text(range.upperBound)).count == 1)
      for outside in [range.lowerBound.nextDown, range.upperBound.nextUp, -1e300, 1e300] {
        #expect(try problem(text(outside)).field == "filters[0].\(parameter.name)")
      }
    }
  }

  @Test(
    "other formats are unknown and their data is not read",
    arguments: ["com.apple.photo", "org.minilab.adjustments2", "", "ORG.MINILAB.ADJUSTMENTS"])
  func otherFormats(identifier: String) {
    let record = AdjustmentRecord(
      formatIdentifier: identifier, formatVersion: "nonsense", data: Array("{".utf8))
    #expect(AdjustmentDecoding.decode(record: record) == .unknownFormat)
    #expect(
      AdjustmentDecoding.decode(identifier: identifier, version: "1", data: JSONValue(.null))
        == .unknownFormat)
  }

  @Test(
    "versions are compared as numbers",
    arguments: ["1", "1.0", "1.00", "01.0.0"])
  func sameVersions(version: String) {
    #expect(decode(#"{"filters": []}"#, version: version) == .filters([]))
  }

  @Test(
    "a version that is not known is kept, with words for why, whatever its data",
    arguments: [
      ("1.1", "newer"), ("2", "newer"), ("1.0.1", "newer"), ("10", "newer"), ("1.10", "newer"),
      ("1.99999999999999999999999999", "newer"), ("0.1", "older"), ("0", "older"),
      ("0.10", "older"), ("0.9.1", "older"), ("0.8", "older"),
    ])
  func otherVersions(version: String, age: String) {
    let words =
      "version \(version) of org.minilab.adjustments is \(age) than this program "
      + (age == "newer" ? "knows" : "can read")
    #expect(decode(#"{"filters": []}"#, version: version) == .unknownVersion(words))
    #expect(decode("nonsense", version: version) == .unknownVersion(words))
  }

  @Test("1.10 is newer than 1.9.1")
  func order() throws {
    let versions = ["1.10", "1.9.1", "1", "1.9", "0.5", "1.0.0", "2"].compactMap(FormatVersion.init)
    let sorted = ["0.5", "1", "1.0.0", "1.9", "1.9.1", "1.10", "2"].compactMap(FormatVersion.init)
    #expect(versions.sorted() == sorted)
    #expect(FormatVersion("1") == FormatVersion("1.0.0"))
  }

  @Test(
    "a version that is none is invalid, not unknown",
    arguments: ["", "1.", ".1", "a", "1.0b", "-1", "1..0", "1 ", "1,0", "1.0.0.0.0.0.0.0.0"])
  func malformedVersions(version: String) {
    guard case .invalid(let problems) = decode(#"{"filters": []}"#, version: version) else {
      Issue.record("\(version) was taken")
      return
    }
    #expect(problems.map(\.field) == ["formatVersion"])
  }

  @Test("text that is no JSON is one problem at its place")
  func syntax() throws {
    #expect(try problem(#"{"filters": [}"#).offset == 13)
    #expect(try problem("").offset == 0)
  }

  @Test("offsets count in the text that the value was parsed from")
  func offsets() throws {
    let text = #"{"job": {"filters": [{"filter": "exposure", "ev": 99}]}}"#
    let value = try JSONParser.parse(Array(text.utf8)).value
    let data = try #require(value["job"])
    let result = AdjustmentDecoding.decode(
      identifier: "org.minilab.adjustments", version: "1.0", data: data)
    guard case .invalid(let problems) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(problems.map(\.offset) == [50])
    #expect(text.utf8.dropFirst(50).first == UInt8(ascii: "9"))
  }
}
