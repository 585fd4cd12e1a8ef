import RenderModel
import Testing

@testable import Imaging

extension ImagingTests {
  @Suite("Options of encoders")
  struct OutputOptionTests {
    static func file(_ rendition: Rendition, deep: Bool = false) throws -> EncodedFile {
      let drawing =
        deep
        ? Drawing.deepPicture(96, 64) { x, y, band in
          [x * 600, y * 900, (x * y * 10) % 65_000][band]
        }
        : Drawing.scene(96, 64)
      return EncodedFile(bytes: try Render(drawing.file(.png), [rendition]).files[0].bytes)
    }

    static func rendition(
      _ type: UniformType, quality: Int = 80, depth: Int? = nil,
      _ options: [OutputOption.Name: OutputValue] = [:]
    ) -> Rendition {
      Rendition(
        name: "r", type: type, quality: quality, bitDepth: depth, options: OutputOptions(options))
    }

    @Test(
      "the sampling factors of a JPEG are those asked for",
      arguments: [
        ("auto", 80, [0x22, 0x11, 0x11]), ("auto", 90, [0x11, 0x11, 0x11]),
        ("4:4:4", 50, [0x11, 0x11, 0x11]), ("4:2:0", 95, [0x22, 0x11, 0x11]),
      ])
    func jpegChroma(word: String, quality: Int, factors: [Int]) throws {
      let file = try Self.file(
        Self.rendition(.jpeg, quality: quality, [.chromaSubsampling: .word(word)]))
      let frame = try #require(file.jpegFrame)
      #expect(frame.sampling == factors)
      #expect(frame.marker == 0xC0)
      #expect(frame.precision == 8)
    }

    @Test("a progressive JPEG has a progressive frame, and no JPEG is coded arithmetically")
    func progressive() throws {
      let file = try Self.file(Self.rendition(.jpeg, [.progressive: .flag(true)]))
      #expect(file.jpegFrame?.marker == 0xC2)
    }

    @Test("optimal coding has tables of its own and a smaller file with the same pixels")
    func optimizeCoding() throws {
      let plain = try Self.file(Self.rendition(.jpeg))
      let optimal = try Self.file(Self.rendition(.jpeg, [.optimizeCoding: .flag(true)]))
      #expect(optimal.jpegHuffmanBytes != plain.jpegHuffmanBytes)
      #expect(optimal.bytes.count < plain.bytes.count)
      #expect(
        try TemporaryFile(optimal.bytes).decoded().samples
          == TemporaryFile(plain.bytes).decoded().samples)
    }

    @Test("a PNG is interlaced and as deep as asked for", arguments: [8, 16])
    func png(depth: Int) throws {
      let plain = try Self.file(Self.rendition(.png, depth: depth), deep: true)
      #expect((plain.pngHeader.depth, plain.pngHeader.interlace) == (depth, 0))
      let laced = try Self.file(
        Self.rendition(.png, depth: depth, [.progressive: .flag(true)]), deep: true)
      #expect((laced.pngHeader.depth, laced.pngHeader.interlace) == (depth, 1))
    }

