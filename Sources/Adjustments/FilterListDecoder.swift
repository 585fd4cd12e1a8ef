import JSONText
import RenderModel

/// Reads `{"filters": [{"filter": NAME, …}, …]}` and collects every problem on the way.
struct FilterListDecoder {
  private let form: RecordForm
  private(set) var problems: [AdjustmentProblem] = []
  /// What is known of a filter in a version that cannot be rendered; nil when there is none.
  private(set) var unknownVersion: String?

  init(form: RecordForm) { self.form = form }

  /// Only meaningful when there are no problems and no unknown version afterwards.
  mutating func decode(_ data: JSONValue) -> [FilterStep] {
    let list = form.list
    guard let members = data.object else {
      report(data.offset, "", "an object with \(list) is wanted, not \(data.typeName)")
      return []
    }
    check(members, known: [list], what: "member", in: "")
    guard let filters = data[list] else {
      report(data.offset, list, "\(list) is missing; give [] for no edits")
      return []
    }
    guard let values = filters.array else {
      report(filters.offset, list, "\(list) must be an array, not \(filters.typeName)")
      return []
    }
    if values.count > AdjustmentDecoding.maximumFilters {
      report(
        filters.offset, list,
        "there are \(values.count) filters; at most \(AdjustmentDecoding.maximumFilters) may be")
      return []
    }
    return values.enumerated().compactMap { decode($0.element, at: "\(list)[\($0.offset)]") }
  }

  private mutating func decode(_ value: JSONValue, at field: String) -> FilterStep? {
    guard let members = value.object else {
      report(value.offset, field, "a filter must be an object, not \(value.typeName)")
      return nil
    }
    guard
      let name = name(
        of: value, member: form.name, what: "filter", among: form.filters.map(\.name), at: field),
      let description = form.description(of: name)
    else { return nil }
    // What a filter of another version may hold is not known.
    guard let version = version(value["version"], of: description, in: field) else { return nil }
    let parameters = description.parameters(ofVersion: version)
    let names = parameters.map(\.name)
    let blending = [("opacity", description.isBlended), ("mask", description.takesMask)]
      .filter { _ in form.hasBlending }
    check(
      members,
      known: names + [form.name] + (form.hasBlending ? ["version"] : [])
        + blending.filter(\.1).map(\.0),
      refused: blending.filter { !$0.1 }.map(\.0), of: name, what: "parameter", in: field)
    let before = problems.count
    var step = FilterStep(
      name: name, version: version,
      parameters: decode(parameters, of: value, in: field))
    defer {
      if problems.count == before, let problem = form.rule(step) {
        report(
          value[problem.field]?.offset ?? value.offset, "\(field).\(problem.field)", problem.text)
      }
    }
    guard form.hasBlending, description.isBlended else { return step }
    if case .number(let opacity) = decode(FilterDescription.opacity, of: value, in: field) {
      step.opacity = opacity
    }
    if description.takesMask {
      step.mask = value["mask"].flatMap { decodeMask($0, at: "\(field).mask") }
    }
    return step
  }

  /// The name of a filter or mask; nil when a problem was reported.
  mutating func name(
    of value: JSONValue, member: String, what: String, among known: [String], at field: String
  ) -> String? {
    guard let named = value[member] else {
      report(value.offset, field, "the member \(member), the \(what)'s name, is missing")
      return nil
    }
    guard let name = named.string else {
      report(
        named.offset, "\(field).\(member)", "the name must be a string, not \(named.typeName)")
      return nil
    }
    if known.contains(name) { return name }
    report(named.offset, "\(field).\(member)", Wording.unknown(what, name, among: known))
    return nil
  }

  mutating func decode(
    _ parameters: [ParameterDescription], of value: JSONValue, in field: String
  ) -> [FilterStep.Parameter] {
    parameters.compactMap { parameter in
      decode(parameter, of: value, in: field).map {
        FilterStep.Parameter(name: parameter.name, value: $0)
      }
    }
  }

  mutating func check(
    _ members: [JSONMember], known: [String], refused: [String] = [], of filter: String = "",
    what: String, in field: String
  ) {
    var seen: Set<String> = []
    for member in members {
      let path = field.isEmpty ? member.key : "\(field).\(member.key)"
      if !seen.insert(member.key).inserted {
        report(member.keyOffset, path, "\(Wording.quoted(member.key)) stands here twice")
      } else if refused.contains(member.key) {
        report(
          member.keyOffset, path,
          "\(filter) acts on the whole picture at once, so it takes no \(member.key)")
      } else if !known.contains(member.key) {
        report(
          member.keyOffset, path,
          Wording.unknown(what, member.key, among: known))
      }
    }
  }

  /// The version to render; nil when it is none or cannot be rendered.
  private mutating func version(
    _ value: JSONValue?, of description: FilterDescription, in field: String
  ) -> Int? {
    guard form.hasBlending, let value else { return description.version }
    guard let version = value.number?.integer, version >= 1 else {
      report(
        value.offset, "\(field).version",
        "version must be a whole number from 1 on, not \(Self.shown(value))")
      return nil
    }
    if description.versions.contains(version) { return version }
    let state =
      version > description.version
      ? "is newer than this program knows" : "is no longer rendered by this program"
    let known = description.versions.sorted().map(String.init)
    unknownVersion =
      unknownVersion
      ?? "version \(version) of the filter \(description.name) (\(field)) \(state), "
      + "which has \(known.count == 1 ? "version" : "versions") \(Wording.list(known))"
    return nil
  }

  mutating func report(_ offset: Int, _ field: String, _ message: String) {
    problems.append(AdjustmentProblem(offset: offset, field: field, message: message))
  }
}
