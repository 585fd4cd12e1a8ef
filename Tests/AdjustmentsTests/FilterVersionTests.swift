import Adjustments
import JSONText
import RenderModel
import Testing

/// A program in which a filter is in its fourth version and can still render its third.
@Suite struct FilterVersionTests {
  static let radius = ParameterDescription("radius", .number(0...9, default: 1), "how far")
  static let smear = FilterDescription(
    "smear", version: 4,
    older: [
      OlderVersion(
        3,
        parameters: [
          radius, ParameterDescription("shape", .choice(["box", "disc"], default: "box"), "of it"),
        ], "has a shape.")
    ], .neighbourhood, summary: "Smears.",
    parameters: [radius, ParameterDescription("times", .whole(1...9, default: 1), "how often")],
    identity: "radius 0", formula: "a mean", source: "elementary")

  private func decode(_ filters: String) throws -> AdjustmentDecoding.Result {
    let text = "{\"filters\": [\(filters)]}"
    return AdjustmentDecoding.decode(
      identifier: "org.minilab.adjustments", version: "1.0",
      data: try JSONParser.parse(Array(text.utf8)[...]).value,
      filters: FilterCatalogue.filters + [Self.smear])
  }

  @Test(
    "a version that can be rendered is the step's, and without one the current is",
    arguments: [
      ("", 4), (#", "version": 4"#, 4), (#", "version": 3"#, 3), (#", "version": 3.0"#, 3),
    ])
  func known(member: String, version: Int) throws {
    guard case .filters(let steps) = try decode(#"{"filter": "smear"\#(member)}"#) else {
      Issue.record("it was refused")
      return
    }
    #expect(steps.map(\.version) == [version])
  }

  @Test(
    "an older version has its own parameters, with their defaults, and none of the current one's")
  func parameters() throws {
    let current = #"{"filter": "smear", "times": 2}"#
    let older = #"{"filter": "smear", "version": 3, "radius": 4}"#
    guard case .filters(let steps) = try decode("\(current), \(older)") else {
      Issue.record("they were refused")
      return
    }
    #expect(
      steps.map { $0.parameters.map(\.name) } == [["radius", "times"], ["radius", "shape"]])
    #expect(steps[1].number("radius") == 4 && steps[1].text("shape") == "box")
  }

  @Test(
    "what only another version has is unknown in this one, and not offered in the message",
    arguments: [
      (#"{"filter": "smear", "version": 3, "times": 2}"#, "times", ["radius", "shape"]),
      (#"{"filter": "smear", "shape": "box"}"#, "shape", ["radius", "times"]),
    ])
  func mixed(filter: String, member: String, known: [String]) throws {
    guard case .invalid(let problems) = try decode(filter) else {
      Issue.record("it was taken")
      return
    }
    let problem = try #require(problems.first)
    #expect(problems.count == 1 && problem.field == "filters[0].\(member)")
    for name in known { #expect(problem.message.contains(name)) }
  }

  @Test(
    "a step of an older version of the catalogue is decoded as that one's",
    arguments: FilterCatalogue.filters.filter { !$0.older.isEmpty })
  func pinned(filter: FilterDescription) throws {
    for older in filter.older {
      let record = try #require(
        FilterExamples.record(of: CatalogueEntry(filter), version: older.number))
      guard case .filters(let steps) = try decode(record) else {
        Issue.record("\(record) was refused")
        continue
      }
      #expect(steps.map(\.version) == [older.number])
      let names = (older.parameters ?? filter.parameters).map(\.name)
      #expect(steps[0].parameters.map(\.name).allSatisfy { names.contains($0) })
      #expect(older.number < filter.version && older.difference.hasSuffix("."))
    }
  }

  @Test(
    "a version that was retired or is newer is not rendered, and the words name the filter",
    arguments: [
      (1, "is no longer rendered by this program"), (2, "is no longer rendered by this program"),
      (5, "is newer than this program knows"), (900, "is newer than this program knows"),
    ])
  func unknown(version: Int, state: String) throws {
    let result = try decode(#"{"filter": "smear", "version": \#(version), "sort": "box"}"#)
    #expect(
      result
        == .unknownVersion(
          "version \(version) of the filter smear (filters[0]) \(state), which has versions 3 and 4"
        )
    )
  }

  @Test("what else looks wrong beside a version that is not known may be right, so it is not told")
  func precedence() throws {
    let result = try decode(
      #"{"filter": "exposure", "ev": 77}, {"filter": "smear", "version": 5}, {"filter": "new"}"#)
    guard case .unknownVersion(let words) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(words.contains("filters[1]"))
  }

  @Test("all filters of the catalogue can be rendered in their current version")
  func current() {
    for filter in FilterCatalogue.filters {
      #expect(filter.versions.contains(filter.version))
      #expect(filter.versions.max() == filter.version && filter.versions.allSatisfy { $0 >= 1 })
    }
  }
}