    @Test("more effort makes a PNG smaller, and the pixels are the same")
    func pngEffort() throws {
      let fast = try Self.file(Self.rendition(.png, [.effort: .number(1)]))
      let slow = try Self.file(Self.rendition(.png, [.effort: .number(9)]))
      #expect(slow.bytes.count < fast.bytes.count)
      #expect(
        try TemporaryFile(slow.bytes).decoded().samples
          == TemporaryFile(fast.bytes).decoded().samples)
    }

    @Test(
      "a TIFF is packed as asked for and holds the same pixels",
      arguments: [("none", 1), ("lzw", 5), ("deflate", 8), ("zstd", 50000)])
    func tiff(word: String, code: Int) throws {
      let file = try Self.file(Self.rendition(.tiff, [.compression: .word(word)]))
      #expect(file.tiff(259) == [code])
      #expect(file.tiff(258) == [8, 8, 8])
      #expect(file.tiff(322) == [])
      let drawn = Drawing.scene(96, 64)
      #expect(try TemporaryFile(file.bytes).decoded().samples == drawn.samples)
    }

    @Test("a TIFF has the predictor and the tiles asked for")
    func tiffLayout() throws {
      let plain = try Self.file(Self.rendition(.tiff, [.predictor: .flag(false)]))
      // The specification's default when the tag is left out.
      #expect(plain.tiff(317).allSatisfy { $0 == 1 })
      let tiled = try Self.file(Self.rendition(.tiff, [.tileSize: .number(64)]))
      #expect(tiled.tiff(317) == [2])
      #expect(tiled.tiff(322) == [64])
      #expect(tiled.tiff(323) == [64])
      #expect(try TemporaryFile(tiled.bytes).decoded().samples == Drawing.scene(96, 64).samples)
    }

    @Test("a WebP is lossy or lossless as asked for")
    func webP() throws {
      #expect(try Self.file(Self.rendition(.webP)).webPChunk == "VP8 ")
      let file = try Self.file(Self.rendition(.webP, [.lossless: .flag(true)]))
      #expect(file.webPChunk == "VP8L")
      #expect(try TemporaryFile(file.bytes).decoded().samples == Drawing.scene(96, 64).samples)
    }

    static let heifKinds: [(UniformType, Int, String)] = [.avif, .heic].flatMap { type in
      [8, 10, 12].flatMap { depth in
        ["4:4:4", "4:2:2", "4:2:0"].map { (type, depth, $0) }
      }
    }

    @Test("AVIF and HEIC have every depth with every chroma", arguments: heifKinds)
    func heif(type: UniformType, depth: Int, chroma: String) throws {
      let rendition = Self.rendition(type, depth: depth, [.chromaSubsampling: .word(chroma)])
      let drawing = Drawing.deepPicture(96, 64) { x, y, band in
        [x * 600, y * 900, 20_000][band]
      }
      let render = try Render(drawing.file(.png), [rendition])
      #expect(render.result.outputs[0].bitDepth == depth)
      let file = EncodedFile(bytes: render.files[0].bytes)
      if type == .avif {
        let box = try #require(file.av1)
        #expect((box.depth, box.chroma) == (depth, chroma))
        // AV1 specification 6.4.1.
        let profile = depth == 12 || chroma == "4:2:2" ? 2 : chroma == "4:4:4" ? 1 : 0
        #expect(box.profile == profile)
      } else {
        let box = try #require(file.hevc)
        #expect((box.depth, box.chroma) == (depth, chroma))
      }
      let picture = try render.decoded()
      #expect(picture.size == drawing.size)
      for (x, y) in [(10, 10), (80, 50), (48, 32)] {
        for band in 0..<3 {
          let got = depth == 8 ? picture[x, y, band] * 257 : picture.deep(x, y, band)
          let wanted = drawing.deep(x, y, band)
          #expect(abs(got - wanted) < 2000, "\(x) \(y) \(band): \(got), \(wanted) was drawn")
        }
      }
    }

    @Test("the chroma of AVIF and HEIC follows quality when nothing is said", arguments: [80, 95])
    func heifAuto(quality: Int) throws {
      let wanted = quality >= 90 ? "4:4:4" : "4:2:0"
      #expect(try Self.file(Self.rendition(.avif, quality: quality)).av1?.chroma == wanted)
      #expect(try Self.file(Self.rendition(.heic, quality: quality)).hevc?.chroma == wanted)
    }

    @Test("a TIFF of floating-point numbers holds linear light, also beyond white")
    func float() throws {
      let drawing = Drawing.picture(8, 4) { x, _, _ in x * 32 }
      let rendition = Self.rendition(.tiff, depth: 32)
      let render = try Render(drawing.file(.png), [rendition], filters: [.exposure(1)])
      let file = EncodedFile(bytes: render.files[0].bytes)
      #expect(file.tiff(258) == [32, 32, 32])
      #expect(file.tiff(339) == [3, 3, 3])
      #expect(render.result.outputs[0].bitDepth == 32)
      #expect(render.result.outputs[0].profile == "linear sRGB")
      let picture = try render.decoded()
      for x in 0..<8 {
        let wanted = 2 * StandardRGB.decode(Double(x * 32) / 255)
        let offset = x * 12
        let bits =
          UInt32(picture.samples[offset]) | UInt32(picture.samples[offset + 1]) << 8
          | UInt32(picture.samples[offset + 2]) << 16 | UInt32(picture.samples[offset + 3]) << 24
        #expect(abs(Double(Float(bitPattern: bits)) - wanted) < 0.002)
      }
    }

    @Test(
      "a JPEG XL has every depth, lossy and lossless", arguments: [8, 10, 12, 16, 32],
      [false, true])
    func jpegXL(depth: Int, lossless: Bool) throws {
      func value(_ x: Int, _ y: Int, _ band: Int) -> Int {
        [x * 300 + y * 500, 60_000 - x * 600, y * 900][band]
      }
      let drawing =
        depth == 8
        ? Drawing.picture(96, 64) { value($0, $1, $2) >> 8 } : Drawing.deepPicture(96, 64, value)
      let rendition = Self.rendition(.jpegXL, depth: depth, [.lossless: .flag(lossless)])
      let render = try Render(drawing.file(.png), [rendition])
      #expect(EncodedFile(bytes: render.files[0].bytes).isJPEGXL)
      // As libjxl reads it from the header.
      #expect(render.result.outputs[0].bitDepth == depth)
      #expect(render.result.outputs[0].quality == (lossless ? nil : 80))
      if lossless && (depth == 8 || depth == 16) {
        #expect(try render.decoded().samples == drawing.samples)
        return
      }
      let shown = try Render(
        render.files[0],
        [Rendition(name: "s", type: .png, bitDepth: 16, colorSpace: .sRGB)]
      ).decoded()
      var worst = 0
      var sum = 0
      for y in 0..<64 {
        for x in 0..<96 {
          for band in 0..<3 {
            let drawn = depth == 8 ? drawing[x, y, band] * 257 : drawing.deep(x, y, band)
            let off = abs(shown.deep(x, y, band) - drawn)
            worst = max(worst, off)
            sum += off
          }
        }
      }
      if lossless {
        // Half a step of the depth, and one of 16 bits; floats are light, read as 16 bits of it, of which
        // one is 12.92 of sRGB's where it is darkest.
        #expect(worst <= (depth == 32 ? 14 : 65_535 / ((1 << depth) - 1) / 2 + 1))
      } else {
        // What quality 80 may cost a smooth drawing, and its darkest blue.
        #expect(sum / (96 * 64 * 3) <= 65_535 / 100)
        #expect(worst <= 65_535 * 3 / 20)
      }
    }

    static let every: [Rendition] = UniformType.writable.flatMap { type in
      let depths = [8, 10, 12, 16, 32].filter {
        OutputOption.named(.bitDepth)?.fault(of: .number($0), in: type) == nil
      }
      return depths.map { Self.rendition(type, depth: $0) }
    }

    @Test("the same job gives the same bytes, also with other threads", arguments: every)
    func determinism(rendition: Rendition) throws {
      let file = try Drawing.scene(150, 90, bands: 4).file(.png)
      let first = try Render(file, [rendition]).files[0].bytes
      #expect(try Render(file, [rendition]).files[0].bytes == first)
      #expect(try Render(file, [rendition], threads: 2).files[0].bytes == first)
    }

    @Test("pictures of a few pixels can be written as every type", arguments: UniformType.writable)
    func tiny(type: UniformType) throws {
      for (width, height) in [(1, 1), (7, 5), (17, 33)] {
        let render = try Render(Drawing.scene(width, height).file(.png), [Self.rendition(type)])
        #expect(render.result.outputs[0].width == width)
        #expect(render.result.outputs[0].height == height)
      }
    }

    @Test(
      "a rendition without metadata is not larger than its encoder made it",
      arguments: UniformType.writable, [3, 4])
    func without(type: UniformType, bands: Int) throws {
      let drawing = Drawing.scene(40, 30, bands: type == .jpeg ? 3 : bands)
      let file = try drawing.file(type)
      let count = file.bytes.count
      let facts = RenditionFacts(
        type: type, size: drawing.size, isSRGB: true, keepsFrame: true, keepsSize: true)
      let put = try MetadataPlacement.put(
        EncodedMetadata(), into: Imaging.EncodedFile(descriptor: file.descriptor), facts)
      #expect(put)
      #expect(file.bytes.count <= count)
      #expect(try file.decoded().size == drawing.size)
    }

    private static let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Headline="mark of the packet"/>\
      </rdf:RDF></x:xmpmeta>
      """

    @Test(
      "what a picture has of EXIF and XMP is in every type that can hold it",
      arguments: [
        UniformType.avif, .heic, .jpegXL,
      ])
    func metadata(type: UniformType) throws {
      var drawing = Drawing.scene(40, 30)
      drawing.metadata["exif-ifd0-Artist"] = Array("Ada of Paddington".utf8)
      drawing.metadata["xmp-data"] = Array(Self.packet.utf8)
      let render = try Render(drawing.file(.jpeg), [Self.rendition(type)])
      let file = EncodedFile(bytes: render.files[0].bytes)
      #expect(file.first("mark of the packet") != nil)
      #expect(file.first("Ada of Paddington") != nil)
    }
  }
}
