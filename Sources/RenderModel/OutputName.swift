/// When two output names would be one file on the target.
package enum OutputName {
  /// Equal for names that would be one file.
  ///
  /// Names that are UTF-8 are compared by canonical equivalence, as `String` does it, so the
  /// composed and the decomposed form of a letter are one; other names byte by byte.
  package struct CollisionKey: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
      case text(String)
      case bytes([UInt8])
    }

    private var form: Form

    fileprivate init(text: String) { form = .text(text) }
    fileprivate init(bytes: [UInt8]) { form = .bytes(bytes) }
  }

  package static func collisionKey(
    _ path: RelativePath, caseInsensitive: Bool, normalizationInsensitive: Bool = true
  ) -> CollisionKey {
    if !normalizationInsensitive, !caseInsensitive { return CollisionKey(bytes: path.bytes) }
    guard let text = path.string else { return CollisionKey(bytes: path.bytes) }
    // Upper case first: it takes apart what has no single lower-case twin, as full case folding
    // does (ß and SS are one name on such targets).
    return CollisionKey(text: caseInsensitive ? text.uppercased().lowercased() : text)
  }
}
