import Manifest
import RenderModel

/// How a flag's value is written, named, explained and completed.
package struct ValueForm<Value: Sendable>: Sendable {
  /// The value's name in a usage line: `N`, `DIR`, `fork|reuse`.
  package var placeholder: String
  /// What would be right, as the end of "it must be …".
  package var expectation: String
  package var completion: ValueCompletion
  /// nil when the word is not such a value.
  package var read: @Sendable (Argument) -> Value?

  package init(
    placeholder: String, expectation: String, completion: ValueCompletion = .none,
    read: @escaping @Sendable (Argument) -> Value?
  ) {
    self.placeholder = placeholder
    self.expectation = expectation
    self.completion = completion
    self.read = read
  }
}

/// What a shell may offer after a flag.
package enum ValueCompletion: Hashable, Sendable {
  case none, files, directories
  case words([String])
}

extension ValueForm where Value == Int {
  package static func count(from least: Int) -> Self {
    ValueForm(
      placeholder: "N",
      expectation: "a whole number, \(least) or more",
      read: { word in
        guard word.bytes.allSatisfy(isDigit), let value = Int(word.text), value >= least
        else { return nil }
        return value
      })
  }

  /// Milliseconds, written as in a manifest; a bare number counts seconds.
  package static func duration(from least: Int) -> Self {
    ValueForm(
      placeholder: "TIME",
      expectation: "a time such as 30s, 1.5m, 500ms or 2h"
        + (least > 0 ? ", longer than nothing" : ""),
      read: { word in
        guard let value = DurationText.parse(word.text) ?? DurationText.parse(word.text + "s"),
          (least...longestDuration).contains(value)
        else { return nil }
        return value
      })
  }

  /// Bytes.
  package static func size() -> Self {
    ValueForm(
      placeholder: "SIZE",
      expectation: "a size such as 512M, 2G or 1500000 (K, M, G, T count by 1024)",
      read: { SizeText.bytes($0.text) })
  }
}

extension ValueForm where Value == HostPath {
  package static func directory() -> Self {
    path(placeholder: "DIR", expectation: "the path of a folder", completion: .directories)
  }

  private static func path(
    placeholder: String, expectation: String, completion: ValueCompletion
  ) -> Self {
    ValueForm(
      placeholder: placeholder, expectation: expectation, completion: completion,
      read: { word in
        word.bytes.isEmpty || word.bytes.contains(0) ? nil : HostPath(bytes: word.bytes)
      })
  }
}

extension ValueForm where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of an enumeration's raw values.
  package static func choice() -> Self {
    let words = Value.allCases.map(\.rawValue)
    return ValueForm(
      placeholder: words.joined(separator: "|"),
      expectation: Self.alternatives(words),
      completion: .words(words),
      read: { Value(rawValue: $0.text) })
  }

  private static func alternatives(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// Thirty days: longer is a slip of the pen.
private let longestDuration = 30 * 24 * 3_600_000
