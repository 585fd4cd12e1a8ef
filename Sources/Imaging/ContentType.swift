package import RenderModel

/// What a file is, told from its first bytes and never from its name.
package struct ContentType: Hashable, Sendable {
  /// How many bytes are looked at.
  package static let headLength = 4096

  package var type: UniformType
  /// What a person calls it: `a Canon RAW image (CR2)`.
  package var name: String

  /// Any length will do, also none.
  package static func sniff(_ bytes: [UInt8]) -> UniformType { ContentType(bytes).type }

  package init(_ bytes: [UInt8]) {
    let head = Head(bytes)
    self =
      Self.picture(head) ?? Self.raw(head) ?? Self.container(head) ?? Self.tiff(head)
      ?? Self.unreadable(head) ?? ContentType(.data, "no picture that is known here")
  }

  init(_ type: UniformType, _ name: String) {
    self.type = type
    self.name = name
  }

  /// Formats that are read and begin with a fixed sign.
  private static func picture(_ head: Head) -> ContentType? {
    if head.has([0xFF, 0xD8, 0xFF]) { return ContentType(.jpeg, "a JPEG") }
    if head.has([0x89], "PNG", [0x0D, 0x0A, 0x1A, 0x0A]) { return ContentType(.png, "a PNG") }
    if head.has("RIFF") && head.has("WEBP", at: 8) { return ContentType(.webP, "a WebP") }
    if head.has("GIF87a") || head.has("GIF89a") { return ContentType(.gif, "a GIF") }
    if head.has([0xFF, 0x0A])
      || head.has([0, 0, 0, 0x0C], "JXL ", [0x0D, 0x0A, 0x87, 0x0A])
    {
      return ContentType(.jpegXL, "a JPEG XL")
    }
    if head.has([0, 0, 0, 0x0C], "jP  ", [0x0D, 0x0A, 0x87, 0x0A])
      || head.has([0xFF, 0x4F, 0xFF, 0x51])
    {
      return ContentType(.jpeg2000, "a JPEG 2000")
    }
    return nil
  }

  /// Formats that are not read, recognised so that they can be named.
  private static func unreadable(_ head: Head) -> ContentType? {
    if head.has("BM"), head.count >= 26, [0x0C, 0x28, 0x40, 0x6C, 0x7C].contains(head[14]) {
      return ContentType(.bmp, "a BMP")
    }
    if head.has("%PDF-") { return ContentType(.pdf, "a PDF") }
    if head.isSVG { return ContentType(.svg, "an SVG") }
    if head.has([0x1A, 0x45, 0xDF, 0xA3]) { return ContentType(.movie, "a Matroska video") }
    if head.has("RIFF") && head.has("AVI ", at: 8) { return ContentType(.movie, "an AVI video") }
    if head.has([0, 0, 1, 0xBA]) { return ContentType(.movie, "an MPEG video") }
    return other(head)
  }

  /// Pictures that nothing here reads, named so that a person knows what to do.
  private static func other(_ head: Head) -> ContentType? {
    if head.has("8BPS") { return ContentType(.photoshop, "a Photoshop document") }
    if head.has([0x76, 0x2F, 0x31, 0x01]) { return ContentType(.openEXR, "an OpenEXR") }
    if head.has("#?RADIANCE") || head.has("#?RGBE") {
      return ContentType(.radiance, "a Radiance HDR picture")
    }
    if head.has("II", [0xBC]) { return ContentType(.jpegXR, "a JPEG XR") }
    if head.has([0, 0, 1, 0]), head[4] > 0, head[5] == 0, head.count >= 22 {
      return ContentType(.icon, "a Windows icon")
    }
    return nil
  }

  /// ISO base media files, by their major and compatible brands.
  private static func container(_ head: Head) -> ContentType? {
    guard head.has("ftyp", at: 4) else {
      if ["moov", "mdat", "wide", "free", "skip"].contains(where: { head.has($0, at: 4) }) {
        return ContentType(.movie, "a QuickTime video")
      }
      return nil
    }
    let brands = head.brands
    guard let major = brands.first else { return ContentType(.movie, "a video") }
    if major == "crx " { return ContentType(.rawImage, "a Canon RAW image (CR3)") }
    if ["avif", "avis"].contains(major) { return ContentType(.avif, "an AVIF") }
    if ["heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs"].contains(major) {
      return ContentType(.heic, "a HEIC")
    }
    if ["mif1", "msf1", "mif2", "miaf", "tmap", "MiHE", "MiHB"].contains(major) {
      if brands.contains("avif") { return ContentType(.avif, "an AVIF") }
      if ["heic", "heix", "hevc", "hevx", "heim", "heis"].contains(where: brands.contains) {
        return ContentType(.heic, "a HEIC")
      }
      return ContentType(.heif, "a HEIF")
    }
    if brands.contains("avif") { return ContentType(.avif, "an AVIF") }
    if brands.contains("heic") { return ContentType(.heic, "a HEIC") }
    if major == "jxl " { return ContentType(.jpegXL, "a JPEG XL") }
    return ContentType(.movie, major == "qt  " ? "a QuickTime video" : "an MPEG-4 video")
  }
}

/// The first bytes of a file, read without running off their end.
struct Head {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = Array(bytes.prefix(ContentType.headLength)) }

  var count: Int { bytes.count }

  /// 0 beyond the end.
  subscript(offset: Int) -> UInt8 {
    bytes.indices.contains(offset) ? bytes[offset] : 0
  }

  func has(_ pieces: any HeadPiece..., at offset: Int = 0) -> Bool {
    let wanted = pieces.flatMap(\.bytes)
    return offset >= 0 && offset + wanted.count <= count
      && bytes[offset..<(offset + wanted.count)].elementsEqual(wanted)
  }

  /// nil beyond the end.
  func number(at offset: Int, bytes length: Int, bigEndian: Bool) -> Int? {
    guard offset >= 0, offset <= count - length else { return nil }
    let piece = bytes[offset..<(offset + length)]
    return (bigEndian ? Array(piece) : piece.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The major brand and then the compatible ones of an `ftyp` box.
  var brands: [String] {
    guard let size = number(at: 0, bytes: 4, bigEndian: true) else { return [] }
    let offsets = [8] + stride(from: 16, through: min(size, count) - 4, by: 4)
    return offsets.filter { $0 + 4 <= count }.map {
      String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self)
    }
  }

  var isSVG: Bool {
    var start = 0
    if has([0xEF, 0xBB, 0xBF]) { start = 3 }
    while [0x09, 0x0A, 0x0D, 0x20].contains(self[start]) { start += 1 }
    return has("<", at: start) && bytes.holds("<svg")
  }
}

/// What a sign can be written as: bytes or ASCII text.
protocol HeadPiece { var bytes: [UInt8] { get } }
extension String: HeadPiece { var bytes: [UInt8] { Array(utf8) } }
extension [UInt8]: HeadPiece { var bytes: [UInt8] { self } }
