import JSONText
import RenderModel

/// Reads `{"filters": [{"filter": NAME, …}, …]}` and collects every problem on the way.
struct FilterListDecoder {
  private(set) var problems: [AdjustmentProblem] = []

  /// Only meaningful when there are no problems afterwards.
  mutating func decode(_ data: JSONValue) -> [FilterStep] {
    guard let members = data.object else {
      report(data.offset, "", "an object with filters is wanted, not \(data.typeName)")
      return []
    }
    check(members, known: ["filters"], what: "member", in: "")
    guard let filters = data["filters"] else {
      report(data.offset, "filters", "filters is missing; give [] for no edits")
      return []
    }
    guard let values = filters.array else {
      report(filters.offset, "filters", "filters must be an array, not \(filters.typeName)")
      return []
    }
    if values.count > AdjustmentDecoding.maximumFilters {
      report(
        filters.offset, "filters",
        "there are \(values.count) filters; at most \(AdjustmentDecoding.maximumFilters) may be")
      return []
    }
    return values.enumerated().compactMap { decode($0.element, at: "filters[\($0.offset)]") }
  }

  private mutating func decode(_ value: JSONValue, at field: String) -> FilterStep? {
    guard let members = value.object else {
      report(value.offset, field, "a filter must be an object, not \(value.typeName)")
      return nil
    }
    guard let named = value["filter"] else {
      report(value.offset, field, "the member filter, the filter's name, is missing")
      return nil
    }
    guard let name = named.string else {
      report(named.offset, "\(field).filter", "the name must be a string, not \(named.typeName)")
      return nil
    }
    guard let description = FilterCatalogue.description(of: name) else {
      report(
        named.offset, "\(field).filter",
        Wording.unknown("filter", name, among: FilterCatalogue.filters.map(\.name)))
      return nil
    }
    let names = description.parameters.map(\.name)
    check(
      members, known: names + ["filter", "version"], unavailable: ["opacity", "mask"],
      what: "parameter", in: field)
    checkVersion(value["version"], of: description, in: field)
    let before = problems.count
    let parameters = description.parameters.compactMap { parameter in
      decode(parameter, of: value, in: field).map {
        FilterStep.Parameter(name: parameter.name, value: $0)
      }
    }
    let step = FilterStep(name: name, version: description.version, parameters: parameters)
    if problems.count == before, let problem = FilterRules.problem(of: step) {
      report(
        value[problem.field]?.offset ?? value.offset, "\(field).\(problem.field)", problem.text)
    }
    return step
  }

  private mutating func check(
    _ members: [JSONMember], known: [String], unavailable: [String] = [], what: String,
    in field: String
  ) {
    var seen: Set<String> = []
    for member in members {
      let path = field.isEmpty ? member.key : "\(field).\(member.key)"
      if !seen.insert(member.key).inserted {
        report(member.keyOffset, path, "\(Wording.quoted(member.key)) stands here twice")
      } else if unavailable.contains(member.key) {
        report(member.keyOffset, path, "\(member.key) is not available yet")
      } else if !known.contains(member.key) {
        report(
          member.keyOffset, path,
          Wording.unknown(what, member.key, among: known))
      }
    }
  }

  private mutating func checkVersion(
    _ value: JSONValue?, of description: FilterDescription, in field: String
  ) {
    guard let value, value.number?.integer != description.version else { return }
    report(
      value.offset, "\(field).version",
      "\(description.name) is known in version \(description.version) only")
  }

  mutating func report(_ offset: Int, _ field: String, _ message: String) {
    problems.append(AdjustmentProblem(offset: offset, field: field, message: message))
  }
}
