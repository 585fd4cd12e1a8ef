/// A path beneath a root as raw bytes, since file names on Linux need not be UTF-8.
///
/// Never begins with a slash; components are separated by single slashes. Whether it stays beneath
/// its root is checked where it is decoded and again by the kernel when it is opened.
package struct RelativePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ string: String) { self.bytes = Array(string.utf8) }

  /// The path as text; nil when the bytes are not valid UTF-8.
  package var string: String? { String(validating: bytes, as: UTF8.self) }

  /// The path as text that is safe to show: invalid bytes and control characters are escaped.
  package var displayed: String { DisplayText.escaped(bytes) }

  package var components: [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).map(Array.init)
  }

  /// The last component; empty for an empty path.
  package var lastComponent: [UInt8] { components.last ?? [] }

  /// Everything before the last component; empty when there is only one.
  package var directory: RelativePath {
    RelativePath(bytes: Array(components.dropLast().joined(separator: [UInt8(ascii: "/")])))
  }

  /// The last component without its extension; a leading dot does not begin an extension.
  package var stem: [UInt8] {
    let name = lastComponent
    guard let dot = Self.extensionDot(in: name) else { return name }
    return Array(name[..<dot])
  }

  /// The bytes after the last dot of the last component; empty when there is none.
  package var pathExtension: [UInt8] {
    let name = lastComponent
    guard let dot = Self.extensionDot(in: name) else { return [] }
    return Array(name[(dot + 1)...])
  }

  package func appending(_ component: [UInt8]) -> RelativePath {
    RelativePath(bytes: bytes.isEmpty ? component : bytes + [UInt8(ascii: "/")] + component)
  }

  private static func extensionDot(in name: [UInt8]) -> Int? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
    return dot
  }
}

extension RelativePath: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
