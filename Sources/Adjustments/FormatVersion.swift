/// A dotted format version, compared part by part as numbers: 1.10 is newer than 1.9.1.
package struct FormatVersion: Hashable, Sendable, Comparable {
  /// Digits without leading zeros, without trailing parts that are zero; of any length.
  private let parts: [[UInt8]]

  package static let current = FormatVersion(parts: [[UInt8(ascii: "1")]])
  /// The first that was written.
  package static let oldest = FormatVersion(parts: [[], [UInt8(ascii: "9")]])

  private init(parts: [[UInt8]]) { self.parts = parts }

  /// nil when the text is not one to eight numbers with dots between.
  package init?(_ text: String) {
    let pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard pieces.count <= 8, text.utf8.count <= 64 else { return nil }
    var parts: [[UInt8]] = []
    for piece in pieces {
      guard !piece.isEmpty, piece.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      parts.append(Array(piece.drop { $0 == 0x30 }))
    }
    while parts.last?.isEmpty == true { parts.removeLast() }
    self.parts = parts
  }

  package static func < (left: Self, right: Self) -> Bool {
    for index in 0..<max(left.parts.count, right.parts.count) {
      let one = index < left.parts.count ? left.parts[index] : []
      let other = index < right.parts.count ? right.parts[index] : []
      if one.count != other.count { return one.count < other.count }
      if one != other { return one.lexicographicallyPrecedes(other) }
    }
    return false
  }
}
