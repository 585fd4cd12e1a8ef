import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("HEIF and AVIF")
  struct HEIFFiles {
    static let width = 64
    static let height = 48

    static func picture(_ turns: [[UInt8]], drawing: PixelBuffer? = nil) throws -> HEIFAssembly {
      var assembly = HEIFAssembly()
      assembly.items = [
        try CodedPicture(drawing ?? OrientationMatrix.drawing, quality: 98).item(1, turns)
      ]
      return assembly
    }

    static func png(_ assembly: HEIFAssembly) throws -> (PixelBuffer, RenderResult) {
      let render = try Render(TemporaryFile(assembly.bytes), [Rendition(name: "r", type: .png)])
      return (try render.decoded(), render.result)
    }

    static func failure(_ bytes: [UInt8], tolerant: Bool = false) throws -> RenderFailure? {
      do {
        _ = try Render(
          TemporaryFile(bytes), [Rendition(name: "r", type: .png)], tolerant: tolerant)
        return nil
      } catch let failure as RenderFailure {
        return failure
      }
    }

    /// Halves: 40 x 20, its centre 4 to the right of the middle and 5 above it.
    static let aperture = Box.aperture([80, 40, 8, -10])

    @Test("a clean aperture cuts the picture, and its size is known from the header")
    func aperture() throws {
      let assembly = try Self.picture([Self.aperture])
      let header = try TemporaryFile(assembly.bytes).opened().get().header
      #expect((header.width, header.height) == (40, 20))
      let (picture, _) = try Self.png(assembly)
      #expect(picture.size == PixelSize(width: 40, height: 20))
      for (x, y) in [(0, 0), (39, 19), (20, 3)] {
        // Its left edge is (64 - 40) / 2 + 4, its upper one (48 - 20) / 2 - 5.
        OrientationMatrix.expectNear(
          picture, x, y, OrientationMatrix.colour(1, Double(16 + x), Double(9 + y)), 6, "cut")
      }
    }

    @Test("transforms apply in the order in which they are written")
    func order() throws {
      // Turned anticlockwise first, so that the aperture lies in a frame of 48 x 64.
      let (later, _) = try Self.png(Self.picture([Box.rotation(1), Self.aperture]))
      #expect(later.size == PixelSize(width: 40, height: 20))
      let (earlier, _) = try Self.png(Self.picture([Self.aperture, Box.rotation(1)]))
      #expect(earlier.size == PixelSize(width: 20, height: 40))
      for (x, y) in [(0, 0), (39, 19)] {
        // EXIF 8 is a quarter anticlockwise; (48 - 40) / 2 + 4 and (64 - 20) / 2 - 5.
        OrientationMatrix.expectNear(
          later, x, y, OrientationMatrix.colour(8, Double(8 + x), Double(17 + y)), 6, "later")
      }
      for (x, y) in [(0, 0), (19, 39)] {
        // (x, y) of what is turned was (39 - y, x) of what was cut.
        OrientationMatrix.expectNear(
          earlier, x, y, OrientationMatrix.colour(1, Double(16 + 39 - y), Double(9 + x)), 6,
          "earlier")
      }
    }

    @Test(
      "an aperture that does not lie in the picture is a broken file",
      arguments: [[80, 40, 200, 0], [0, 40, 0, 0], [200, 40, 0, 0]])
    func impossibleAperture(halves: [Int]) throws {
      let failure = try #require(
        try Self.failure(Self.picture([Box.aperture(halves)]).bytes))
      #expect(failure.code == .unreadable)
      #expect(failure.detail.contains("aperture"))
    }

    @Test("opacity comes from the picture that says so, turned as the colours are")
    func opacity() throws {
      let mask = Drawing.picture(64, 48) { x, _, _ in x < 32 ? 0 : 255 }
      let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
      var assembly = try Self.picture([Box.rotation(2)])
      // Without a rotation of its own, as MIAF lets writers leave it out.
      assembly.items.append(
        try CodedPicture(mask).item(2, [Box.auxiliary(alpha)], isHidden: true))
      assembly.references = [("auxl", 2, [1])]
      let (picture, result) = try Self.png(assembly)
      #expect(picture.bands == 4)
      #expect(picture[8, 24, 3] >= 250)
      #expect(picture[56, 24, 3] <= 5)
      #expect(result.losses.isEmpty)
    }

    @Test("colours that were multiplied by their opacity are divided by it")
    func premultiplied() throws {
      let half = Drawing.picture(64, 48) { _, _, band in [100, 50, 25][band] }
      let mask = Drawing.picture(64, 48) { _, _, _ in 128 }
      var assembly = try Self.picture([], drawing: half)
      let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
      assembly.items.append(try CodedPicture(mask).item(2, [Box.auxiliary(alpha)], isHidden: true))
      assembly.references = [("auxl", 2, [1]), ("prem", 1, [2])]
      let (picture, _) = try Self.png(assembly)
      for (band, wanted) in [199, 100, 50, 128].enumerated() {
        #expect(abs(picture[30, 20, band] - wanted) <= 5, "\(picture.pixel(30, 20))")
      }
    }

    @Test("a grid is put together from its tiles, the picture that is primary is shown")
    func grid() throws {
      let colours = [[200, 40, 40], [40, 200, 40]]
      let tiles = try colours.map { colour in
        try CodedPicture(Drawing.picture(64, 64) { _, _, band in colour[band] })
      }
      var assembly = HEIFAssembly()
      let shape = [0, 0, 0, 1] + Box.number(100, 2) + Box.number(50, 2)
      assembly.items = [
        tiles[0].item(1, isHidden: true), tiles[1].item(2, isHidden: true),
        .init(id: 3, type: "grid", data: shape, properties: [Box.size(100, 50)]),
      ]
      assembly.references = [("dimg", 3, [1, 2])]
      assembly.primary = 3
      let (picture, result) = try Self.png(assembly)
      #expect(picture.size == PixelSize(width: 100, height: 50))
      #expect(abs(picture[30, 25, 0] - 200) <= 6 && abs(picture[90, 45, 1] - 200) <= 6)
      #expect(result.losses.isEmpty)
    }

    @Test(
      "only the whole of a grid is turned, where a writer gives its transforms to the tiles too")
    func turnedTiles() throws {
      let tiles = try [0, 200].map { blue in
        try CodedPicture(
          Drawing.picture(64, 48) { x, y, band in [40 + 3 * x, 40 + 4 * y, blue][band] })
      }
      for turns in [[Box.rotation(1)], [Box.mirror(0)], [Box.rotation(2), Box.mirror(1)]] {
        var assembly = HEIFAssembly()
        let shape = [0, 0, 0, 1] + Box.number(128, 2) + Box.number(48, 2)
        assembly.items = [
          tiles[0].item(1, turns, isHidden: true), tiles[1].item(2, turns, isHidden: true),
          .init(
            id: 3, type: "grid", data: shape, properties: [Box.size(128, 48), Box.rotation(1)]),
        ]
        assembly.references = [("dimg", 3, [1, 2])]
        assembly.primary = 3
        let (picture, _) = try Self.png(assembly)
        #expect(picture.size == PixelSize(width: 48, height: 128))
        for (x, y) in [(5, 10), (40, 50), (5, 80), (40, 120)] {
          // A quarter anticlockwise: (x, y) was (127 - y, x).
          let column = 127 - y
          let wanted = [40 + 3 * (column % 64), 40 + 4 * x, column < 64 ? 0 : 200]
          let near = zip(picture.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= 8 }
          #expect(near, "\(turns): \(picture.pixel(x, y)) for \(wanted)")
        }
      }
    }

    /// The codes of a colour in 0…1 by BT.601 and full range: luma and the two differences.
    static func codes(_ colour: [Double]) -> [Double] {
      let luma = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
      return [luma, (colour[2] - luma) / 1.772 + 0.5, (colour[0] - luma) / 1.402 + 0.5]
    }

    @Test(
      "green, blue and red in the range of video, and YCgCo, mean what H.273 says",
      arguments: [8, 10, 12], [(0, false), (0, true), (8, true), (8, false)])
    func matrices(depth: Int, code: (matrix: Int, isFull: Bool)) throws {
      let colour = [150.0, 120, 90]
      let drawing = Drawing.picture(64, 48) { _, _, band in Int(colour[band]) }
      let coded = Rendition(
        name: "r", type: .avif, quality: 95, bitDepth: depth,
        options: OutputOptions([.chromaSubsampling: .word("4:4:4")]))
      let avif = try Render(drawing.file(.png), [coded]).files[0].bytes
      var assembly = HEIFAssembly()
      // The samples that were coded as BT.601 are said to be something else.
      assembly.items = [
        CodedPicture(avif: avif, drawing.size).item(
          1, [Box.codePoints(1, 13, code.matrix, isFullRange: code.isFull)])
      ]
      let codes = Self.codes(colour.map { $0 / 255 })
      func whole(_ value: Double) -> Double { code.isFull ? value : (value * 255 - 16) / 219 }
      func difference(_ value: Double) -> Double {
        (value * 255 - 128) / (code.isFull ? 255 : 224)
      }
      let wanted: [Double]
      if code.matrix == 0 {
        wanted = [whole(codes[2]), whole(codes[0]), whole(codes[1])]
      } else {
        let (luma, green) = (whole(codes[0]), difference(codes[1]))
        let orange = difference(codes[2])
        wanted = [luma - green + orange, luma + green, luma - green - orange]
      }
      let (picture, result) = try Self.png(assembly)
      let near = zip(picture.pixel(30, 20), wanted).allSatisfy {
        abs(Double($0) - $1 * 255) <= 3
      }
      #expect(near, "\(picture.pixel(30, 20)) for \(wanted.map { $0 * 255 })")
      #expect(!result.losses.contains("profile"))
    }

    @Test(
      "the darkest and lightest of green, blue and red in the range of video are black and white")
    func narrow() throws {
      let file = try TemporaryFile(CodedDrawing.narrowAVIF)
      let picture = try Render(file, [Rendition(name: "r", type: .png)]).decoded()
      #expect(picture.pixel(4, 8).allSatisfy { $0 <= 1 }, "\(picture.pixel(4, 8))")
      #expect(picture.pixel(28, 8).allSatisfy { $0 >= 254 }, "\(picture.pixel(28, 8))")
    }

    @Test("a matrix that libheif gets wrong is refused where the container does not name it")
    func unnamedMatrix() throws {
      // A reduced sequence header of the AV1 specification, 5.5: 4:4:4 and more than 8 bits, of 1/13/8.
      let bits =
        "001" + "1" + "1" + "00000" + "0000" + "0000" + "0" + "0" + "000" + "000"
        + "1" + "1" + "00000001" + "00001101" + "00001000" + "1"
      let padded = Array(bits.utf8) + [UInt8](repeating: 0x30, count: -bits.utf8.count & 7)
      let header = stride(from: 0, to: padded.count, by: 8).map { start in
        padded[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 & 1) }
      }
      let configuration = Box.make(
        "av1C", [0x81, 0x20, 0x40, 0, 0x0A, UInt8(header.count)] + header)
      var assembly = HEIFAssembly()
      assembly.items = [
        .init(id: 1, type: "av01", data: [0], properties: [configuration, Box.size(8, 8)])
      ]
      let failure = try #require(try Self.failure(assembly.bytes))
      #expect(failure.code == .unsupportedType)
      #expect(failure.detail.contains("matrix 8"))
    }

    @Test("a HEVC picture is cut to its aperture as well")
    func hevc() throws {
      var assembly = HEIFAssembly()
      assembly.brand = "heic"
      // 64 x 48 at the top: the centre lies 8 above the middle.
      assembly.items = [CodedPicture.hevc.item(1, [Box.aperture([128, 96, 0, -16])])]
      let (picture, _) = try Self.png(assembly)
      #expect(picture.size == PixelSize(width: 64, height: 48))
      for (x, y) in [(2, 2), (60, 44), (31, 20)] {
        OrientationMatrix.expectNear(
          picture, x, y, OrientationMatrix.colour(1, Double(x), Double(y)), 7, "HEVC")
      }
    }

    static let extras: [(auxiliary: String, loss: String)] = [
      ("urn:com:apple:photo:2020:aux:hdrgainmap", "gainMap"),
      ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "depth"),
      ("urn:mpeg:hevc:2015:auxid:2", "depth"),
      ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", "mattes"),
      ("urn:example:other", "auxiliaryImages"),
    ]

    @Test("auxiliary pictures are named as lost", arguments: extras)
    func auxiliary(type: String, loss: String) throws {
      var assembly = try Self.picture([])
      assembly.items.append(
        try CodedPicture(OrientationMatrix.drawing).item(2, [Box.auxiliary(type)], isHidden: true))
      assembly.references = [("auxl", 2, [1])]
      #expect(try Self.png(assembly).1.losses == [loss])
    }

    @Test("thumbnails, further pictures, tone maps, sequences and videos are named as lost")
    func others() throws {
      let other = try CodedPicture(OrientationMatrix.drawing)
      var thumbnail = try Self.picture([])
      thumbnail.items.append(other.item(2))
      thumbnail.references = [("thmb", 2, [1])]
      #expect(try Self.png(thumbnail).1.losses == ["thumbnail"])

      var further = try Self.picture([])
      further.items.append(other.item(2))
      #expect(try Self.png(further).1.losses == ["pages"])
      further.items[1].isHidden = true
      #expect(try Self.png(further).1.losses.isEmpty)

      var toned = try Self.picture([])
      toned.items += [
        other.item(2, isHidden: true),
        .init(id: 3, type: "tmap", data: [0, 0, 0], properties: [Box.size(64, 48)]),
      ]
      toned.references = [("dimg", 3, [1, 2])]
      #expect(try Self.png(toned).1.losses == ["gainMap"])

      var moving = try Self.picture([])
      moving.trailer = Box.make("mpvd", [UInt8](repeating: 0, count: 40))
      #expect(try Self.png(moving).1.losses == ["motionVideo"])
      moving.trailer = Box.make("moov", Box.make("mvhd", [UInt8](repeating: 0, count: 100)))
      #expect(try Self.png(moving).1.losses.contains("animation"))

      let wide = try Self.picture([Box.make("pasp", Box.number(2, 4) + Box.number(1, 4))])
      #expect(try Self.png(wide).1.losses == ["pixelAspect"])
    }

    @Test("a file that is cut off anywhere is never a success")
    func cutOff() throws {
      var assembly = try Self.picture([Box.rotation(1)])
      assembly.items.append(try CodedPicture(OrientationMatrix.drawing).item(2))
      assembly.references = [("thmb", 2, [1])]
      let bytes = assembly.bytes
      for length in stride(from: 40, to: bytes.count, by: max(1, bytes.count / 60)) {
        let failure = try Self.failure(Array(bytes[..<length]))
        #expect([.truncated, .unreadable].contains(failure?.code), "\(length) of \(bytes.count)")
      }
    }

    @Test("containers with bytes changed at random never trap")
    func changed() throws {
      let original = try Self.picture([Box.rotation(1), Self.aperture]).bytes
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
      for _ in 0..<600 {
        var bytes = original
        for _ in 0...random(4) { bytes[random(min(400, bytes.count))] = UInt8(random(256)) }
        // Only the header: what libheif makes of it is for a process of its own.
        _ = try TemporaryFile(bytes).opened()
      }
    }

    @Test("pictures that are coded in another way are refused by its name")
    func otherCoding() throws {
      var assembly = HEIFAssembly()
      assembly.brand = "mif1"
      assembly.items = [
        .init(id: 1, type: "jpeg", data: [0xFF, 0xD8], properties: [Box.size(8, 8)])
      ]
      let failure = try #require(try Self.failure(assembly.bytes))
      #expect(failure.code == .unsupportedType)
      #expect(failure.detail.contains("JPEG"))
    }

    @Test("EXIF's word for Adobe RGB counts where the container says nothing of colours")
    func adobeRGB() throws {
      var assembly = try Self.picture([])
      #expect(try TemporaryFile(assembly.bytes).opened().get().header.profile == "untagged")
      let block = Blocks.exif(main: [.ascii(0x010F, "Box")], details: [.short(0xA001, 2)])
      assembly.items.append(
        .init(id: 2, type: "Exif", data: Box.number(6, 4) + Array("Exif\0\0".utf8) + block))
      assembly.references = [("cdsc", 2, [1])]
      #expect(try TemporaryFile(assembly.bytes).opened().get().header.profile == "Adobe RGB (1998)")
    }

    @Test("EXIF and XMP reach the rendition")
    func metadata() throws {
      var drawing = OrientationMatrix.drawing
      drawing.metadata["exif-ifd2-DateTimeOriginal"] = Array("2021:03:04 05:06:07".utf8)
      let jpeg = try drawing.file(.jpeg).decoded()
      let block = try #require(jpeg.metadata["exif-data"])
      var assembly = try Self.picture([])
      assembly.items += [
        .init(id: 2, type: "Exif", data: Box.number(6, 4) + block),
        .init(
          id: 3, type: "mime", data: Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8),
          contentType: "application/rdf+xml"),
      ]
      assembly.references = [("cdsc", 2, [1]), ("cdsc", 3, [1])]
      let file = try TemporaryFile(assembly.bytes)
      #expect(try file.opened().get().header.captured == "2021-03-04T05:06:07")
      let output = try Render(file, [Rendition(name: "r")]).decoded()
      #expect(output.metadata["xmp-data"] != nil)
      let date = try #require(output.metadata["exif-ifd2-DateTimeOriginal"])
      #expect(String(decoding: date, as: UTF8.self).hasPrefix("2021:03:04 05:06:07"))
    }
  }
}
