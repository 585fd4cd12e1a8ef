import ColourEngine
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  /// The PNG specification, third edition: eXIf and texts may stand behind the pixels.
  @Suite("Chunks of PNG")
  struct PNGChunkTests {
    /// With chunks right before the end.
    static func trailing(_ bytes: [UInt8], _ chunks: [[UInt8]]) -> [UInt8] {
      Array(bytes.dropLast(12)) + chunks.flatMap { $0 } + bytes.suffix(12)
    }

    static let xmpText = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + LadenPhoto.xmp

    /// ImageMagick's way: a name, a length and digits.
    static func raw(_ name: String, _ block: [UInt8]) -> [UInt8] {
      var text = "Raw profile type \(name)\0\n\(name)\n    \(block.count)\n"
      for (index, byte) in block.enumerated() {
        let digits = Array("0123456789abcdef")
        text += "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        if index % 36 == 35 { text += "\n" }
      }
      return Containers.pngChunk("tEXt", Array((text + "\n").utf8))
    }

    static let arrangements: [(name: String, chunks: [[UInt8]])] = [
      (
        "chunks",
        [Containers.pngChunk("eXIf", LadenPhoto.exif()), Containers.pngChunk("iTXt", xmpText)]
      ),
      (
        "texts",
        [
          raw("exif", Array("Exif\0\0".utf8) + LadenPhoto.exif()), raw("xmp", LadenPhoto.xmp),
          raw("iptc", LadenPhoto.iptc),
        ]
      ),
      (
        "segments",
        [
          raw("APP1", Array("Exif\0\0".utf8) + LadenPhoto.exif()),
          raw("APP1", Array("http://ns.adobe.com/xap/1.0/\0".utf8) + LadenPhoto.xmp),
        ]
      ),
    ]

    @Test(
      "metadata count before the pixels and behind them", arguments: arrangements, [true, false])
    func metadata(arrangement: (name: String, chunks: [[UInt8]]), isBehind: Bool) throws {
      let drawing = try LadenPhoto.drawing().file(.png).bytes
      let bytes =
        isBehind
        ? Self.trailing(drawing, arrangement.chunks) : Containers.png(drawing, arrangement.chunks)
      let file = try TemporaryFile(bytes)
      let header = try file.opened().get().header
      #expect(header.orientation == 6)
      #expect(header.captured == "2024-11-06T14:52:37.03-07:00")
      let render = try Render(file, [Rendition(name: "r", type: .jpeg)])
      #expect(render.result.losses.isEmpty)
      #expect(try render.decoded().size == PixelSize(width: 40, height: 60))
      let output = render.files[0].bytes
      #expect(output.holds("Boxmaker") && output.holds("Agency"))
      if arrangement.name == "texts" { #expect(output.holds("K\u{F6}ln")) }
    }

    @Test("texts that are no digits or too few are passed over")
    func brokenTexts() throws {
      let drawing = try Drawing.scene(8, 8).file(.png).bytes
      let texts = ["\nexif\n 10\nzz", "\nexif\n 10\n0011", "\nexif\n-1\n00", "exif", "\n\n\n", ""]
      let chunks = texts.map { text in
        Containers.pngChunk("tEXt", Array("Raw profile type exif\0\(text)".utf8))
      }
      let render = try Render(
        TemporaryFile(Self.trailing(drawing, chunks)), [Rendition(name: "r", type: .png)])
      #expect(render.result.losses.isEmpty)
    }

    /// A stream of zlib of stored blocks (RFC 1950 and 1951).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
      var (a, b) = (1, 0)
      for byte in bytes {
        a = (a + Int(byte)) % 65_521
        b = (b + a) % 65_521
      }
      return [0x78, 0x01, 1] + Blocks.little(bytes.count, 2)
        + Blocks.little(bytes.count ^ 0xFFFF, 2) + bytes + Blocks.big(b << 16 | a, 4)
    }

    static var unusable: [(String, [UInt8])] {
      var link = EmbeddedProfile.sRGB
      link.replaceSubrange(12..<16, with: Array("link".utf8))
      link.replaceSubrange(20..<24, with: Array("RGB ".utf8))
      var ink = EmbeddedProfile.sRGB
      ink.replaceSubrange(16..<20, with: Array("CMYK".utf8))
      var grey = EmbeddedProfile.sRGB
      grey.replaceSubrange(16..<20, with: Array("GRAY".utf8))
      return [
        ("a profile of inks", stored(ink)), ("a profile of greys", stored(grey)),
        ("a profile that is cut off", stored(Array(EmbeddedProfile.sRGB.prefix(200)))),
        ("a few bytes", stored([1, 2, 3])), ("a broken stream", [1, 2, 3, 4]),
        ("nothing", []),
      ]
    }

    @Test("a profile that cannot be used is named as lost", arguments: unusable)
    func profile(name: String, packed: [UInt8]) throws {
      let chunk = Containers.pngChunk("iCCP", Array("p\0\0".utf8) + packed)
      let bytes = Containers.png(try Drawing.scene(8, 8).file(.png).bytes, [chunk])
      let render = try Render(TemporaryFile(bytes), [Rendition(name: "r", type: .png)])
      #expect(render.result.losses == ["profile"])
      #expect(render.result.notes.contains { $0.contains("is not used") })
      #expect(try render.decoded().pixel(7, 0) == Drawing.scene(8, 8).pixel(7, 0))
    }

    @Test("a profile that can be used still is")
    func usable() throws {
      let chunk = Containers.pngChunk(
        "iCCP", Array("p\0\0".utf8) + Self.stored(EmbeddedProfile.displayP3))
      let bytes = Containers.png(try Drawing.scene(8, 8).file(.png).bytes, [chunk])
      #expect(try TemporaryFile(bytes).opened().get().header.profile == "Display P3")
    }
  }
}
