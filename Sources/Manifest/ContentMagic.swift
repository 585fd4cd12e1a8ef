package import RenderModel

/// The type of a file, told from its first bytes alone.
///
/// Fixed signs, the brands of ISO base media files, a TIFF's first directory and the beginning of an SVG
/// are looked at, as far as they lie in these bytes; the worker looks at the whole file.
package enum ContentMagic {
  /// Bytes to read of each file.
  static let length = 1024

  package static func type(of bytes: [UInt8]) -> UniformType {
    for (start, type) in prefixes where bytes.starts(with: start) {
      return type == .tiff ? RAWMagic.type(of: bytes) ?? .tiff : type
    }
    if bytes.starts(with: Array("RIFF".utf8)), slice(bytes, 8, 4) == "WEBP" { return .webP }
    if slice(bytes, 4, 4) == "ftyp" { return isoType(bytes) }
    // Two letters alone would take many a text for a picture; four reserved bytes are always 0.
    if slice(bytes, 0, 2) == "BM", slice(bytes, 6, 4) == "\0\0\0\0" { return .bmp }
    if isSVG(bytes) { return .svg }
    return .data
  }

  /// In the order in which they are tried: the longer of two that begin alike is first.
  private static let prefixes: [([UInt8], UniformType)] = [
    ([0xFF, 0xD8, 0xFF], .jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF87a".utf8), .gif),
    (Array("GIF89a".utf8), .gif),
    // Raw files of Canon, Olympus, Panasonic, Fujifilm, Minolta and Sigma; most others are TIFF inside.
    ([0x49, 0x49, 0x2A, 0x00, 0x10, 0x00, 0x00, 0x00, 0x43, 0x52], .rawImage),
    (Array("IIRO".utf8), .rawImage),
    (Array("IIRS".utf8), .rawImage),
    (Array("MMOR".utf8), .rawImage),
    ([0x49, 0x49, 0x55, 0x00], .rawImage),
    (Array("FUJIFILMCCD-RAW".utf8), .rawImage),
    (Array("\0MRM".utf8), .rawImage),
    (Array("FOVb".utf8), .rawImage),
    ([0x49, 0x49, 0x2A, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
    ([0x49, 0x49, 0x2B, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2B], .tiff),
    ([0xFF, 0x0A], .jpegXL),
    ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpegXL),
    ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
    ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
    (Array("%PDF-".utf8), .pdf),
  ]

  /// ISO base media files: the first brand that says something, the major one before the others.
  private static func isoType(_ bytes: [UInt8]) -> UniformType {
    let declared = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(bytes.count, declared == 0 ? bytes.count : max(declared, 12))
    var brands = [slice(bytes, 8, 4)]
    brands += stride(from: 16, to: max(16, end - 3), by: 4).map { slice(bytes, $0, 4) }
    // A generic image brand says nothing when a compatible one names the coding.
    for brand in brands {
      switch brand {
      case "avif", "avis": return .avif
      case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heic
      case "crx ": return .rawImage
      default: continue
      }
    }
    if brands.contains("mif1") || brands.contains("msf1") || brands.contains("mif2") {
      return .heif
    }
    return .movie
  }

  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.hasPrefix("<svg") || (start.hasPrefix("<?xml") && start.contains("<svg"))
  }

  private static func slice(_ bytes: [UInt8], _ start: Int, _ count: Int) -> String {
    guard start + count <= bytes.count else { return "" }
    return String(decoding: bytes[start..<(start + count)], as: UTF8.self)
  }
}
