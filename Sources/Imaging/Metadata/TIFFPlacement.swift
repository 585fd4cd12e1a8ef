/// Metadata in the directory of a TIFF, which is written anew behind the pixels.
enum TIFFPlacement {
  /// What the pixels and their profile need.
  private static let kept: Set<Int> = Set(
    Array(0x00FE...0x0103) + [0x0106, 0x010A, 0x0111, 0x0112] + Array(0x0115...0x0119)
      + [0x011C, 0x0124, 0x0125, 0x013D, 0x0140] + Array(0x0142...0x0145)
      + [0x0152, 0x0153, 0x015B, 0x0211, 0x0212, 0x0213, 0x0214, 0x8773])

  private static let ofDensity: Set<Int> = [0x011A, 0x011B, 0x0128]

  private static func density(_ density: PictureDensity, _ header: TagHeader) -> [Field] {
    let sides = [(0x011A, density.x), (0x011B, density.y)].map { tag, value in
      let (above, below) = PictureDensity.rational(value)
      return Field(
        tag: tag, type: 5, count: 1, bytes: header.bytes(of: above, 4) + header.bytes(of: below, 4))
    }
    return sides + [Field(tag: 0x0128, type: 3, count: 1, bytes: header.bytes(of: 2, 2))]
  }

  private struct Field {
    var tag: Int
    var type: Int
    var count: Int
    var bytes: [UInt8]
  }

  static func put(_ metadata: EncodedMetadata, into file: EncodedFile) throws(LibraryError) {
    let layout = try Layout(file)
    var fields = layout.fields + density(metadata.density ?? .usual, layout.header)
    var children: [Child] = []
    if let exif = metadata.exif {
      let span = exif.span
      guard let header = TagHeader(span) else { throw LibraryError(text: "Exif has no header") }
      let tree = EXIFTree(span, header, order: layout.header)
      for field in tree.main where !kept.contains(field.tag) && !ofDensity.contains(field.tag) {
        fields.append(field)
      }
      children = tree.children
    }
    if let xmp = metadata.xmp {
      fields.append(Field(tag: 0x02BC, type: 1, count: xmp.count, bytes: xmp))
    }
    if let iptc = metadata.iptc {
      fields.append(Field(tag: 0x83BB, type: 7, count: iptc.count, bytes: iptc))
    }
    let start = (layout.end + 1) & ~1
    let writer = Writer(header: layout.header)
    let (bytes, first) = writer.directory(fields, children: children, at: start)
    try file.truncate(to: layout.end)
    try file.write([UInt8](repeating: 0, count: start - layout.end) + bytes, at: layout.end)
    let word = layout.header.isBig ? 8 : 4
    try file.write(layout.header.bytes(of: first, word), at: word)
  }

  /// The digest covers the strips or tiles, one after the other.
  static func pixelDigest(of file: EncodedFile) throws(LibraryError) -> String {
    let layout = try Layout(file)
    let checksum = Checksum()
    for part in layout.parts { try checksum.add(file, part) }
    return checksum.text
  }

  /// A TIFF of one picture whose directory comes after its pixels.
  private struct Layout {
    var header: TagHeader
    var fields: [Field] = []
    var parts: [Range<Int>] = []
    /// Where the pixels end.
    var end = 0

