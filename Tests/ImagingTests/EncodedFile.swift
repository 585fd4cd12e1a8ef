/// Reads the headers of encoded files by hand, independently of every library.
struct EncodedFile {
  let bytes: [UInt8]

  func number(_ offset: Int, _ count: Int, littleEndian: Bool = false) -> Int {
    guard offset >= 0, offset + count <= bytes.count else { return -1 }
    let part = Array(bytes[offset..<(offset + count)])
    return (littleEndian ? part.reversed() : part).reduce(0) { $0 << 8 | Int($1) }
  }

  func first(_ sign: [UInt8]) -> Int? {
    guard bytes.count >= sign.count else { return nil }
    return (0...(bytes.count - sign.count)).first {
      bytes[$0] == sign[0] && bytes[$0..<($0 + sign.count)].elementsEqual(sign)
    }
  }

  func first(_ text: String) -> Int? { first(Array(text.utf8)) }

  // MARK: JPEG

  /// The marker of the frame, `0xC0` baseline or `0xC2` progressive, and its segment (ITU-T T.81, B.2.2).
  var jpegFrame: (marker: UInt8, precision: Int, sampling: [Int])? {
    var offset = 2
    while offset + 4 < bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      if [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) {
        let components = Int(bytes[offset + 9])
        return (
          marker, Int(bytes[offset + 4]),
          (0..<components).map { Int(bytes[offset + 11 + 3 * $0]) }
        )
      }
      offset += 2 + number(offset + 2, 2)
    }
    return nil
  }

  /// The number of segments of Huffman tables.
  var jpegHuffmanBytes: Int {
    var offset = 2
    var total = 0
    while offset + 4 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] != 0xDA {
      if bytes[offset + 1] == 0xC4 { total += number(offset + 2, 2) }
      offset += 2 + number(offset + 2, 2)
    }
    return total
  }

  // MARK: PNG

  /// Bit depth and interlace method of IHDR (PNG specification, 11.2.1).
  var pngHeader: (depth: Int, interlace: Int) { (number(24, 1), number(28, 1)) }

  // MARK: TIFF

  /// The values of a tag of the first directory of a little-endian classic TIFF.
  func tiff(_ tag: Int) -> [Int] {
    let start = number(4, 4, littleEndian: true)
    for index in 0..<max(0, number(start, 2, littleEndian: true)) {
      let entry = start + 2 + 12 * index
      guard number(entry, 2, littleEndian: true) == tag else { continue }
      let size = number(entry + 2, 2, littleEndian: true) == 3 ? 2 : 4
      let count = number(entry + 4, 4, littleEndian: true)
      let place = size * count <= 4 ? entry + 8 : number(entry + 8, 4, littleEndian: true)
      return (0..<count).map { number(place + size * $0, size, littleEndian: true) }
    }
    return []
  }

  // MARK: WebP

  /// `VP8 ` or `VP8L`, the chunk of the picture (RFC 9649).
  var webPChunk: String? {
    var offset = 12
    while offset + 8 <= bytes.count {
      let name = String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
      if name == "VP8 " || name == "VP8L" { return name }
      offset += 8 + (number(offset + 4, 4, littleEndian: true) + 1) / 2 * 2
    }
    return nil
  }

  // MARK: HEIF

  /// Profile, depth and chroma of `av1C` (AV1 in ISOBMFF, 2.3.3).
  var av1: (profile: Int, depth: Int, chroma: String)? {
    guard let start = first("av1C") else { return nil }
    let flags = bytes[start + 6]
    let depth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
    let chroma = flags & 0x08 == 0 ? "4:4:4" : flags & 0x04 == 0 ? "4:2:2" : "4:2:0"
    return (Int(bytes[start + 5] >> 5), depth, chroma)
  }

  /// Depth and chroma of `hvcC` (ISO/IEC 14496-15, 8.3.3.1).
  var hevc: (depth: Int, chroma: String)? {
    guard let start = first("hvcC").map({ $0 + 4 }) else { return nil }
    let chroma = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"][Int(bytes[start + 16] & 3)]
    return (Int(bytes[start + 17] & 7) + 8, chroma)
  }

  // MARK: JPEG XL

  var isJPEGXL: Bool {
    bytes.starts(with: [0xFF, 0x0A])
      || bytes.starts(with: [0, 0, 0, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A])
  }
}
