/// A path beneath a root as raw bytes, since file names on Linux need not be UTF-8.
///
/// Never begins with a slash; components are separated by single slashes. Whether it stays beneath
/// its root is checked where it is decoded (`fault(in:)`) and again by the kernel when it is opened.
package struct RelativePath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ string: String) { self.bytes = Array(string.utf8) }

  /// The path as text; nil when the bytes are not valid UTF-8.
  package var string: String? {
    // Most names are ASCII, for which the general check is slow.
    bytes.allSatisfy { $0 < 0x80 }
      ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  /// The path as text that is safe to show: invalid bytes and control characters are escaped.
  package var displayed: String { DisplayText.escaped(bytes) }

  package var components: [[UInt8]] {
    bytes.split(separator: Self.slash, omittingEmptySubsequences: true).map(Array.init)
  }

  /// The last component; empty for an empty path.
  package var lastComponent: [UInt8] { Array(lastSlice) }

  /// Everything before the last component; empty when there is only one.
  package var directory: RelativePath {
    var end = lastSlice.startIndex
    while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
    return RelativePath(bytes: Array(bytes[..<end]))
  }

  /// The last component without its extension; a leading dot does not begin an extension.
  package var stem: [UInt8] {
    let name = lastSlice
    guard let dot = Self.extensionDot(in: name) else { return Array(name) }
    return Array(name[..<dot])
  }

  /// The bytes after the last dot of the last component; empty when there is none.
  package var pathExtension: [UInt8] {
    let name = lastSlice
    guard let dot = Self.extensionDot(in: name) else { return [] }
    return Array(name[(dot + 1)...])
  }

  package func appending(_ component: [UInt8]) -> RelativePath {
    RelativePath(bytes: bytes.isEmpty ? component : bytes + [Self.slash] + component)
  }

  private static let slash = UInt8(ascii: "/")

  /// The last component in place, trailing slashes left out.
  private var lastSlice: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return bytes[start..<end]
  }

  private static func extensionDot(in name: ArraySlice<UInt8>) -> Int? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    return dot
  }
}

extension RelativePath: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension RelativePath {
  /// Why a text is not a path beneath a root.
  package enum Fault: Hashable, Sendable, CaseIterable {
    case empty, absolute, parent, dot, emptyComponent, nul

    /// What is wrong and what would be right, as the end of a sentence about the path.
    package var message: String {
      switch self {
      case .empty: "is empty"
      case .absolute: "begins with a slash; a path beneath the folder is wanted"
      case .parent: "has a '..' component; a path may not leave its folder"
      case .dot: "has a '.' component; leave it out"
      case .emptyComponent: "has a slash at its end or two in a row; write single slashes"
      case .nul: "has a NUL byte, which no file name can have"
      }
    }
  }

  /// The first fault of a path as it was written; nil when it stays beneath its root.
  ///
  /// Symbolic links are not seen here: those the kernel refuses.
  package static func fault(in bytes: [UInt8]) -> Fault? {
    guard let first = bytes.first else { return .empty }
    if first == slash { return .absolute }
    var start = 0
    for index in 0...bytes.count {
      guard index == bytes.count || bytes[index] == slash else {
        if bytes[index] == 0 { return .nul }
        continue
      }
      switch index - start {
      case 0: return .emptyComponent
      case 1 where bytes[start] == UInt8(ascii: "."): return .dot
      case 2 where bytes[start] == UInt8(ascii: ".") && bytes[start + 1] == UInt8(ascii: "."):
        return .parent
      default: break
      }
      start = index + 1
    }
    return nil
  }
}
