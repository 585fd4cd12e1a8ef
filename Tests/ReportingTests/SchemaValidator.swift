import Glibc
import JSONText

/// The published schemas and as much of JSON Schema 2020-12 as they use.
///
/// A keyword that it does not know is a problem too, so that nothing goes unchecked.
struct SchemaValidator {
  /// Properties that validated values had, as `FILE#/pointer`.
  private(set) var visited: Set<String> = []
  private(set) var problems: [String] = []
  private var documents: [String: JSONValue] = [:]

  private struct Place {
    var file: String
    var pointer: String
    var schema: JSONValue
  }

  /// What is wrong with a value, by the schema of that file; empty when nothing is.
  mutating func validate(_ value: JSONValue, _ file: String) throws -> [String] {
    problems = []
    try check(value, Place(file: file, pointer: "", schema: document(file)), at: "$")
    return problems
  }

  mutating func validate(_ json: String, _ file: String) throws -> [String] {
    try validate(JSONParser.parse(Array(json.utf8)).value, file)
  }

  /// All properties of a schema file, including those of its definitions, as `FILE#/pointer`.
  mutating func properties(_ file: String) throws -> Set<String> {
    var found: Set<String> = []
    Self.collect(try document(file), file + "#", into: &found)
    return found
  }

  mutating func document(_ file: String) throws -> JSONValue {
    if let known = documents[file] { return known }
    let parsed = try JSONParser.parse(Array(try schemaText(file).utf8))
    if !parsed.duplicates.isEmpty { problems.append("\(file) has duplicate keys") }
    documents[file] = parsed.value
    return parsed.value
  }

  private static func collect(_ schema: JSONValue, _ pointer: String, into found: inout Set<String>)
  {
    for member in schema.object ?? [] {
      let below = pointer + "/" + member.key
      if member.key == "properties" {
        for property in member.value.object ?? [] { found.insert(below + "/" + property.key) }
      }
      collect(member.value, below, into: &found)
    }
  }

  private mutating func check(_ value: JSONValue, _ place: Place, at path: String) throws {
    for keyword in place.schema.object ?? [] {
      try check(value, place, keyword, at: path)
    }
  }

  private mutating func check(
    _ value: JSONValue, _ place: Place, _ keyword: JSONMember, at path: String
  ) throws {
    let argument = keyword.value
    switch keyword.key {
    case "$schema", "$defs", "title", "description": break
    case "$ref": try follow(argument.string ?? "", value, place, at: path)
    case "oneOf": try checkOneOf(value, place, argument.array ?? [], at: path)
    case "type":
      if !Self.isOfType(value, argument.string) { problems.append("\(path) is \(value.typeName)") }
    case "const", "enum":
      let allowed = argument.array ?? [argument]
      if !allowed.contains(where: { Self.text($0) == Self.text(value) }) {
        problems.append("\(path) is not one of the allowed values")
      }
    case "minimum":
      if let number = value.number?.double, number < argument.number?.double ?? 0 {
        problems.append("\(path) is too small")
      }
    case "maximum":
      if let number = value.number?.double, number > argument.number?.double ?? 0 {
        problems.append("\(path) is too large")
      }
    case "pattern":
      if let text = value.string, try text.firstMatch(of: Regex(argument.string ?? "")) == nil {
        problems.append("\(path) does not match its pattern")
      }
    case "items":
      for (index, item) in (value.array ?? []).enumerated() {
        try check(item, below(place, "items", argument), at: "\(path)[\(index)]")
      }
    case "required":
      for key in (argument.array ?? []).compactMap(\.string) where value[key] == nil {
        problems.append("\(path) has no \(key)")
      }
    case "properties": break
    case "additionalProperties": try checkMembers(value, place, others: argument, at: path)
    default: problems.append("\(place.file)#\(place.pointer) has the unknown \(keyword.key)")
    }
  }

  private mutating func checkMembers(
    _ value: JSONValue, _ place: Place, others: JSONValue, at path: String
  ) throws {
    for member in value.object ?? [] {
      let below = "\(path).\(member.key)"
      if let schema = place.schema["properties"]?[member.key] {
        let next = self.below(place, "properties/" + member.key, schema)
        visited.insert(next.file + "#" + next.pointer)
        try check(member.value, next, at: below)
      } else if others.bool == false {
        problems.append("\(below) is not in the schema")
      } else {
        try check(member.value, self.below(place, "additionalProperties", others), at: below)
      }
    }
  }

  private mutating func checkOneOf(
    _ value: JSONValue, _ place: Place, _ schemas: [JSONValue], at path: String
  ) throws {
    let before = self
    var fitting: SchemaValidator?
    var count = 0
    for (index, schema) in schemas.enumerated() {
      var attempt = before
      attempt.problems = []
      try attempt.check(value, below(place, "oneOf/\(index)", schema), at: path)
      guard attempt.problems.isEmpty else { continue }
      fitting = attempt
      count += 1
    }
    if count == 1, let fitting {
      visited = fitting.visited
    } else {
      problems.append("\(path) fits \(count) of the forms instead of one")
    }
  }

  private mutating func follow(
    _ reference: String, _ value: JSONValue, _ place: Place, at path: String
  ) throws {
    let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? place.file : String(parts[0])
    let pointer = parts.count > 1 ? String(parts[1]) : ""
    var schema = try document(file)
    for name in pointer.split(separator: "/") {
      guard let next = schema[String(name)] else {
        problems.append("\(reference) leads nowhere")
        return
      }
      schema = next
    }
    try check(value, Place(file: file, pointer: pointer, schema: schema), at: path)
  }

  private func below(_ place: Place, _ step: String, _ schema: JSONValue) -> Place {
    Place(file: place.file, pointer: place.pointer + "/" + step, schema: schema)
  }

  private static func isOfType(_ value: JSONValue, _ type: String?) -> Bool {
    switch (type, value.kind) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("number", .number):
      true
    case ("integer", .number(let number)): number.integer != nil
    default: false
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value.kind {
    case .string(let text): "\"\(text)\""
    case .number(let number): number.text
    case .bool(let bool): "\(bool)"
    default: value.typeName
    }
  }
}

/// The text of a schema in the project's documentation.
func schemaText(_ file: String) throws -> String { try documentText("schemas/" + file) }

/// The text of a page of the project's documentation.
func documentText(_ file: String) throws -> String {
  let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  return try fileText("/\(root)/docs/\(file)")
}

private struct Unreadable: Error { var path: String }

private func fileText(_ path: String) throws -> String {
  guard let file = unsafe fopen(path, "r") else { throw Unreadable(path: path) }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = unsafe fgetc(file), byte >= 0 { bytes.append(UInt8(byte)) }
  return String(decoding: bytes, as: UTF8.self)
}
