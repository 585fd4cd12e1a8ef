/// A raw Exif block, or the directories of a TIFF, read just far enough for what headers tell.
package enum EXIFBlock {
  /// The orientation of the main picture, 1…8; nil when there is none or the block is broken.
  package static func orientation(of bytes: [UInt8]) -> Int? {
    let block = withoutPrefix(bytes)
    let span = block.span
    guard let header = TagHeader(span),
      let entry = header.directory(span, at: header.first)?.entry(0x0112)
    else { return nil }
    return header.integers(span, entry).first.flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// Whether the numbers are those of Adobe RGB.
  ///
  /// Cameras say so by the interoperability rule R03 of DCF, since Exif has no word for it but an old,
  /// unofficial 2.
  static func saysAdobeRGB(_ bytes: [UInt8]) -> Bool {
    let block = withoutPrefix(bytes)
    let span = block.span
    guard let header = TagHeader(span), let main = header.directory(span, at: header.first),
      let details = header.directory(span, from: main.entry(0x8769))
    else { return false }
    if let space = details.entry(0xA001), header.integers(span, space).first == 2 { return true }
    let rules = header.directory(span, from: details.entry(0xA005))
    return rules?.entry(0x0001).map { span.has(Array("R03".utf8), at: $0.values.lowerBound) }
      ?? false
  }

  /// The moment of capture; nil when there is none.
  static func captured(_ bytes: Span<UInt8>) -> String? {
    guard let header = TagHeader(bytes), let main = header.directory(bytes, at: header.first),
      let details = header.directory(bytes, from: main.entry(0x8769))
    else { return nil }
    func text(_ tag: Int) -> String? {
      guard let entry = details.entry(tag), entry.type == 2, entry.values.count <= 64 else {
        return nil
      }
      return String(decoding: bytes.copy(entry.values).prefix { $0 != 0 }, as: UTF8.self)
    }
    return CaptureDate.text(date: text(0x9003), fraction: text(0x9291), offset: text(0x9011))
  }

  static func withoutPrefix(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: Array("Exif\0\0".utf8)) ? Array(bytes.dropFirst(6)) : bytes
  }

  /// Places and lengths to write so that a parser sees neither further directories nor blocks in the
  /// first one: no thumbnail, no second page, no XMP, nothing of the layout of a TIFF.
  ///
  /// nil when there is no directory to begin with.
  static func simplifications(
    _ bytes: Span<UInt8>, main offset: Int? = nil
  ) -> [(offset: Int, bytes: [UInt8])]? {
    guard let header = TagHeader(bytes), !header.isBig,
      let main = header.directory(bytes, at: offset ?? header.first)
    else { return nil }
    var changes: [(offset: Int, bytes: [UInt8])] = []
    if let next = main.nextPosition { changes.append((next, [0, 0, 0, 0])) }
    for entry in main.entries where TIFFLayout.tags.contains(entry.tag) {
      // No values of type BYTE: nothing to follow, nothing to copy.
      changes.append((entry.position + 2, header.bytes(of: 1, 2) + header.bytes(of: 0, 4)))
    }
    return changes
  }
}

/// The tags of a TIFF's first directory that say how its own pixels are laid out, or hold blocks that
/// are read by themselves.
enum TIFFLayout {
  static let tags: Set<Int> = Set(
    Array(0x00FE...0x0103) + [0x0106, 0x0107, 0x0108, 0x0109, 0x010A, 0x0111]
      + Array(0x0115...0x0119) + [0x011C, 0x0120, 0x0121, 0x0122, 0x0123, 0x0124, 0x0125, 0x0129]
      + [0x012D, 0x013D, 0x013E, 0x013F] + Array(0x0140...0x0145) + [0x014A]
      + Array(0x014C...0x0159) + [0x015B] + Array(0x0200...0x0209) + Array(0x0211...0x0214)
      + [0x02BC, 0x828D, 0x828E, 0x830E, 0x8482, 0x83BB, 0x85D8, 0x8649, 0x8773, 0x87AF, 0x87B0]
      + [0x87B1, 0x935C, 0xC44F, 0xEA1C] + Array(0xC612...0xC7FF))
  /// Whether a tag is about the layout, the way up or the density, all of which are read anyway.
  static func isRead(_ tag: Int) -> Bool {
    tags.contains(tag) || [0x0112, 0x011A, 0x011B, 0x0128].contains(tag)
  }

}
