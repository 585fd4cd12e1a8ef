/// Metadata written by hand, after their specifications.
enum Blocks {
  struct Tag {
    var number: Int
    var type: Int
    var count: Int
    /// In the order of the block: big-endian.
    var bytes: [UInt8]

    static func ascii(_ number: Int, _ text: String) -> Tag {
      let bytes = Array(text.utf8) + [0]
      return Tag(number: number, type: 2, count: bytes.count, bytes: bytes)
    }
    static func short(_ number: Int, _ values: Int...) -> Tag {
      Tag(number: number, type: 3, count: values.count, bytes: values.flatMap { big($0, 2) })
    }
    static func long(_ number: Int, _ values: Int...) -> Tag {
      Tag(number: number, type: 4, count: values.count, bytes: values.flatMap { big($0, 4) })
    }
    static func rational(_ number: Int, _ values: (Int, Int)...) -> Tag {
      Tag(
        number: number, type: 5, count: values.count,
        bytes: values.flatMap { big($0.0, 4) + big($0.1, 4) })
    }
    static func undefined(_ number: Int, _ bytes: [UInt8]) -> Tag {
      Tag(number: number, type: 7, count: bytes.count, bytes: bytes)
    }
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  /// Values and then the directory; gives it and where the directory begins.
  private static func directory(_ tags: [Tag], at start: Int, next: Int) -> ([UInt8], Int) {
    var values: [UInt8] = []
    var entries: [UInt8] = []
    for tag in tags.sorted(by: { $0.number < $1.number }) {
      entries += big(tag.number, 2) + big(tag.type, 2) + big(tag.count, 4)
      if tag.bytes.count <= 4 {
        entries += tag.bytes + [UInt8](repeating: 0, count: 4 - tag.bytes.count)
      } else {
        entries += big(start + values.count, 4)
        values += tag.bytes + (tag.bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return (values + big(tags.count, 2) + entries + big(next, 4), start + values.count)
  }

  /// An Exif block: a big-endian TIFF with the usual directories.
  ///
  /// `before`: bytes between the header and the directories, such as the pixels of a TIFF.
  static func exif(
    main: [Tag], details: [Tag] = [], place: [Tag] = [], thumbnail: [UInt8]? = nil,
    before: [UInt8] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = Array("MM".utf8) + big(42, 2) + big(0, 4) + before
    var main = main
    func add(_ tags: [Tag], _ next: Int = 0) -> Int {
      let (part, offset) = directory(tags, at: bytes.count, next: next)
      bytes += part
      return offset
    }
    if !details.isEmpty { main.append(.long(0x8769, add(details))) }
    if !place.isEmpty { main.append(.long(0x8825, add(place))) }
    var next = 0
    if let thumbnail {
      let start = bytes.count
      bytes += thumbnail + (thumbnail.count % 2 == 1 ? [0] : [])
      next = add([
        .short(0x0103, 6), .long(0x0201, start), .long(0x0202, thumbnail.count),
      ])
    }
    let first = add(main, next)
    bytes.replaceSubrange(4..<8, with: big(first, 4))
    return bytes
  }

  static func iptc(_ datasets: [(record: UInt8, number: UInt8, text: [UInt8])]) -> [UInt8] {
    datasets.flatMap { [0x1C, $0.record, $0.number] + big($0.text.count, 2) + $0.text }
  }

  static func xmp(_ attributes: String = "", _ elements: String = "", spaces: String = "")
    -> [UInt8]
  {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(spaces) \(attributes)>\(elements)\
      </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """.utf8)
  }
}

/// Containers that are taken apart and put together by hand.
enum Containers {
  static func jpegSegment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + Blocks.big(payload.count + 2, 2) + payload
  }

  static func exifSegment(_ block: [UInt8]) -> [UInt8] {
    jpegSegment(0xE1, Array("Exif\0\0".utf8) + block)
  }

  static func xmpSegment(_ packet: [UInt8]) -> [UInt8] {
    jpegSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  static func iptcSegment(_ block: [UInt8]) -> [UInt8] {
    jpegSegment(
      0xED,
      Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, 4, 0, 0]
        + Blocks.big(block.count, 4) + block + (block.count % 2 == 1 ? [0] : []))
  }

  /// A JPEG whose application segments are others.
  static func jpeg(_ bytes: [UInt8], _ segments: [[UInt8]]) -> [UInt8] {
    var position = 2
    var kept: [UInt8] = []
    while position + 4 <= bytes.count, bytes[position + 1] != 0xDA {
      let end = position + 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
      if !(0xE0...0xEF).contains(bytes[position + 1]) { kept += bytes[position..<end] }
      position = end
    }
    return [0xFF, 0xD8] + segments.flatMap { $0 } + kept + bytes[position...]
  }

  static func pngChunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return Blocks.big(data.count, 4) + body + HandMade.crc(body[...])
  }

  /// A PNG with chunks after its header.
  static func png(_ bytes: [UInt8], _ chunks: [[UInt8]]) -> [UInt8] {
    Array(bytes[..<33]) + chunks.flatMap { $0 } + bytes[33...]
  }

  /// A WebP of any kind as one with an extended header, without what it had of metadata.
  static func webP(_ bytes: [UInt8], width: Int, height: Int, _ chunks: [(String, [UInt8])])
    -> [UInt8]
  {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      Array(type.utf8) + Blocks.little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }
    var pixels: [UInt8] = []
    var position = 12
    while position + 8 <= bytes.count {
      let type = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
      let length = bytes[(position + 4)..<(position + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = min(bytes.count, position + 8 + (length + 1) & ~1)
      if type.hasPrefix("VP8") && type != "VP8X" { pixels += bytes[position..<end] }
      position = end
    }
    var flags: UInt8 = 0
    if chunks.contains(where: { $0.0 == "EXIF" }) { flags |= 8 }
    if chunks.contains(where: { $0.0 == "XMP " }) { flags |= 4 }
    let header = chunk(
      "VP8X", [flags, 0, 0, 0] + Blocks.little(width - 1, 3) + Blocks.little(height - 1, 3))
    let body = header + pixels + chunks.flatMap { chunk($0.0, $0.1) }
    return Array("RIFF".utf8) + Blocks.little(body.count + 4, 4) + Array("WEBP".utf8) + body
  }
}
