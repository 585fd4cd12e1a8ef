import Imaging
import RenderModel
import Testing

@Suite("Content type")
struct ContentTypeTests {
  static func box(_ major: String, _ compatible: [String] = []) -> [UInt8] {
    let size = UInt8(16 + 4 * compatible.count)
    return [0, 0, 0, size] + Array("ftyp".utf8) + Array(major.utf8) + [0, 0, 0, 0]
      + compatible.flatMap { Array($0.utf8) }
  }

  /// A TIFF with one directory of SHORT or LONG entries, and a maker where asked for.
  static func tiff(_ entries: [(Int, Int)], maker: String? = nil, big: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return big ? bytes.reversed() : bytes
    }
    let all = entries.map { ($0.0, 4, 1, $0.1) }
    let count = all.count + (maker == nil ? 0 : 1)
    let end = 8 + 2 + 12 * count + 4
    var result: [UInt8] = Array((big ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    result += number(count, 2)
    for (tag, type, length, value) in all {
      result += number(tag, 2) + number(type, 2) + number(length, 4) + number(value, 4)
    }
    if let maker {
      result += number(0x010F, 2) + number(2, 2) + number(maker.utf8.count + 1, 4) + number(end, 4)
    }
    return result + number(0, 4) + Array((maker ?? "").utf8) + [0]
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var type: UniformType
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "JPEG", bytes: [0xFF, 0xD8, 0xFF, 0xE0], type: .jpeg),
    Case(name: "JPEG cut to two bytes", bytes: [0xFF, 0xD8], type: .data),
    Case(name: "PNG", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], type: .png),
    Case(name: "WebP", bytes: Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), type: .webP),
    Case(name: "AVI", bytes: Array("RIFF\u{1}\u{2}\u{3}\u{4}AVI LIST".utf8), type: .movie),
    Case(name: "GIF", bytes: Array("GIF89a".utf8), type: .gif),
    Case(name: "TIFF", bytes: tiff([(256, 10), (257, 10)]), type: .tiff),
    Case(name: "TIFF, big endian", bytes: tiff([(256, 10)], big: true), type: .tiff),
    Case(name: "TIFF cut to four bytes", bytes: [0x49, 0x49, 0x2A, 0], type: .tiff),
    Case(name: "BigTIFF", bytes: [0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0], type: .tiff),
    Case(
      name: "camera TIFF that is a picture", bytes: tiff([(0x0103, 1)], maker: "NIKON"),
      type: .tiff),
    Case(name: "DNG", bytes: tiff([(0xC612, 0x0401)]), type: .dng),
    Case(
      name: "CR2", bytes: [0x49, 0x49, 0x2A, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], type: .rawImage),
    Case(
      name: "NEF",
      bytes: tiff([(0x00FE, 1), (0x014A, 300)], maker: "NIKON CORPORATION", big: true),
      type: .rawImage),
    Case(
      name: "ARW", bytes: tiff([(0x00FE, 1), (0x014A, 300)], maker: "SONY"), type: .rawImage),
    Case(name: "ARW by compression", bytes: tiff([(0x0103, 32_767)]), type: .rawImage),
    Case(name: "PEF", bytes: tiff([(0x0103, 65_535)], big: true), type: .rawImage),
    Case(name: "DCR", bytes: tiff([(0x0103, 65_000)], big: true), type: .rawImage),
    Case(name: "sensor data", bytes: tiff([(0x0106, 32_803)]), type: .rawImage),
    Case(name: "RW2", bytes: Array("IIU\0".utf8) + [24, 0, 0, 0], type: .rawImage),
    Case(name: "ORF", bytes: Array("IIRO".utf8), type: .rawImage),
    Case(name: "RAF", bytes: Array("FUJIFILMCCD-RAW 0201".utf8), type: .rawImage),
    Case(
      name: "CRW", bytes: Array("II".utf8) + [0x1A, 0, 0, 0] + Array("HEAPCCDR".utf8),
      type: .rawImage),
    Case(name: "CR3", bytes: box("crx ", ["crx ", "isom"]), type: .rawImage),
    Case(name: "HEIC", bytes: box("heic", ["mif1", "heic"]), type: .heic),
    Case(name: "HEIC by compatible brand", bytes: box("mif1", ["mif1", "heic"]), type: .heic),
    Case(name: "HEIF", bytes: box("mif1", ["mif1", "miaf"]), type: .heif),
    Case(name: "AVIF", bytes: box("avif", ["mif1"]), type: .avif),
    Case(name: "AVIF by compatible brand", bytes: box("mif1", ["avif"]), type: .avif),
    Case(name: "MP4", bytes: box("isom", ["isom", "mp42"]), type: .movie),
    Case(name: "QuickTime", bytes: box("qt  "), type: .movie),
    Case(name: "old QuickTime", bytes: [0, 0, 0, 8] + Array("moov".utf8), type: .movie),
    Case(
      name: "Photoshop", bytes: Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 3],
      type: .photoshop),
    Case(name: "OpenEXR", bytes: [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0], type: .openEXR),
    Case(name: "Radiance", bytes: Array("#?RADIANCE\n".utf8), type: .radiance),
    Case(name: "JPEG XR", bytes: [0x49, 0x49, 0xBC, 1, 8, 0, 0, 0], type: .jpegXR),
    Case(
      name: "Windows icon",
      bytes: [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 1, 0, 0, 22, 0, 0, 0, 0, 0],
      type: .icon),
    Case(name: "JPEG XL codestream", bytes: [0xFF, 0x0A, 1, 2], type: .jpegXL),
    Case(
      name: "JPEG XL container",
      bytes: [0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], type: .jpegXL),
    Case(
      name: "JPEG 2000", bytes: [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A],
      type: .jpeg2000),
    Case(
      name: "BMP",
      bytes: Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [0x28]
        + [UInt8](repeating: 0, count: 20), type: .bmp),
    Case(name: "text that begins with BM", bytes: Array("BMW and other makers".utf8), type: .data),
    Case(name: "PDF", bytes: Array("%PDF-1.7".utf8), type: .pdf),
    Case(
      name: "SVG", bytes: Array("<?xml version=\"1.0\"?>\n<svg xmlns=\"x\"/>".utf8), type: .svg),
    Case(name: "text", bytes: Array("this is not a picture".utf8), type: .data),
    Case(name: "nothing", bytes: [], type: .data),
  ]

  @Test("files are recognised by their bytes", arguments: cases)
  func recognised(each: Case) {
    #expect(ContentType.sniff(each.bytes) == each.type)
    #expect(!ContentType(each.bytes).name.isEmpty)
  }

  @Test(
    "sensor data is told by the maker's compression, and named",
    arguments: [
      (34_713, "Nikon"), (32_767, "Sony"), (65_535, "Pentax"), (65_000, "Kodak"),
    ])
  func compressions(number: Int, maker: String) {
    let content = ContentType(Self.tiff([(0x0103, number)]))
    #expect(content.type == .rawImage)
    #expect(content.name.contains(maker))
  }

  @Test("any prefix of any of them is looked at without harm", arguments: cases)
  func prefixes(each: Case) {
    for length in 0...each.bytes.count {
      let type = ContentType.sniff(Array(each.bytes.prefix(length)))
      if length == each.bytes.count { #expect(type == each.type) }
    }
  }

  @Test("a directory that points anywhere does no harm")
  func hostileDirectory() {
    for offset: UInt8 in [0, 4, 7, 200, 255] {
      let bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, offset, offset, offset, offset, 0xFF, 0xFF]
      #expect(ContentType.sniff(bytes) == .tiff)
    }
  }
}

