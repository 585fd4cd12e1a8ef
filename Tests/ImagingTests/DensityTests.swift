import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Density")
  struct Densities {
    static func jfif(_ unit: UInt8, _ x: Int, _ y: Int) -> [UInt8] {
      Containers.jpegSegment(
        0xE0, Array("JFIF\0".utf8) + [1, 1, unit] + Blocks.big(x, 2) + Blocks.big(y, 2) + [0, 0])
    }

    static func jpeg(_ unit: UInt8, _ x: Int, _ y: Int, exif: [UInt8]? = nil) throws
      -> TemporaryFile
    {
      let segments = [jfif(unit, x, y)] + (exif.map { [Containers.exifSegment($0)] } ?? [])
      return try TemporaryFile(
        Containers.jpeg(Drawing.scene(16, 12).file(.jpeg).bytes, segments))
    }

    static func png(_ x: Int, _ y: Int, _ unit: UInt8) throws -> TemporaryFile {
      // What the encoder at hand writes of its own goes first.
      var bytes = try Drawing.scene(16, 12).file(.png).bytes
      if let own = EncodedFile(bytes: bytes).first("pHYs") {
        bytes.removeSubrange((own - 4)..<(own + 17))
      }
      let chunk = Containers.pngChunk("pHYs", Blocks.big(x, 4) + Blocks.big(y, 4) + [unit])
      return try TemporaryFile(Containers.png(bytes, [chunk]))
    }

    static func tiff(_ x: (Int, Int), _ y: (Int, Int), _ unit: Int, bits: Int) throws
      -> TemporaryFile
    {
      let bytes = TIFFDrawing(
        bits: bits, samples: 3, photometric: 2, value: { x, _, _ in UInt64(x) }
      ).bytes
      // A new directory behind the pixels with all that was there, and the density.
      let file = EncodedFile(bytes: bytes)
      let start = file.number(4, 4, littleEndian: true)
      let count = file.number(start, 2, littleEndian: true)
      var entries = (0..<count).map { Array(bytes[(start + 2 + 12 * $0)..<(start + 14 + 12 * $0)]) }
      var result = bytes + (bytes.count % 2 == 1 ? [0] : [])
      for (tag, value) in [(282, x), (283, y)] {
        entries.append(
          Blocks.little(tag, 2) + Blocks.little(5, 2) + Blocks.little(1, 4)
            + Blocks.little(result.count, 4))
        result += Blocks.little(value.0, 4) + Blocks.little(value.1, 4)
      }
      entries.append(
        Blocks.little(296, 2) + Blocks.little(3, 2) + Blocks.little(1, 4) + Blocks.little(unit, 4))
      entries.sort {
        EncodedFile(bytes: $0).number(0, 2, littleEndian: true)
          < EncodedFile(bytes: $1).number(0, 2, littleEndian: true)
      }
      result.replaceSubrange(4..<8, with: Blocks.little(result.count, 4))
      result += Blocks.little(entries.count, 2) + entries.flatMap { $0 } + Blocks.little(0, 4)
      return try TemporaryFile(result)
    }

    struct Found: Equatable, CustomStringConvertible {
      var unit: Int
      var x: Int
      var y: Int
      var description: String { "\(x) x \(y) of unit \(unit)" }
    }

    static func ofJPEG(_ bytes: [UInt8]) -> Found? {
      let file = EncodedFile(bytes: bytes)
      guard let start = file.first("JFIF\0") else { return nil }
      return Found(
        unit: file.number(start + 7, 1), x: file.number(start + 8, 2), y: file.number(start + 10, 2)
      )
    }

    /// A little-endian block, as TIFFs here have them.
    static func ofEXIF(_ bytes: [UInt8]) -> Found? {
      EncodedFile(bytes: bytes).first("Exif\0\0II").flatMap { ofTIFF(Array(bytes[($0 + 6)...])) }
    }

    static func ofTIFF(_ bytes: [UInt8]) -> Found? {
      let file = EncodedFile(bytes: bytes)
      func fraction(_ tag: Int) -> Int? {
        let start = file.number(4, 4, littleEndian: true)
        for index in 0..<file.number(start, 2, littleEndian: true) {
          let entry = start + 2 + 12 * index
          guard file.number(entry, 2, littleEndian: true) == tag else { continue }
          let place = file.number(entry + 8, 4, littleEndian: true)
          let below = file.number(place + 4, 4, littleEndian: true)
          return below > 0 ? file.number(place, 4, littleEndian: true) / below : nil
        }
        return nil
      }
      guard let x = fraction(282), let y = fraction(283), let unit = file.tiff(296).first else {
        return nil
      }
      return Found(unit: unit, x: x, y: y)
    }

    static func ofPNG(_ bytes: [UInt8]) -> Found? {
      let file = EncodedFile(bytes: bytes)
      guard let start = file.first("pHYs") else { return nil }
      return Found(
        unit: file.number(start + 12, 1), x: file.number(start + 4, 4), y: file.number(start + 8, 4)
      )
    }

    static func render(
      _ file: TemporaryFile, _ type: UniformType, _ policy: Rendition.MetadataPolicy = .keep
    ) throws -> [UInt8] {
      try Render(file, [Rendition(name: "r", type: type, metadata: policy)]).files[0].bytes
    }

    static func sources() throws -> [(String, TemporaryFile)] {
      [
        ("JFIF by inches", try jpeg(1, 300, 300)), ("JFIF by centimetres", try jpeg(2, 118, 118)),
        ("PNG", try png(11_811, 11_811, 1)),
        ("TIFF that is streamed", try tiff((300, 1), (300, 1), 2, bits: 8)),
        ("TIFF that is assembled", try tiff((11_811, 100), (11_811, 100), 3, bits: 12)),
      ]
    }

    @Test("what a file says is kept in every container that has a place for it")
    func kept() throws {
      for (name, file) in try Self.sources() {
        let wanted = name == "JFIF by centimetres" ? 299.72 : 300
        let jpeg = try Self.render(file, .jpeg)
        let isCounted = name.hasPrefix("TIFF")
        let found = try #require(isCounted ? Self.ofEXIF(jpeg) : Self.ofJPEG(jpeg))
        let isMetric = name.contains("assembled")
        #expect(
          found
            == Found(
              unit: isMetric ? 3 : isCounted ? 2 : 1, x: isMetric ? 118 : 300,
              y: isMetric ? 118 : 300),
          "\(name)")
        #expect(!isCounted || Self.ofJPEG(jpeg) == nil)
        let tiff = try #require(Self.ofTIFF(Self.render(file, .tiff)))
        #expect(tiff == Found(unit: 2, x: Int(wanted), y: Int(wanted)), "\(name)")
        let png = try #require(Self.ofPNG(Self.render(file, .png)))
        let metre = Int((wanted / 0.0254).rounded())
        #expect(png == Found(unit: 1, x: metre, y: metre), "\(name)")
      }
    }

    @Test("Exif counts more than JFIF, and what says no unit says nothing")
    func precedence() throws {
      let both = try Self.jpeg(1, 72, 72, exif: LadenPhoto.exif())
      #expect(try Self.ofTIFF(Self.render(both, .tiff)) == Found(unit: 2, x: 300, y: 300))
      // Exif that does not speak of it leaves the word to JFIF.
      let silent = try Self.jpeg(1, 300, 300, exif: Blocks.exif(main: [.ascii(0x013B, "Ada")]))
      #expect(try Self.ofJPEG(Self.render(silent, .jpeg)) == Found(unit: 1, x: 300, y: 300))
      for file in try [
        Self.jpeg(0, 300, 300), Self.png(300, 300, 0), Self.tiff((300, 1), (300, 1), 1, bits: 8),
        Self.tiff((300, 1), (300, 1), 1, bits: 12),
      ] {
        #expect(try Self.ofTIFF(Self.render(file, .tiff)) == Found(unit: 2, x: 72, y: 72))
        // A TIFF's own numbers without a unit are in Exif, and JFIF is not there.
        let jpeg = try Self.ofJPEG(Self.render(file, .jpeg))
        #expect(jpeg == nil || jpeg == Found(unit: 0, x: 1, y: 1))
        #expect(try Self.ofPNG(Self.render(file, .png)) == nil)
      }
    }

    @Test("with metadata stripped nothing is left of it, also by a refresh")
    func stripped() throws {
      for (_, file) in try Self.sources() {
        for type in [UniformType.jpeg, .png, .tiff] {
          let existing = try TemporaryFile(Self.render(file, type))
          let rendition = Rendition(name: "r", type: type, metadata: .strip)
          let (refreshed, result) = try MetadataRefreshes.refresh(file, existing, rendition)
          _ = try result.get()
          for bytes in [refreshed.bytes, try Self.render(file, type, .strip)] {
            switch type {
            case .jpeg: #expect(Self.ofJPEG(bytes) == Found(unit: 0, x: 1, y: 1))
            case .png: #expect(Self.ofPNG(bytes) == nil)
            default: #expect(Self.ofTIFF(bytes) == Found(unit: 2, x: 72, y: 72))
            }
          }
        }
      }
    }

    @Test("pixels that are not square are named, whoever says so")
    func aspect() throws {
      let files = try [
        Self.jpeg(0, 2, 1), Self.jpeg(1, 300, 150), Self.png(2, 1, 0), Self.png(5905, 11_811, 1),
        Self.tiff((204, 1), (98, 1), 2, bits: 8), Self.tiff((2, 1), (1, 1), 1, bits: 12),
      ]
      for file in files {
        let render = try Render(file, [Rendition(name: "r", type: .png)])
        #expect(render.result.losses.contains("pixelAspect"))
      }
      for (_, file) in try Self.sources() {
        let render = try Render(file, [Rendition(name: "r", type: .png)])
        #expect(!render.result.losses.contains("pixelAspect"))
      }
    }

    @Test("tags of a BigTIFF that are not read are named as lost")
    func bigTIFF() throws {
      var drawing = TIFFDrawing(samples: 3, photometric: 2, value: { x, _, _ in UInt64(x) })
      drawing.isBig = true
      let plain = try Render(
        TemporaryFile(drawing.bytes), [Rendition(name: "r", type: .png)])
      #expect(plain.result.losses.isEmpty)
      drawing.texts = [(315, "Ada")]
      let render = try Render(TemporaryFile(drawing.bytes), [Rendition(name: "r", type: .png)])
      #expect(render.result.losses == ["exif"])
    }
  }
}
