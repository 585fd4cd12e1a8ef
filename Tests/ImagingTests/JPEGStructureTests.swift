import Imaging
import Testing

@Suite("JPEG structure")
struct JPEGStructureTests {
  static let start: [UInt8] = [0xFF, 0xD8]
  static let end: [UInt8] = [0xFF, 0xD9]

  /// A frame header for 8 x 8 pixels and components 1, 2 and 3.
  static func frame(_ marker: UInt8) -> [UInt8] {
    [0xFF, marker, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
  }

  /// A scan header and three bytes of data, one of them stuffed.
  static func scan(
    _ components: [UInt8], _ first: UInt8, _ last: UInt8, _ high: UInt8, _ low: UInt8
  ) -> [UInt8] {
    let length = UInt8(6 + 2 * components.count)
    return [0xFF, 0xDA, 0, length, UInt8(components.count)]
      + components.flatMap { [$0, 0] } + [first, last, high << 4 | low] + [0x12, 0xFF, 0, 0x34]
  }

  static func structure(_ pieces: [UInt8]...) throws -> JPEGStructure {
    let bytes = pieces.flatMap { $0 }
    let file = try TemporaryFile(bytes)
    let read = FileBytes(descriptor: file.descriptor, count: bytes.count)
    _ = file.bytes
    switch consume read {
    case .some(let bytes): return JPEGStructure(bytes)
    case .none: throw TemporaryFile.Failure(errno: 0)
    }
  }

  static let direct = scan([1, 2, 3], 0, 0, 0, 0)
  static let all: [UInt8] = (1...3).flatMap { scan([$0], 1, 63, 0, 0) }

  @Test("a progressive picture is complete with the last bit of its last coefficient")
  func progressive() throws {
    let head = Self.start + Self.frame(0xC2)
    #expect(try Self.structure(head, Self.direct, Self.all).scansAreComplete)
    #expect(try !Self.structure(head, Self.direct).scansAreComplete)
    #expect(try !Self.structure(head, Self.direct, Self.scan([1], 1, 63, 0, 0)).scansAreComplete)
    // The first component lacks its lowest bit, and then gets it.
    let rough =
      Self.scan([1], 1, 63, 0, 1) + Self.scan([2], 1, 63, 0, 0) + Self.scan([3], 1, 63, 0, 0)
    #expect(try !Self.structure(head, Self.direct, rough).scansAreComplete)
    #expect(
      try Self.structure(head, Self.direct, rough, Self.scan([1], 1, 63, 1, 0)).scansAreComplete)
  }

  @Test("a sequential picture is complete with a scan of each component")
  func sequential() throws {
    let head = Self.start + Self.frame(0xC0)
    let whole = try Self.structure(head, Self.scan([1, 2, 3], 0, 63, 0, 0), Self.end)
    #expect(whole.scansAreComplete && whole.hasEnd && !whole.isMultiScan)
    let first = try Self.structure(head, Self.scan([1], 0, 63, 0, 0))
    #expect(!first.scansAreComplete && !first.hasEnd && first.isMultiScan)
  }

  @Test("scan parameters without meaning are found where they stand")
  func parameters() throws {
    let head = Self.start + Self.frame(0xC0)
    let found = try Self.structure(head, Self.scan([1, 2, 3], 0, 7, 0, 0), Self.end)
    #expect(found.invalidScanParameters == [head.count + 5 + 6])
    #expect(
      try Self.structure(head, Self.scan([1, 2, 3], 0, 63, 0, 0)).invalidScanParameters == [])
  }

  @Test("stray bytes between segments are counted by runs")
  func strays() throws {
    let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 65, 66]
    let found = try Self.structure(
      Self.start, comment, [7, 7, 7], comment, [9], Self.frame(0xC0), Self.end)
    #expect(found.strayRuns == 2)
  }

  @Test("a gain map is announced in XMP, or stands behind the picture in a multi-picture file")
  func gainMap() throws {
    let rest = Self.frame(0xC0) + Self.scan([1, 2, 3], 0, 63, 0, 0) + Self.end
    #expect(try Self.structure(Self.start, Self.segment(0xE1, "x hdrgm:Version"), rest).hasGainMap)
    let later = Array("HDRGainMap".utf8)
    #expect(try Self.structure(Self.start, Self.segment(0xE2, "MPF\0"), rest, later).hasGainMap)
    #expect(try !Self.structure(Self.start, rest, later).hasGainMap)
  }

  static func segment(_ marker: UInt8, _ text: String) -> [UInt8] {
    [0xFF, marker, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
  }

  static let announcements: [(text: String, losses: [String])] = [
    ("xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' a:Rating='4'", []),
    ("xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'", ["gainMap"]),
    ("xmlns:g = \"http://ns.adobe.com/hdr-gain-map/1.0/\" g:Version='1.0'", ["gainMap"]),
    ("Item:Semantic=\"Primary\"/> Item:Semantic=\"GainMap\"", ["gainMap"]),
    ("<Item:Semantic>GainMap</Item:Semantic>", ["gainMap"]),
    ("Item:Semantic='MotionPhoto'", []),
    ("xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/'", []),
    ("<HDRGainMap:HDRGainMapVersion>65536<", ["gainMap"]),
    ("xmlns:GDepth='http://ns.google.com/photos/1.0/depthmap/'", []),
    ("xmlns:GDepth='http://ns.google.com/photos/1.0/depthmap/' GDepth:Near='1'", ["depth"]),
  ]

  @Test("a map is announced by a property, not by a namespace alone", arguments: announcements)
  func announcement(text: String, losses: [String]) throws {
    let rest = Self.frame(0xC0) + Self.scan([1, 2, 3], 0, 63, 0, 0) + Self.end
    #expect(try Self.structure(Self.start, Self.segment(0xE1, text), rest).losses == losses)
  }

  @Test("a gain map of ISO 21496-1 is announced in a segment of its own")
  func standardGainMap() throws {
    let rest = Self.frame(0xC0) + Self.scan([1, 2, 3], 0, 63, 0, 0) + Self.end
    let sign = Self.segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0")
    #expect(try Self.structure(Self.start, sign, rest).losses == ["gainMap"])
    let index = Self.segment(0xE2, "MPF\0")
    #expect(try Self.structure(Self.start, index, rest, sign).losses == ["gainMap"])
  }

  @Test("any prefix is walked without harm")
  func prefixes() throws {
    let whole =
      Self.start + Self.frame(0xC2) + Self.direct + Self.all + Self.end + [0xFF, 0xFF, 0xFF]
    for length in 0...whole.count {
      let found = try Self.structure(Array(whole.prefix(length)))
      #expect(found.hasEnd == (length >= whole.count - 3))
    }
  }
}