extension ImagingTests {
  @Suite("Pixels that look like marks")
  struct MarksInPixels {
    @Test(
      "a TIFF whose first pixels spell a maker's mark is a TIFF", arguments: ["CR", "IIII", "MMMM"])
    func pixels(mark: String) throws {
      // Directory behind the pixels, as writers that stream lay it out: pixels at byte 8.
      let pixels = Array(mark.utf8) + [UInt8](repeating: 7, count: 60)
      func short(_ tag: Int, _ value: Int) -> [UInt8] {
        [UInt8(tag & 255), UInt8(tag >> 8), 3, 0, 1, 0, 0, 0, UInt8(value), 0, 0, 0]
      }
      var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, UInt8(8 + pixels.count), 0, 0, 0] + pixels
      bytes += [8, 0] + short(256, 8) + short(257, pixels.count / 8) + short(258, 8)
      bytes += short(259, 1) + short(262, 1) + short(273, 8) + short(278, pixels.count / 8)
      bytes += short(279, pixels.count) + [0, 0, 0, 0]
      let header = try TemporaryFile(bytes).opened().get().header
      #expect(header.type == .tiff)
      #expect(header.width == 8)
    }
  }
}

extension ImagingTests {
  @Suite("Refused types")
  struct RefusedTypes {
    @Test(
      "what is not rendered is refused by its name",
      arguments: ContentTypeTests.cases.filter { !UniformType.readable.contains($0.type) })
    func refused(each: ContentTypeTests.Case) throws {
      let file = try TemporaryFile(each.bytes)
      guard
        case .failure(let failure) = file.opened(limits: RenderLimits(), tolerant: true)
      else {
        Issue.record("it was opened")
        return
      }
      if each.bytes.isEmpty {
        #expect(failure.code == .unreadable)
      } else {
        #expect(failure.code == .unsupportedType)
        #expect(failure.detail.contains(ContentType(each.bytes).name))
      }
    }

    @Test("a descriptor that is not open is unreadable")
    func closed() {
      guard
        case .failure(let failure) = OpenedPicture.open(
          descriptor: 987_654, limits: RenderLimits(), tolerant: false)
      else {
        Issue.record("it was opened")
        return
      }
      #expect(failure.code == .unreadable)
    }
  }
}