    init(_ file: EncodedFile) throws(LibraryError) {
      let count = file.count
      let head = try file.bytes(0..<min(16, count))
      guard let header = TagHeader(head.span) else {
        throw LibraryError(text: "the encoded TIFF has no header")
      }
      self.header = header
      // From the directory on; its values come after the pixels too.
      guard let bytes = FileBytes(descriptor: file.descriptor, count: count) else {
        throw LibraryError(text: "memory is short")
      }
      var found: TagDirectory?
      var fields: [Field] = []
      var offsets: [Int] = []
      var lengths: [Int] = []
      bytes.withSpan { span in
        found = header.directory(span, at: header.first)
        for entry in found?.entries ?? [] {
          if [0x0111, 0x0144].contains(entry.tag) { offsets = header.integers(span, entry) }
          if [0x0117, 0x0145].contains(entry.tag) { lengths = header.integers(span, entry) }
          guard kept.contains(entry.tag) else { continue }
          fields.append(
            Field(
              tag: entry.tag, type: entry.type, count: entry.count, bytes: span.copy(entry.values)))
        }
      }
      guard let found, found.next == 0, !offsets.isEmpty, offsets.count == lengths.count else {
        throw LibraryError(text: "the TIFF does not hold one picture")
      }
      for (offset, length) in zip(offsets, lengths) {
        guard offset >= 8, length >= 0, length <= count - offset else {
          throw LibraryError(text: "the pixels of the TIFF are cut off")
        }
        parts.append(offset..<(offset + length))
        end = max(end, offset + length)
      }
      guard header.first >= end else {
        throw LibraryError(text: "the directory of the TIFF stands before its pixels")
      }
      self.fields = fields
    }
  }

  private struct Child {
    /// The tag that points to it, in the first directory or in the child before.
    var tag: Int
    var fields: [Field]
    var children: [Child] = []
  }

  /// The directories of an Exif block, with numbers in another file's order.
  private struct EXIFTree {
    var main: [Field] = []
    var children: [Child] = []

    init(_ bytes: Span<UInt8>, _ header: TagHeader, order: TagHeader) {
      guard let first = header.directory(bytes, at: header.first) else { return }
      main = Self.fields(bytes, header, first, order)
      for tag in [0x8769, 0x8825] {
        guard let directory = header.directory(bytes, from: first.entry(tag)) else { continue }
        var child = Child(tag: tag, fields: Self.fields(bytes, header, directory, order))
        if let deeper = header.directory(bytes, from: directory.entry(0xA005)) {
          child.children = [
            Child(tag: 0xA005, fields: Self.fields(bytes, header, deeper, order))
          ]
        }
        children.append(child)
      }
    }

    private static func fields(
      _ bytes: Span<UInt8>, _ header: TagHeader, _ directory: TagDirectory, _ order: TagHeader
    ) -> [Field] {
      directory.entries.filter { ![0x8769, 0x8825, 0xA005].contains($0.tag) }.map { entry in
        var values = bytes.copy(entry.values)
        let unit = [5, 10].contains(entry.type) ? 4 : TagHeader.size(of: entry.type)
        if header.bigEndian != order.bigEndian, unit > 1 {
          values = stride(from: 0, to: values.count, by: unit)
            .flatMap { values[$0..<($0 + unit)].reversed() }
        }
        return Field(tag: entry.tag, type: entry.type, count: entry.count, bytes: values)
      }
    }
  }

  private struct Writer {
    var header: TagHeader

    /// Values, directories of children and then the directory, whose offset is given.
    func directory(_ fields: [Field], children: [Child], at start: Int) -> ([UInt8], Int) {
      let word = header.isBig ? 8 : 4
      var bytes: [UInt8] = []
      var fields = fields
      for child in children {
        let (part, offset) = directory(
          child.fields, children: child.children, at: start + bytes.count)
        bytes += part
        fields.append(
          Field(
            tag: child.tag, type: header.isBig ? 18 : 4, count: 1,
            bytes: header.bytes(of: offset, word)))
      }
      var entries: [UInt8] = []
      for field in fields.sorted(by: { $0.tag < $1.tag }) {
        entries += header.bytes(of: field.tag, 2) + header.bytes(of: field.type, 2)
        entries += header.bytes(of: field.count, word)
        if field.bytes.count <= word {
          entries += field.bytes + [UInt8](repeating: 0, count: word - field.bytes.count)
        } else {
          entries += header.bytes(of: start + bytes.count, word)
          bytes += field.bytes + (field.bytes.count % 2 == 1 ? [0] : [])
        }
      }
      let offset = start + bytes.count
      bytes += header.bytes(of: fields.count, header.isBig ? 8 : 2) + entries
      return (bytes + header.bytes(of: 0, word), offset)
    }
  }
}
