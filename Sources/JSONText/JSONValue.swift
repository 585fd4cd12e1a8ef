/// A JSON value that remembers where in its text it stood.
package struct JSONValue: Sendable {
  package enum Kind: Sendable {
    case null
    case bool(Bool)
    /// The number's own spelling, so that nothing is lost before somebody asks for a type.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  package var kind: Kind
  /// Offset of the first byte of the value.
  package var offset: Int
  /// Offset just past the last byte of the value.
  package var end: Int

  package init(_ kind: Kind, offset: Int = 0, end: Int = 0) {
    self.kind = kind
    self.offset = offset
    self.end = end
  }

  /// What the value is, in the words of an error message.
  package var typeName: String {
    switch kind {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  package var object: [JSONMember]? {
    guard case .object(let members) = kind else { return nil }
    return members
  }

  package var array: [JSONValue]? {
    guard case .array(let values) = kind else { return nil }
    return values
  }

  package var string: String? {
    guard case .string(let text) = kind else { return nil }
    return text
  }

  package var bool: Bool? {
    guard case .bool(let value) = kind else { return nil }
    return value
  }

  package var number: JSONNumber? {
    guard case .number(let number) = kind else { return nil }
    return number
  }

  /// The first member of that name; nil when this is no object or has none.
  package subscript(_ key: String) -> JSONValue? {
    object?.first { $0.key == key }?.value
  }
}

package struct JSONMember: Sendable {
  package var key: String
  /// Offset of the key's opening quote.
  package var keyOffset: Int
  package var value: JSONValue

  package init(key: String, keyOffset: Int = 0, value: JSONValue) {
    self.key = key
    self.keyOffset = keyOffset
    self.value = value
  }
}

/// A number as it was written.
package struct JSONNumber: Hashable, Sendable {
  package var text: String
  package init(text: String) { self.text = text }

  /// nil when the number is too large for a finite Double.
  package var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The exact integer; nil for fractions (`1.0` and `1e2` count as integers) and for what Int cannot hold.
  package var integer: Int? {
    if let value = Int(text) { return value }
    guard let value = Double(text), abs(value) <= 9_007_199_254_740_992 else { return nil }
    // Without `rounded` or `exactly`, which would need the C mathematics library linked.
    let whole = Int(value)
    return Double(whole) == value ? whole : nil
  }
}
