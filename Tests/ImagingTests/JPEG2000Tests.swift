import ColourEngine
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("JPEG 2000")
  struct JPEG2000Files {
    static let kinds: [(name: String, bytes: [UInt8])] = [
      ("colour", CodedJPEG2000.colour), ("codestream", CodedJPEG2000.codestream),
      ("opacity", CodedJPEG2000.opacity), ("tiles", CodedJPEG2000.tiles),
    ]

    @Test("lossless samples come out as they were drawn", arguments: kinds)
    func exact(name: String, bytes: [UInt8]) throws {
      let file = try TemporaryFile(bytes)
      #expect(try file.opened().get().header.type == .jpeg2000)
      let picture = try Render(file, [Rendition(name: "r", type: .png)]).decoded()
      #expect(picture.size == PixelSize(width: 32, height: 20))
      #expect(picture.bands == (name == "opacity" ? 4 : 3))
      for (x, y) in [(0, 0), (20, 7), (31, 19), (16, 16)] where name != "opacity" || x >= 16 {
        #expect(Array(picture.pixel(x, y).prefix(3)) == [60 + 4 * x, 60 + 6 * y, 128], "\(name)")
      }
      if name == "opacity" { #expect(picture[3, 3, 3] == 0 && picture[20, 3, 3] == 255) }
    }

    @Test("sixteen bits stay")
    func deep() throws {
      let rendition = Rendition(name: "r", type: .png, bitDepth: 16)
      let picture = try Render(TemporaryFile(CodedJPEG2000.deepGrey), [rendition]).decoded()
      for x in 0..<32 { #expect(abs(picture.deep(x, 9, 0) - 2000 * x) <= 1) }
    }

    static func render(
      _ bytes: [UInt8], _ space: Rendition.ColorSpace = .sRGB, deep: Bool = false
    ) throws -> (result: RenderResult, picture: PixelBuffer) {
      let rendition = Rendition(
        name: "r", type: .png, bitDepth: deep ? 16 : nil, colorSpace: space)
      let render = try Render(TemporaryFile(bytes), [rendition])
      return (render.result, try render.decoded())
    }

    /// A file with another box in the place of the one that says what the colours are.
    static func replacing(_ bytes: [UInt8], colours: [UInt8], adding more: [UInt8] = []) -> [UInt8]
    {
      let file = EncodedFile(bytes: bytes)
      guard let header = file.first("jp2h"), let colour = file.first("colr") else { return [] }
      let oldLength = file.number(colour - 4, 4)
      let new = HandMade.big(colours.count + 8, 4) + Array("colr".utf8) + colours + more
      let length = file.number(header - 4, 4) - oldLength + new.count
      return Array(bytes[..<(header - 4)]) + HandMade.big(length, 4)
        + bytes[header..<(colour - 4)] + new + bytes[(colour - 4 + oldLength)...]
    }

    static func enumerated(_ number: Int) -> [UInt8] { [1, 0, 0] + HandMade.big(number, 4) }

    @Test("sYCC is converted, with differences at every pixel or at fewer")
    func lumaAndDifferences() throws {
      // IEC 61966-2-1, annex G: the numbers of ITU-T T.871.
      func wanted(_ luma: Int, _ blue: Int, _ red: Int) -> [Double] {
        let (y, b, r) = (Double(luma), Double(blue) - 128, Double(red) - 128)
        return [y + 1.402 * r, y - 0.344136 * b - 0.714136 * r, y + 1.772 * b]
          .map { min(max($0, 0), 255) }
      }
      func check(_ bytes: [UInt8], _ codes: (Int, Int) -> (Int, Int, Int)) throws {
        let (_, picture) = try Self.render(Self.replacing(bytes, colours: Self.enumerated(18)))
        for (x, y) in [(0, 0), (7, 3), (20, 8), (31, 19)] {
          let (luma, blue, red) = codes(x, y)
          let expected = wanted(luma, blue, red)
          for band in 0..<3 {
            #expect(abs(Double(picture[x, y, band]) - expected[band]) <= 1, "(\(x), \(y))")
          }
        }
      }
      try check(CodedJPEG2000.colour) { x, y in (60 + 4 * x, 60 + 6 * y, 128) }
      try check(CodedJPEG2000.halved) { x, y in (60 + 4 * x, 60 + 6 * y, 200 - 2 * (x & ~1)) }
      try check(CodedJPEG2000.quartered) { x, y in
        (60 + 4 * x, 60 + 6 * (y & ~1), 200 - 2 * (x & ~1))
      }
    }

    @Test("an embedded profile is honoured, restricted or any", arguments: [2, 3] as [UInt8])
    func profile(method: UInt8) throws {
      let bytes = Self.replacing(
        CodedJPEG2000.colour, colours: [method, 0, 0] + EmbeddedProfile.displayP3)
      #expect(try TemporaryFile(bytes).opened().get().header.profile == "Display P3")
      let (result, picture) = try Self.render(bytes)
      #expect(!result.losses.contains("profile"))
      // Display P3 to sRGB, worked out with NumPy from the two sets of primaries.
      for (x, y, wanted) in [(0, 0, [60, 60, 132.5]), (20, 7, [146.9, 100, 129.5])] {
        for band in 0..<3 { #expect(abs(Double(picture[x, y, band]) - wanted[band]) <= 1) }
      }
      #expect(try Self.render(bytes, .source).result.outputs[0].profile == "Display P3")
    }

    @Test("a place on the reference grid leaves no edges")
    func offset() throws {
      let (_, picture) = try Self.render(
        Self.replacing(CodedJPEG2000.offset, colours: Self.enumerated(16)))
      #expect(picture.size == PixelSize(width: 32, height: 20))
      for (x, y) in [(0, 0), (31, 0), (0, 19), (31, 19), (9, 9)] {
        #expect(picture.pixel(x, y) == [60 + 4 * x, 60 + 6 * y, 128])
      }
    }

    @Test(
      "few bits use the whole range",
      arguments: [
        (1, CodedJPEG2000.oneBit), (2, CodedJPEG2000.twoBits), (4, CodedJPEG2000.fourBits),
      ])
    func fewBits(bits: Int, bytes: [UInt8]) throws {
      let most = 1 << bits - 1
      let (_, picture) = try Self.render(bytes)
      for x in 0..<32 { #expect(picture[x, 5, 0] == 255 * (x & most) / most) }
    }

    @Test("signed numbers begin in the middle")
    func signed() throws {
      let (_, picture) = try Self.render(CodedJPEG2000.signed)
      for x in [0, 9, 31] { #expect(picture[x, 5, 0] == 4 * x - 60 + 128) }
    }

    @Test("a palette is looked up, and channels are put in their order")
    func channels() throws {
      func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        HandMade.big(body.count + 8, 4) + Array(type.utf8) + body
      }
      let palette = box(
        "pclr",
        HandMade.big(4, 2) + [3, 7, 7, 7] + [1, 2, 3, 50, 60, 70, 128, 0, 9, 255, 254, 253])
      // Of the first component, each column once; blue comes first.
      let mapping = box("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
      let order = box(
        "cdef", [0, 3, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0, 0, 2, 0, 2, 0, 0, 0, 1])
      let bytes = Self.replacing(
        CodedJPEG2000.twoBits, colours: Self.enumerated(16), adding: palette + mapping + order)
      let (_, picture) = try Self.render(bytes)
      for (x, wanted) in [[3, 2, 1], [70, 60, 50], [9, 0, 128], [253, 254, 255]].enumerated() {
        #expect(picture.pixel(x, 4) == wanted)
      }
    }

    @Test("Exif with its orientation, XMP and IPTC of boxes are kept")
    func metadata() throws {
      func user(_ sign: [UInt8], _ data: [UInt8]) -> [UInt8] {
        HandMade.big(data.count + 24, 4) + Array("uuid".utf8) + sign + data
      }
      let xmp: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
        0xAC,
      ]
      let iptc: [UInt8] = [
        0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD,
        0x38,
      ]
      let bytes =
        CodedJPEG2000.colour + user(Array("JpgTiffExif->JP2".utf8), LadenPhoto.exif())
        + user(xmp, LadenPhoto.xmp) + user(iptc, LadenPhoto.iptc)
      let file = try TemporaryFile(bytes)
      let header = try file.opened().get().header
      #expect(header.orientation == 6)
      #expect(header.captured == "2024-11-06T14:52:37.03-07:00")
      let render = try Render(file, [Rendition(name: "r", type: .jpeg)])
      #expect(render.result.losses.isEmpty)
      let output = render.files[0].bytes
      for text in ["Boxmaker", "Agency", "K\u{F6}ln", "photoshop:City"] {
        #expect(output.holds(text), "\(text)")
      }
      #expect(try render.decoded().size == PixelSize(width: 20, height: 32))
      // A box that is cut off behind the whole picture.
      let cut = try TemporaryFile(Array(bytes.dropLast(9)))
      let failure = #expect(throws: RenderFailure.self) {
        try Render(cut, [Rendition(name: "r", type: .png)])
      }
      #expect(failure?.code == .truncated)
      let tolerant = try Render(cut, [Rendition(name: "r", type: .png)], tolerant: true)
      #expect(!tolerant.result.damage.isEmpty)
    }

    @Test("Lab is refused by name")
    func lab() throws {
      let bytes = Self.replacing(CodedJPEG2000.colour, colours: Self.enumerated(14))
      let failure = #expect(throws: RenderFailure.self) { try Self.render(bytes) }
      #expect(failure?.code == .unsupportedType)
      #expect(failure?.detail.contains("Lab") == true)
    }

    @Test("what is cut off is no success", arguments: [1, 2, 3, 10, 60, 150, 250])
    func cutOff(missing: Int) throws {
      for bytes in [CodedJPEG2000.colour, CodedJPEG2000.codestream, CodedJPEG2000.tiles]
      where bytes.count > missing + 20 {
        let file = try TemporaryFile(Array(bytes.dropLast(missing)))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(file, [Rendition(name: "r", type: .png)])
        }
        #expect([.truncated, .unreadable].contains(failure?.code), "\(failure?.detail ?? "")")
      }
    }
  }
}
