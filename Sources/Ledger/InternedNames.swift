/// Strings that many entries share, each kept once and known by its number.
package struct InternedNames: Sendable {
  /// By bytes: two Unicode forms of one name are two names.
  private var numbers: [[UInt8]: Int] = [:]
  private var texts: [String] = []

  package init() {}

  /// The names of a store, in the order of their numbers.
  package init(_ texts: [String]) {
    for text in texts { _ = number(text) }
  }

  package var count: Int { texts.count }

  mutating func number(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    if let number = numbers[bytes] { return number }
    texts.append(text)
    numbers[bytes] = texts.count - 1
    return texts.count - 1
  }

  /// Empty for a number that no name has.
  package func text(_ number: Int) -> String {
    texts.indices.contains(number) ? texts[number] : ""
  }

  /// Forgets the names that came after the first so many.
  package mutating func truncate(to count: Int) {
    while texts.count > count { numbers[Array(texts.removeLast().utf8)] = nil }
  }
}
