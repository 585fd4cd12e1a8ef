import JSONText

/// The JSON Schema of a manifest, made from the same description as the decoder.
package enum ManifestSchema {
  /// The text of `docs/schemas/manifest.schema.json`.
  package static var text: String {
    schema.written(indent: "") + "\n"
  }

  /// Every key of every object, for the documentation to be held against.
  package static var keys: [(object: String, key: String)] {
    ManifestKeys.objects.flatMap { object in
      object.keys.map { (object: object.id, key: $0.name) }
    }
  }

  private static var schema: SchemaNode {
    .object([
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("$id", .text("urn:minilab:schema:manifest:\(ManifestKeys.version)")),
      ("title", .text("Minilab manifest")),
      (
        "description",
        .text(
          "One object. Of JSON Lines the first line is a #/$defs/header and every other line a "
            + "#/$defs/job.")
      ),
      ("$ref", .text("#/$defs/manifest")),
      ("$defs", .object(ManifestKeys.objects.map { ($0.id, definition(of: $0)) })),
    ])
  }

  private static func definition(of object: ObjectShape) -> SchemaNode {
    var members: [(String, SchemaNode)] = [
      ("type", .text("object")),
      ("additionalProperties", .boolean(false)),
    ]
    if !object.required.isEmpty {
      members.append(("required", .array(object.required.map(SchemaNode.text))))
    }
    if !object.exactlyOne.isEmpty {
      let alternatives = object.exactlyOne.map { SchemaNode.required($0) }
      members.append(("oneOf", .array(alternatives)))
    }
    let properties = object.keys.compactMap { key -> (String, SchemaNode)? in
      guard var schema = Self.members(of: key.shape) else { return nil }
      schema.insert(("description", .text(key.about)), at: 0)
      return (key.name, .object(schema))
    }
    members.append(("properties", .object(properties)))
    return .object(members)
  }

  /// nil for a key that is not available yet: the schema does not know it.
  private static func members(of shape: Shape) -> [(String, SchemaNode)]? {
    switch shape {
    case .boolean: [("type", .text("boolean"))]
    case .version(let version): [("const", .integer(version))]
    case .integer(let range): integer(range)
    case .integerChoice(let values, _): [("enum", .array(values.map(SchemaNode.integer)))]
    case .text: [("type", .text("string")), ("minLength", .integer(1))]
    case .choice(let values, _): [("enum", .array(values.map(SchemaNode.text)))]
    case .duration: [("type", .text("string")), ("pattern", .text(DurationText.pattern))]
    case .size(let side):
      [
        ("type", .text("array")), ("items", .object(integer(side))), ("minItems", .integer(2)),
        ("maxItems", .integer(2)),
        ("not", .object([("const", .array([.integer(0), .integer(0)]))])),
      ]
    case .list(let element, let count): list(element, count)
    case .object(let object): [("$ref", .text("#/$defs/" + object.id))]
    case .either(let text, let object):
      members(of: text).map { text in
        [
          (
            "anyOf",
            .array([.object(text), .object([("$ref", .text("#/$defs/" + object.id))])])
          )
        ]
      }
    case .anything: []
    case .notYet: nil
    }
  }

  private static func integer(_ range: ClosedRange<Int>) -> [(String, SchemaNode)] {
    [
      ("type", .text("integer")), ("minimum", .integer(range.lowerBound)),
      ("maximum", .integer(range.upperBound)),
    ]
  }

  private static func list(_ element: Shape, _ count: ClosedRange<Int>) -> [(String, SchemaNode)] {
    var result: [(String, SchemaNode)] = [
      ("type", .text("array")), ("items", .object(members(of: element) ?? [])),
    ]
    if count.lowerBound > 0 { result.append(("minItems", .integer(count.lowerBound))) }
    if count.upperBound < Int.max { result.append(("maxItems", .integer(count.upperBound))) }
    return result
  }
}

/// A JSON value with its members in the order in which they are to be written.
private indirect enum SchemaNode {
  case boolean(Bool)
  case integer(Int)
  case text(String)
  case array([SchemaNode])
  case object([(String, SchemaNode)])

  static func required(_ key: String) -> SchemaNode {
    .object([("required", .array([.text(key)]))])
  }

  func written(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .text(let text): return JSONEscaping.literal(text)
    case .array(let values):
      return "[" + values.map { $0.written(indent: inner) }.joined(separator: ", ") + "]"
    case .object(let members) where members.isEmpty: return "{}"
    case .object(let members):
      let lines = members.map { key, value in
        inner + JSONEscaping.literal(key) + ": " + value.written(indent: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
    }
  }
}
