/// Metadata as chunks of a PNG before its pixels.
enum PNGPlacement {
  private static let metadata = ["eXIf", "iTXt", "tEXt", "zTXt", "tIME", "caBX", "pHYs"]

  static func put(_ metadata: EncodedMetadata, into file: EncodedFile) throws(LibraryError) {
    let chunks = try chunks(of: file)
    guard let pixels = chunks.first(where: { $0.type == "IDAT" }) else {
      throw LibraryError(text: "the encoded PNG has no pixels")
    }
    let replaced = chunks.filter { Self.metadata.contains($0.type) }
    for late in replaced.reversed() where late.whole.lowerBound > pixels.whole.lowerBound {
      try file.replace(late.whole, with: [])
    }
    var head: [UInt8] = []
    let end = pixels.whole.lowerBound
    let start = min(replaced.first?.whole.lowerBound ?? end, end)
    for chunk in chunks where chunk.whole.lowerBound >= start && chunk.whole.upperBound <= end {
      if !Self.metadata.contains(chunk.type) { head += try file.bytes(chunk.whole) }
    }
    if let density = metadata.density { head += made("pHYs", density.physical) }
    if let exif = metadata.exif { head += made("eXIf", exif) }
    if let xmp = metadata.xmp {
      // Keyword, not compressed, no language, no translated keyword.
      head += made("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
    }
    try file.replace(start..<end, with: head)
  }

  /// The digest covers all chunks but those of metadata.
  static func pixelDigest(of file: EncodedFile) throws(LibraryError) -> String {
    let checksum = Checksum()
    for chunk in try chunks(of: file) where !metadata.contains(chunk.type) {
      try checksum.add(file, chunk.whole)
    }
    return checksum.text
  }

  private static func chunks(of file: EncodedFile) throws(LibraryError) -> [PNGChunk] {
    let count = file.count
    var chunks: [PNGChunk] = []
    var position = PNGChunk.start
    while position + PNGChunk.least <= count {
      guard let chunk = PNGChunk(try file.bytes(position..<(position + 8)), at: position),
        chunk.whole.upperBound <= count
      else { throw LibraryError(text: "a chunk of the PNG is cut off") }
      chunks.append(chunk)
      position = chunk.whole.upperBound
    }
    return chunks
  }

  private static func made(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(crc(body)))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
