import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Hostile metadata")
  struct HostileMetadata {
    static func webP(exif: [UInt8]? = nil, xmp: [UInt8]? = nil) throws -> TemporaryFile {
      var chunks: [(String, [UInt8])] = []
      if let exif { chunks.append(("EXIF", exif)) }
      if let xmp { chunks.append(("XMP ", xmp)) }
      return try TemporaryFile(
        Containers.webP(
          LadenPhoto.drawing().file(.webP).bytes, width: 60, height: 40, chunks))
    }

    static func render(_ file: TemporaryFile) throws -> RenderResult {
      try MetadataPolicies.render(file, .jpeg).1
    }

    @Test("an XMP packet of 60 MB is left behind, with its size")
    func largeXMP() throws {
      let packet = Blocks.xmp(
        "", "<dc:description>\(String(repeating: "a", count: 60 << 20))</dc:description>")
      let result = try Self.render(Self.webP(xmp: packet))
      #expect(result.losses == ["xmp"])
      #expect(result.lossNotes["xmp"]?.contains("\(packet.count) bytes") == true)
    }

    @Test("packets that would cost more than they say are left behind")
    func costlyXMP() throws {
      let deep = String(repeating: "<a:b rdf:parseType=\"Resource\">", count: 3000)
      let shallow = String(repeating: "</a:b>", count: 3000)
      let many = (0..<30_000).map { "<a:p\($0)>1</a:p\($0)>" }.joined()
      let space = " xmlns:a=\"urn:a/\""
      let packets = [
        Blocks.xmp("", deep + shallow, spaces: space), Blocks.xmp("", many, spaces: space),
        Blocks.xmp("", (0..<400).map { "<n\($0):p xmlns:n\($0)=\"urn:\($0)\"/>" }.joined()),
        Array("<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>".utf8)
          + Blocks.xmp("", "<dc:format>&b;</dc:format>"),
        Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF".utf8), [0xFF, 0xFE, 0],
      ]
      for packet in packets {
        let result = try Self.render(Self.webP(xmp: packet))
        #expect(result.losses == ["xmp"], "\(packet.count) bytes")
        #expect(result.lossNotes["xmp"]?.isEmpty == false)
      }
    }

    @Test("what is too large for a segment of a JPEG is shared out, and comes back whole")
    func splitXMP() throws {
      let text = String(repeating: "long ", count: 40_000) + "end"
      let packet = Blocks.xmp(
        "xmp:Rating=\"2\"",
        "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">\(text)</rdf:li></rdf:Alt>"
          + "</dc:description>")
      let (jpeg, result) = try MetadataPolicies.render(Self.webP(xmp: packet), .jpeg)
      #expect(result.losses.isEmpty, "\(result.lossNotes)")
      #expect(jpeg.bytes.holds("http://ns.adobe.com/xmp/extension/\0"))
      if ExternalReader.isThere {
        let tags = ExternalReader.tags(jpeg)
        #expect(tags["XMP-dc:Description"]?.count == text.count)
        #expect(tags["XMP-xmp:Rating"] == "2")
      }
      // The packet is one again where there is room, without a word of its parts.
      let (again, other) = try MetadataPolicies.render(jpeg, .webP)
      #expect(other.losses.isEmpty, "\(other.lossNotes)")
      let read = try again.decoded().metadata["xmp-data"] ?? []
      #expect(read.holds(String(repeating: "long ", count: 40_000)))
      #expect(!read.holds("HasExtendedXMP"))
    }

    @Test("directories that lead back to themselves end")
    func cycles() throws {
      for tag in [0x8769, 0x8825, 0x014A] {
        var block = Blocks.exif(main: [.ascii(0x013B, "Ada"), .long(tag, 0), .short(0x0112, 6)])
        // The pointer leads to the directory that holds it, and so does the next directory.
        let start = Int(block[7]) | Int(block[6]) << 8
        let count = Int(block[start + 1])
        for index in 0..<count where block[start + 3 + 12 * index] == UInt8(tag & 0xFF) {
          block.replaceSubrange(
            (start + 2 + 12 * index + 8)..<(start + 2 + 12 * index + 12),
            with: Blocks.big(start, 4))
        }
        block.replaceSubrange(
          (start + 2 + 12 * count)..<(start + 6 + 12 * count), with: Blocks.big(start, 4))
        let (file, _) = try MetadataPolicies.render(Self.webP(exif: block), .jpeg)
        #expect(file.bytes.holds("Ada"))
      }
    }

    @Test("counts without values, blocks cut off anywhere, and noise give a rendition")
    func broken() throws {
      let block = LadenPhoto.exif()
      for length in stride(from: 0, to: block.count, by: 7) {
        _ = try Self.render(Self.webP(exif: Array(block.prefix(length))))
      }
      var random = SystemLike(state: 42)
      for _ in 0..<400 {
        var bytes = block
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        _ = try Self.render(Self.webP(exif: bytes))
      }
      let huge = Blocks.exif(main: [
        Blocks.Tag(number: 0x013B, type: 2, count: 0x7FFF_FFFF, bytes: [0, 0, 0, 8, 0]),
        Blocks.Tag(number: 0x8769, type: 4, count: 0x4000_0000, bytes: [0, 0, 0, 8, 0]),
      ])
      _ = try Self.render(Self.webP(exif: huge))
    }

    @Test("a block that is no Exif is left behind with a note")
    func noEXIF() throws {
      let result = try Self.render(Self.webP(exif: Array("no TIFF header at all".utf8)))
      #expect(result.losses == ["exif"])
      #expect(result.lossNotes["exif"]?.isEmpty == false)
    }

    @Test("Exif that is too large for a JPEG loses its largest values, by name")
    func largeEXIF() throws {
      let block = Blocks.exif(
        main: [.ascii(0x013B, "Ada")],
        details: [.undefined(0x9286, [UInt8](repeating: 65, count: 100_000))])
      let (file, result) = try MetadataPolicies.render(Self.webP(exif: block), .png)
      #expect(result.losses == ["exif"])
      #expect(result.lossNotes["exif"]?.contains("Exif.Photo.UserComment") == true)
      #expect(file.bytes.holds("Ada"))
    }

    @Test("IPTC that is broken is left behind with a note, Latin-1 becomes UTF-8 in XMP")
    func iptc() throws {
      func file(_ block: [UInt8]) throws -> TemporaryFile {
        try TemporaryFile(
          Containers.jpeg(
            LadenPhoto.drawing().file(.jpeg).bytes, [Containers.iptcSegment(block)]))
      }
      let broken = try Self.render(file([0x1C, 2, 80, 0x7F, 0xFF, 65]))
      #expect(broken.losses == ["iptc"])
      let latin = Blocks.iptc([(2, 25, [0x4B, 0xF6, 0x6C, 0x6E])])
      let (png, result) = try MetadataPolicies.render(file(latin), .png)
      #expect(result.losses.isEmpty, "\(result.lossNotes)")
      #expect(png.bytes.holds("Köln"))
    }

    /// Numbers that are the same in every run (SplitMix64).
    struct SystemLike: RandomNumberGenerator {
      var state: UInt64

      mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
      }
    }
  }
}
