import JSONText

/// As much of JSON Schema 2020-12 as the manifest's schema uses; anything else is a problem.
///
/// Written apart from the decoder, so that the two can disagree.
struct MiniSchema {
  let root: JSONValue

  func problems(_ value: JSONValue) -> [String] { check(value, root, "") }

  func problems(_ value: JSONValue, definition: String) -> [String] {
    root["$defs"]?[definition].map { check(value, $0, "") } ?? ["no definition \(definition)"]
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    (schema.object ?? []).flatMap { keyword in
      apply(keyword.key, keyword.value, value, schema, place)
    }
  }

  private func apply(
    _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ schema: JSONValue,
    _ place: String
  ) -> [String] {
    switch keyword {
    case "$schema", "$id", "$defs", "title", "description": []
    case "$ref": reference(argument, value, place)
    case "type": Self.isOfType(value, argument.string ?? "") ? [] : ["\(place): type"]
    case "const": Self.areEqual(value, argument) ? [] : ["\(place): const"]
    case "enum":
      argument.array?.contains { Self.areEqual(value, $0) } == true ? [] : ["\(place): enum"]
    case "minimum": Self.bound(value, argument, place) { $0 >= $1 }
    case "maximum": Self.bound(value, argument, place) { $0 <= $1 }
    case "minLength":
      value.string.map { $0.count >= argument.number?.integer ?? 0 } != false
        ? [] : ["\(place): minLength"]
    case "pattern": Self.matches(value, argument.string ?? "") ? [] : ["\(place): pattern"]
    case "minItems":
      (value.array?.count ?? Int.max) >= argument.number?.integer ?? 0 ? [] : ["\(place): minItems"]
    case "maxItems":
      (value.array?.count ?? 0) <= argument.number?.integer ?? Int.max ? [] : ["\(place): maxItems"]
    case "items":
      (value.array ?? []).enumerated().flatMap {
        check($0.element, argument, "\(place)[\($0.offset)]")
      }
    case "required":
      (argument.array ?? []).compactMap(\.string).filter { value.object != nil && value[$0] == nil }
        .map { "\(place).\($0): required" }
    case "properties":
      (argument.object ?? []).flatMap { property in
        value[property.key].map { check($0, property.value, "\(place).\(property.key)") } ?? []
      }
    case "additionalProperties":
      argument.bool == false ? additional(value, schema, place) : ["additionalProperties"]
    case "anyOf":
      argument.array?.contains { check(value, $0, place).isEmpty } == true
        ? [] : ["\(place): anyOf"]
    case "oneOf":
      argument.array?.count { check(value, $0, place).isEmpty } == 1 ? [] : ["\(place): oneOf"]
    case "not": check(value, argument, place).isEmpty ? ["\(place): not"] : []
    default: ["the test does not know the keyword \(keyword)"]
    }
  }

  private func reference(_ argument: JSONValue, _ value: JSONValue, _ place: String) -> [String] {
    let prefix = "#/$defs/"
    guard let text = argument.string, text.hasPrefix(prefix),
      let schema = root["$defs"]?[String(text.dropFirst(prefix.count))]
    else { return ["\(place): no such reference"] }
    return check(value, schema, place)
  }

  private func additional(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    (value.object ?? []).filter { schema["properties"]?[$0.key] == nil }
      .map { "\(place).\($0.key): additional" }
  }

  private static func isOfType(_ value: JSONValue, _ type: String) -> Bool {
    switch (type, value.kind) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool): true
    case ("integer", .number(let number)): number.integer != nil
    default: false
    }
  }

  private static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left.kind, right.kind) {
    case (.string(let a), .string(let b)): a == b
    case (.number(let a), .number(let b)): a.double == b.double
    case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy(areEqual)
    default: false
    }
  }

  private static func bound(
    _ value: JSONValue, _ limit: JSONValue, _ place: String, _ holds: (Double, Double) -> Bool
  ) -> [String] {
    guard let value = value.number?.double, let limit = limit.number?.double else { return [] }
    return holds(value, limit) ? [] : ["\(place): \(value) is out of bounds"]
  }

  /// The one pattern that is used, `^[0-9]+(\.[0-9]{1,6})?(ms|s|m|h)$`, by hand.
  private static func matches(_ value: JSONValue, _ pattern: String) -> Bool {
    guard let text = value.string else { return true }
    guard pattern == #"^[0-9]+(\.[0-9]{1,6})?(ms|s|m|h)$"# else { return false }
    var rest = text[...]
    func digits() -> Int {
      let count = rest.prefix { $0.isASCII && $0.isNumber }.count
      rest = rest.dropFirst(count)
      return count
    }
    guard digits() > 0 else { return false }
    if rest.first == "." {
      rest = rest.dropFirst()
      guard (1...6).contains(digits()) else { return false }
    }
    return ["ms", "s", "m", "h"].contains(rest)
  }
}
