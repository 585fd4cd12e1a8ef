import JSONText

extension EntryDecoder {
  mutating func addDuplicates(_ duplicates: [JSONParser.DuplicateKey], of value: JSONValue) {
    for duplicate in duplicates {
      let first = JSONPlace(of: duplicate.firstOffset, in: text)
      let second = JSONPlace(of: duplicate.offset, in: text)
      let place =
        first.line == second.line
        ? "at column \(first.column)" : "\(second.line - first.line) lines above"
      findings.add(
        "the key stands twice in one object, first \(place); leave one out", at: duplicate.offset,
        field: value.field(ofKeyAt: duplicate.offset) ?? duplicate.key)
    }
  }
}

extension JSONValue {
  /// The way to the member whose key stands at an offset: `renditions[0].name`.
  func field(ofKeyAt offset: Int) -> String? {
    guard self.offset <= offset, offset < end || end == 0 else { return nil }
    switch kind {
    case .object(let members):
      for member in members {
        if member.keyOffset == offset { return member.key }
        if let inner = member.value.field(ofKeyAt: offset) {
          return Findings.joined(member.key, inner)
        }
      }
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let inner = value.field(ofKeyAt: offset) {
          return Findings.joined("[\(index)]", inner)
        }
      }
    default: break
    }
    return nil
  }
}
