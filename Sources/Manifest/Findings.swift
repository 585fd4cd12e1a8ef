/// A problem before its file and line are known.
struct Finding: Equatable, Sendable {
  /// Counts in the indices of the text that was decoded.
  var offset: Int
  var field: String
  var message: String
}

/// The problems of one piece of text, collected while it is walked.
struct Findings: Sendable {
  private(set) var list: [Finding] = []

  var isEmpty: Bool { list.isEmpty }
  var count: Int { list.count }

  mutating func add(_ message: String, at offset: Int, field: String = "") {
    list.append(Finding(offset: offset, field: field, message: message))
  }

  /// Puts a key or index before the field of everything that the body finds.
  mutating func within<Value>(
    _ key: @autoclosure () -> String, _ body: (inout Findings) -> Value
  ) -> Value {
    let before = list.count
    let value = body(&self)
    if list.count > before {
      let key = key()
      for index in before..<list.count {
        list[index].field = Self.joined(key, list[index].field)
      }
    }
    return value
  }

  static func joined(_ outer: String, _ inner: String) -> String {
    if outer.isEmpty || inner.isEmpty { return outer + inner }
    return inner.hasPrefix("[") ? outer + inner : outer + "." + inner
  }
}
