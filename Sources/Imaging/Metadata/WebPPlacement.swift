import RenderModel

/// Metadata as chunks of a WebP after its pixels.
enum WebPPlacement {
  private struct Chunk {
    var type: String
    /// With type, length and padding.
    var whole: Range<Int>
  }

  private static let exifFlag: UInt8 = 0x08
  private static let xmpFlag: UInt8 = 0x04

  static func put(
    _ metadata: EncodedMetadata, into file: EncodedFile, _ size: PixelSize
  ) throws(LibraryError) {
    var chunks = try chunks(of: file)
    for chunk in chunks.reversed() where ["EXIF", "XMP "].contains(chunk.type) {
      try file.replace(chunk.whole, with: [])
    }
    chunks = try self.chunks(of: file)
    var tail: [UInt8] = []
    if let exif = metadata.exif { tail += made("EXIF", exif) }
    if let xmp = metadata.xmp { tail += made("XMP ", xmp) }
    let flags =
      (metadata.exif != nil ? exifFlag : 0) | (metadata.xmp != nil ? xmpFlag : 0)
    if let header = chunks.first(where: { $0.type == "VP8X" }) {
      let place = header.whole.lowerBound + 8
      let old = try file.bytes(place..<(place + 1))[0]
      try file.write([old & ~(exifFlag | xmpFlag) | flags], at: place)
    } else if !tail.isEmpty {
      try file.replace(12..<12, with: extendedHeader(flags, chunks, size, try file.bytes(0..<32)))
    }
    try file.write(tail, at: file.count)
    try file.write(little(file.count - 8, 4), at: 4)
  }

  /// The digest covers the chunks that hold pixels, and the profile.
  static func pixelDigest(of file: EncodedFile) throws(LibraryError) -> String {
    let checksum = Checksum()
    for chunk in try chunks(of: file) where !["EXIF", "XMP ", "VP8X"].contains(chunk.type) {
      try checksum.add(file, chunk.whole)
    }
    return checksum.text
  }

  private static func chunks(of file: EncodedFile) throws(LibraryError) -> [Chunk] {
    let count = file.count
    guard count >= 20 else { throw LibraryError(text: "the WebP is cut off") }
    var chunks: [Chunk] = []
    var position = 12
    while position + 8 <= count {
      let head = try file.bytes(position..<(position + 8))
      let length = head[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = position + 8 + (length + 1) & ~1
      guard position + 8 + length <= count else {
        throw LibraryError(text: "a chunk of the WebP is cut off")
      }
      chunks.append(
        Chunk(type: String(decoding: head[..<4], as: UTF8.self), whole: position..<min(end, count)))
      position = end
    }
    return chunks
  }

  private static func extendedHeader(
    _ flags: UInt8, _ chunks: [Chunk], _ size: PixelSize, _ head: [UInt8]
  ) -> [UInt8] {
    // A lossless picture says in its fifth byte's fifth bit of numbers whether it has alpha.
    let hasAlpha = chunks.first?.type == "VP8L" && head.count > 24 && head[24] & 0x10 != 0
    let fields = [flags | (hasAlpha ? 0x10 : 0), 0, 0, 0]
    return made("VP8X", fields + little(size.width - 1, 3) + little(size.height - 1, 3))
  }

  private static func made(_ type: String, _ data: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
