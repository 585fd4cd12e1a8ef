/// A strict RFC 8259 parser that keeps offsets and finds duplicate keys.
///
/// A text with duplicate keys still gives a value and the duplicates are listed, so that a reader
/// can report all problems at once.
package struct JSONParser {
  /// Text that is not JSON; nothing after it can be trusted.
  package struct SyntaxError: Error, Equatable, Sendable {
    package var offset: Int
    package var message: String
  }

  /// A key that stands twice in one object.
  package struct DuplicateKey: Equatable, Sendable {
    package var key: String
    package var offset: Int
    /// Offset of the key's first occurrence in the same object.
    package var firstOffset: Int
  }

  package struct Document: Sendable {
    package var value: JSONValue
    package var duplicates: [DuplicateKey]
    /// Where the elements of the array stand that was left out of the value; see `parse(_:withoutElementsOf:)`.
    package var elements: [Range<Int>]
  }

  /// Objects and arrays inside each other; deeper text is refused.
  package static let maximumDepth = 128

  let bytes: ArraySlice<UInt8>
  var position: Int
  private var depth = 0
  private var duplicates: [DuplicateKey] = []
  /// The member of the outermost object whose elements are checked but not kept.
  private var omittedKey: String?
  private var elements: [Range<Int>] = []

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Parses one whole text; offsets count in the indices of `bytes`.
  ///
  /// With a key, the array of that name in the outermost object is left empty in the value and the
  /// places of its elements are listed instead, so that a large text needs no tree in memory.
  package static func parse(_ bytes: ArraySlice<UInt8>, withoutElementsOf key: String? = nil)
    throws(SyntaxError) -> Document
  {
    if let mark = byteOrderMark(bytes) {
      throw SyntaxError(offset: bytes.startIndex, message: mark)
    }
    var parser = JSONParser(bytes)
    parser.omittedKey = key
    parser.skipSpace()
    let value = try parser.parseValue()
    parser.skipSpace()
    if parser.position < bytes.endIndex {
      throw parser.error("there is more text after the end of the value")
    }
    return Document(value: value, duplicates: parser.duplicates, elements: parser.elements)
  }

  package static func parse(_ bytes: [UInt8]) throws(SyntaxError) -> Document {
    try parse(bytes[...])
  }

  /// What is wrong with the encoding, told from the first bytes; nil when nothing is.
  private static func byteOrderMark(_ bytes: ArraySlice<UInt8>) -> String? {
    let start = Array(bytes.prefix(4))
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "the text begins with a byte order mark; save it as UTF-8 without one"
    }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
      || (start.count >= 2 && (start[0] == 0 || start[1] == 0))
    {
      return "the text is UTF-16 or UTF-32; save it as UTF-8"
    }
    return nil
  }

  // MARK: - Values

  private mutating func parseValue() throws(SyntaxError) -> JSONValue {
    guard position < bytes.endIndex else { throw error("the text ends where a value is wanted") }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "{"): return try parseObject(start)
    case UInt8(ascii: "["): return try parseArray(start)
    case UInt8(ascii: "\""):
      let text = try parseString()
      return JSONValue(.string(text), offset: start, end: position)
    case UInt8(ascii: "t"):
      try expect("true")
      return JSONValue(.bool(true), offset: start, end: position)
    case UInt8(ascii: "f"):
      try expect("false")
      return JSONValue(.bool(false), offset: start, end: position)
    case UInt8(ascii: "n"):
      try expect("null")
      return JSONValue(.null, offset: start, end: position)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try parseNumber()
      return JSONValue(.number(number), offset: start, end: position)
    default:
      throw error(
        "a value is wanted here: an object, array, string, number, true, false or null" + valueHint)
    }
  }

  private mutating func parseObject(_ start: Int) throws(SyntaxError) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    position += 1
    var members: [JSONMember] = []
    var seen = SeenKeys()
    skipSpace()
    if take(UInt8(ascii: "}")) { return JSONValue(.object([]), offset: start, end: position) }
    while true {
      skipSpace()
      guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "\"") else {
        throw error("a key in double quotes is wanted here" + commentHint)
      }
      let keyOffset = position
      let key = try parseString()
      if let first = seen.insert(key, at: keyOffset, after: members) {
        duplicates.append(DuplicateKey(key: key, offset: keyOffset, firstOffset: first))
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("a colon is wanted after the key") }
      skipSpace()
      let omits = depth == 1 && omittedKey == key && peek() == UInt8(ascii: "[")
      let value = omits ? try parseOmittedArray() : try parseValue()
      members.append(JSONMember(key: key, keyOffset: keyOffset, value: value))
      skipSpace()
      let comma = position
      if take(UInt8(ascii: ",")) {
        try refuseTrailingComma(at: comma, before: UInt8(ascii: "}"))
        continue
      }
      guard take(UInt8(ascii: "}")) else {
        throw error("a comma or } is wanted here" + commentHint)
      }
      return JSONValue(.object(members), offset: start, end: position)
    }
  }

  private mutating func parseArray(_ start: Int) throws(SyntaxError) -> JSONValue {
    var values: [JSONValue] = []
    try parseElements { values.append($0) }
    return JSONValue(.array(values), offset: start, end: position)
  }

  private mutating func parseOmittedArray() throws(SyntaxError) -> JSONValue {
    let start = position
    var places: [Range<Int>] = []
    try parseElements { places.append($0.offset..<$0.end) }
    elements = places
    return JSONValue(.array([]), offset: start, end: position)
  }

  private mutating func parseElements(_ body: (JSONValue) -> Void) throws(SyntaxError) {
    try enter()
    defer { depth -= 1 }
    position += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    while true {
      skipSpace()
      body(try parseValue())
      skipSpace()
      let comma = position
      if take(UInt8(ascii: ",")) {
        try refuseTrailingComma(at: comma, before: UInt8(ascii: "]"))
        continue
      }
      guard take(UInt8(ascii: "]")) else {
        throw error("a comma or ] is wanted here" + commentHint)
      }
      return
    }
  }

  private mutating func refuseTrailingComma(at comma: Int, before closing: UInt8)
    throws(SyntaxError)
  {
    skipSpace()
    guard peek() == closing else { return }
    throw SyntaxError(offset: comma, message: "no comma may stand after the last one")
  }

  private mutating func enter() throws(SyntaxError) {
    depth += 1
    if depth > Self.maximumDepth {
      throw error("objects and arrays are nested deeper than \(Self.maximumDepth)")
    }
  }

  // MARK: - Scanning

  mutating func skipSpace() {
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.endIndex, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ word: StaticString) throws(SyntaxError) {
    let start = position
    for byte in word.description.utf8 where !take(byte) {
      position = start
      throw error("a value is wanted here; did you mean \(word)?")
    }
  }

  private func peek() -> UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  /// A word more where somebody wrote a comment.
  private var commentHint: String {
    switch peek() {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): "; JSON has no comments"
    case UInt8(ascii: "'"): "; JSON strings have double quotes"
    default: ""
    }
  }

  /// A word more where somebody wrote what another language would take.
  private var valueHint: String {
    switch peek() {
    case UInt8(ascii: "T"): "; did you mean true?"
    case UInt8(ascii: "F"): "; did you mean false?"
    case UInt8(ascii: "N"): "; did you mean null? JSON has no NaN"
    case UInt8(ascii: "I"), UInt8(ascii: "+"), UInt8(ascii: "."):
      "; a number begins with a digit or -"
    default: commentHint
    }
  }

  func error(_ message: String) -> SyntaxError {
    SyntaxError(offset: position, message: message)
  }
}

/// The keys of one object so far, found fast also when there are very many.
private struct SeenKeys {
  private static let few = 16
  private var offsets: [String: Int] = [:]

  /// The offset of the same key's first occurrence; nil when it is new.
  mutating func insert(_ key: String, at offset: Int, after members: [JSONMember]) -> Int? {
    if members.count < Self.few {
      for member in members where member.key == key { return member.keyOffset }
      return nil
    }
    if offsets.isEmpty {
      for member in members where offsets[member.key] == nil {
        offsets[member.key] = member.keyOffset
      }
    }
    if let first = offsets[key] { return first }
    offsets[key] = offset
    return nil
  }
}
