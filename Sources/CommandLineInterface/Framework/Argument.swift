import RenderModel

/// One word of the command line as raw bytes, since file names on Linux need not be UTF-8.
package struct Argument: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The word as text; bytes that are not UTF-8 are replaced.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The word as text that is safe to show.
  package var displayed: String { DisplayText.escaped(bytes) }

  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

  /// The word cut at its first `=`; nil when it has none.
  package var splitAtEquals: (name: Argument, value: Argument)? {
    guard let index = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (Argument(bytes: Array(bytes[..<index])), Argument(bytes: Array(bytes[(index + 1)...])))
  }
}

extension Argument: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(value) }
}

/// A path on this machine as the user typed it: absolute, or relative to the current folder.
package struct HostPath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The path as text; bytes that are not UTF-8 are replaced.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package var displayed: String { DisplayText.escaped(bytes) }

  /// Refuses a name that is not UTF-8: what is said of a manifest and its library is said as text.
  ///
  /// `what` it names, at the beginning of a sentence.
  func requireText(_ what: String) throws(UsageProblem) {
    if Array(text.utf8) == bytes { return }
    throw .refused(
      "\(what) '\(displayed)' has a name that is not UTF-8; give it by a link with a plain name")
  }
}
