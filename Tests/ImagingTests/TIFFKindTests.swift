import Glibc
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  /// The truth is TIFF 6.0 (and its supplements for floating point and Lab) applied to what was drawn.
  @Suite("Kinds of TIFF")
  struct TIFFKinds {
    static func render(_ drawing: TIFFDrawing, deep: Bool = false) throws -> (PixelBuffer, [String])
    {
      let rendition = Rendition(name: "r", type: .png, bitDepth: deep ? 16 : nil)
      let render = try Render(TemporaryFile(drawing.bytes), [rendition])
      return (try render.decoded(), render.result.losses)
    }

    /// A ramp from nothing to all in each row, other channels from the other side.
    static func code(_ x: Int, _ sample: Int, _ bits: Int) -> UInt64 {
      let most = Double((1 as UInt64) << UInt64(bits) - 1)
      let fraction = Double(sample == 1 ? 23 - x : x) / 23
      return UInt64((fraction * most).rounded())
    }

    static let depths = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 24, 32]
    static let grids: [(photometric: Int, bits: Int)] = [0, 1, 2].flatMap { kind in
      depths.map { (kind, $0) }
    }

    @Test("whole numbers of every depth use the whole range", arguments: grids)
    func depth(photometric: Int, bits: Int) throws {
      for isBigEndian in [false, true] {
        let drawing = TIFFDrawing(
          bits: bits, samples: photometric == 2 ? 3 : 1, photometric: photometric,
          isBigEndian: isBigEndian, value: { x, _, sample in Self.code(x, sample, bits) })
        let (picture, _) = try Self.render(drawing, deep: true)
        let most = Double((1 as UInt64) << UInt64(bits) - 1)
        for x in [0, 1, 7, 12, 22, 23] {
          for band in 0..<3 {
            let sample = photometric == 2 ? band : 0
            var wanted = Double(Self.code(x, sample, bits)) / most * 65_535
            if photometric == 0 { wanted = 65_535 - wanted }
            #expect(
              abs(Double(picture.deep(x, 5, band)) - wanted) <= (bits < 8 ? 130 : 3),
              "\(bits) bits of kind \(photometric), column \(x): \(picture.deep(x, 5, band)), \(wanted)"
            )
          }
        }
      }
    }

    @Test(
      "tiles, planes, both byte orders and BigTIFF hold the same picture",
      arguments: [8, 12, 16], [false, true])
    func arrangement(bits: Int, isBig: Bool) throws {
      for isPlanar in [false, true] {
        for tile in [nil, (width: 16, height: 16)] {
          for isBigEndian in [false, true] {
            let drawing = TIFFDrawing(
              bits: bits, samples: 3, photometric: 2, isPlanar: isPlanar, tile: tile,
              isBigEndian: isBigEndian, isBig: isBig,
              value: { x, y, sample in sample == 2 ? UInt64(y) : Self.code(x, sample, bits) })
            let (picture, _) = try Self.render(drawing)
            let most = Double((1 as UInt64) << UInt64(bits) - 1)
            for (x, y) in [(0, 0), (15, 9), (16, 3), (23, 9)] {
              for band in 0..<3 {
                let code = band == 2 ? Double(y) : Double(Self.code(x, band, bits))
                #expect(
                  abs(Double(picture[x, y, band]) - code / most * 255) <= 1,
                  "\(bits) bits, planes \(isPlanar), tile \(tile?.width ?? 0), (\(x), \(y))")
              }
            }
          }
        }
      }
    }

    @Test("a palette is looked up", arguments: [1, 2, 4, 8])
    func palette(bits: Int) throws {
      let count = 1 << bits
      let map = (0..<3).flatMap { channel in
        (0..<count).map { channel == 0 ? 257 * (255 * $0 / (count - 1)) : channel * 20_000 }
      }
      let drawing = TIFFDrawing(
        bits: bits, photometric: 3, colourMap: map, value: { x, _, _ in UInt64(x % count) })
      let (picture, _) = try Self.render(drawing)
      for x in [0, 1, 5, 20] {
        let wanted = [255 * (x % count) / (count - 1), 78, 156]
        for band in 0..<3 { #expect(abs(picture[x, 4, band] - wanted[band]) <= 1) }
      }
    }

    @Test("floating point numbers are light", arguments: [16, 32, 64])
    func floats(bits: Int) throws {
      func pattern(_ light: Double) -> UInt64 {
        switch bits {
        case 16: UInt64(Float16(light).bitPattern)
        case 32: UInt64(Float(light).bitPattern)
        default: light.bitPattern
        }
      }
      for samples in [1, 3] {
        let drawing = TIFFDrawing(
          bits: bits, samples: samples, photometric: samples == 3 ? 2 : 1, kind: 3,
          value: { x, _, _ in pattern(Double(x) / 23) })
        let (picture, _) = try Self.render(drawing)
        for x in [0, 3, 11, 23] {
          let wanted = StandardRGB.code(Double(x) / 23)
          #expect(abs(Double(picture[x, 4, 0]) - wanted) <= 1.5, "\(bits) bits, \(samples) samples")
        }
      }
    }

    @Test("signed numbers begin at nothing", arguments: [8, 16, 32])
    func signed(bits: Int) throws {
      let most = Double((1 as UInt64) << UInt64(bits - 1) - 1)
      let drawing = TIFFDrawing(
        bits: bits, kind: 2,
        value: { x, _, _ in
          x == 0 ? (1 as UInt64) << UInt64(bits) - 5 : UInt64(Double(x) / 23 * most)
        })
      let (picture, _) = try Self.render(drawing)
      #expect(picture[0, 0, 0] == 0)
      for x in [5, 12, 23] { #expect(abs(Double(picture[x, 4, 0]) - Double(x) / 23 * 255) <= 2) }
    }

    @Test("opacity, multiplied or not, and samples of no stated meaning", arguments: [8, 16])
    func extraSamples(bits: Int) throws {
      let most = Double((1 as UInt64) << UInt64(bits) - 1)
      for (extra, isMultiplied) in [(1, true), (2, false)] {
        let drawing = TIFFDrawing(
          bits: bits, samples: 4, photometric: 2, extras: [extra],
          value: { _, _, sample in
            let colour = [0.8, 0.4, 0.2][min(sample, 2)]
            return UInt64((sample == 3 ? 0.5 : isMultiplied ? colour / 2 : colour) * most)
          })
        let (picture, losses) = try Self.render(drawing)
        for (band, wanted) in [204, 102, 51, 128].enumerated() {
          #expect(abs(picture[4, 4, band] - wanted) <= 2, "\(extra): \(picture.pixel(4, 4))")
        }
        #expect(!losses.contains("extraChannels"))
      }
      for extras in [[0], [2, 0]] {
        let drawing = TIFFDrawing(
          bits: bits, samples: 3 + extras.count, photometric: 2, extras: extras,
          value: { _, _, sample in UInt64(sample == 3 && extras[0] == 0 ? 0 : most) })
        let (picture, losses) = try Self.render(drawing)
        #expect(picture.pixel(4, 4).allSatisfy { $0 == 255 }, "\(extras): \(picture.pixel(4, 4))")
        #expect(losses.contains("extraChannels"))
      }
    }

    @Test("opacity beside floating point numbers", arguments: [1, 2])
    func lightWithOpacity(extra: Int) throws {
      for isGrey in [false, true] {
        let colours = isGrey ? 1 : 3
        let drawing = TIFFDrawing(
          bits: 32, samples: colours + 1, photometric: isGrey ? 1 : 2, kind: 3, extras: [extra],
          value: { _, _, sample in
            let light: Float = sample == colours ? 0.5 : extra == 1 ? 0.125 : 0.25
            return UInt64(light.bitPattern)
          })
        let (picture, _) = try Self.render(drawing)
        let wanted = StandardRGB.code(0.25)
        for band in 0..<(picture.bands - 1) {
          #expect(abs(Double(picture[4, 4, band]) - wanted) <= 1.5, "\(picture.pixel(4, 4))")
        }
        #expect(abs(picture[4, 4, picture.bands - 1] - 128) <= 1)
      }
    }

    @Test("a compression that nobody has built in is no damage")
    func compression() throws {
      var bytes = TIFFDrawing(samples: 3, photometric: 2, value: { x, _, _ in UInt64(x) }).bytes
      // JPEG XL's number in the place of 1.
      let entry = try #require(
        EncodedFile(bytes: bytes).first([0x03, 0x01, 3, 0, 1, 0, 0, 0, 1, 0]))
      bytes.replaceSubrange((entry + 8)..<(entry + 10), with: [0x42, 0xC7])
      let failure = #expect(throws: RenderFailure.self) {
        try Render(TemporaryFile(bytes), [Rendition(name: "r", type: .png)])
      }
      #expect(failure?.code == .unsupportedType, "\(failure?.detail ?? "")")
    }

    /// TIFFs of one picture each in one file.
    static func joined(_ parts: [(kind: Int, level: UInt8)]) -> [UInt8] {
      var bytes: [UInt8] = []
      var link = 4
      for part in parts {
        let start = (bytes.count + 1) & ~1
        bytes += [UInt8](repeating: 0, count: start - bytes.count)
        let pixels = max(8, start)
        if bytes.isEmpty { bytes = Array("II".utf8) + [42, 0, 0, 0, 0, 0] }
        bytes += [UInt8](repeating: part.level, count: 24 * 10)
        let directory = bytes.count
        let fields: [(tag: Int, value: Int)] = [
          (254, part.kind), (256, 24), (257, 10), (258, 8), (259, 1), (262, 1), (273, pixels),
          (277, 1), (278, 10), (279, 240),
        ]
        bytes += Blocks.little(fields.count, 2)
        for field in fields {
          bytes += Blocks.little(field.tag, 2) + Blocks.little(4, 2) + Blocks.little(1, 4)
          bytes += Blocks.little(field.value, 4)
        }
        bytes.replaceSubrange(link..<(link + 4), with: Blocks.little(directory, 4))
        link = bytes.count
        bytes += Blocks.little(0, 4)
      }
      return bytes
    }

    static let orders: [(kinds: [Int], shown: Int, losses: [String])] = [
      ([1, 0], 1, ["thumbnail"]), ([4, 1, 0, 0], 2, ["pages", "thumbnail", "auxiliaryImages"]),
      ([0, 1], 0, ["thumbnail"]), ([0, 0], 0, ["pages"]), ([1], 0, []), ([2, 2], 0, ["pages"]),
    ]

    @Test("the first picture that is neither reduced nor a mask is rendered", arguments: orders)
    func shown(kinds: [Int], shown: Int, losses: [String]) throws {
      let bytes = Self.joined(
        kinds.enumerated().map { ($1, UInt8(40 * $0 + 20)) })
      let file = try TemporaryFile(bytes)
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      #expect(try render.decoded()[3, 3, 0] == 40 * shown + 20)
      #expect(render.result.losses == losses)
      #expect(try file.opened().get().header.pages == max(1, kinds.filter { $0 & 5 == 0 }.count))
    }

    @Test(
      "a file that is cut off in a later picture is no success", arguments: [20, 200, 250, 300])
    func cutOffLater(missing: Int) throws {
      let bytes = Self.joined([(0, 20), (0, 60)])
      let file = try TemporaryFile(Array(bytes.dropLast(missing)))
      let failure = #expect(throws: RenderFailure.self) {
        try Render(file, [Rendition(name: "r", type: .png)])
      }
      #expect(failure?.code == .truncated, "\(failure?.detail ?? "")")
      let render = try Render(file, [Rendition(name: "r", type: .png)], tolerant: true)
      #expect(!render.result.damage.isEmpty)
      #expect(try render.decoded()[3, 3, 0] == 20)
    }

    @Test("Lab of three kinds is the same colour", arguments: [8, 16])
    func lab(bits: Int) throws {
      let unit = Double((1 as UInt64) << UInt64(bits - 8))
      func pixel(_ photometric: Int, _ l: Double, _ a: Double) throws -> [Int] {
        let most = photometric == 9 && bits == 16 ? 65_280.0 : 255 * unit + (unit - 1)
        let drawing = TIFFDrawing(
          bits: bits, samples: 3, photometric: photometric,
          value: { _, _, sample in
            if sample == 0 { return UInt64((l / 100 * most).rounded()) }
            let number = Int(((sample == 1 ? a : 0) * unit).rounded())
            let offset = photometric == 8 ? 0 : Int(128 * unit)
            return UInt64(bitPattern: Int64(number + offset)) & ((1 as UInt64) << UInt64(bits) - 1)
          })
        return try Self.render(drawing).0.pixel(6, 6)
      }
      // CIE 1976: a neutral of L has the light ((L + 16) / 116)^3.
      let grey = StandardRGB.code(pow((60.0 + 16) / 116, 3))
      for photometric in [8, 9] {
        let neutral = try pixel(photometric, 60, 0)
        #expect(neutral.allSatisfy { abs(Double($0) - grey) <= 2 }, "\(photometric): \(neutral)")
        let red = try pixel(photometric, 60, 40)
        let green = try pixel(photometric, 60, -40)
        #expect(red[0] > red[1] + 60 && green[1] > green[0] + 60, "\(red) \(green)")
        #expect(zip(red, try pixel(8, 60, 40)).allSatisfy { abs($0 - $1) <= 1 })
      }
    }

    @Test("luma and colour differences, at every pixel or at every fourth")
    func differences() throws {
      // BT.601 of (200, 100, 50), as TIFF 6.0 has it by default.
      let codes: [UInt64] = [124, 86, 182]
      for subsampling in [[1, 1], [2, 2]] {
        let drawing = TIFFDrawing(
          samples: 3, photometric: 6, subsampling: subsampling,
          value: { _, _, sample in codes[sample] })
        let (picture, _) = try Self.render(drawing)
        for (band, wanted) in [200, 100, 50].enumerated() {
          #expect(abs(picture[9, 5, band] - wanted) <= 3, "\(subsampling): \(picture.pixel(9, 5))")
        }
      }
    }

    @Test("ink of 8 and 16 bits is no negative", arguments: [8, 16], [false, true])
    func inks(bits: Int, isPlanar: Bool) throws {
      let most = (1 as UInt64) << UInt64(bits) - 1
      let drawing = TIFFDrawing(
        bits: bits, samples: 4, photometric: 5, isPlanar: isPlanar,
        tile: isPlanar ? (width: 16, height: 16) : nil,
        value: { x, _, sample in
          x < 8 ? 0 : x < 16 ? (sample == 3 ? most : 0) : (sample == 0 ? most : 0)
        })
      let (picture, losses) = try Self.render(drawing)
      #expect(picture.pixel(3, 5).allSatisfy { $0 > 240 })
      #expect(picture.pixel(12, 5).allSatisfy { $0 < 70 })
      #expect(picture.pixel(20, 5).min() == picture[20, 5, 0])
      #expect(losses.contains("cmyk"))
    }

    @Test("what is cut off is no success", arguments: [8, 12, 16])
    func cutOff(bits: Int) throws {
      let drawing = TIFFDrawing(
        bits: bits, samples: 3, photometric: 2, isPlanar: bits == 16,
        tile: bits == 16 ? (width: 16, height: 16) : nil,
        value: { x, _, sample in Self.code(x, sample, bits) })
      let bytes = drawing.bytes
      let file = try TemporaryFile(Array(bytes.dropLast(60)))
      let failure = #expect(throws: RenderFailure.self) {
        try Render(file, [Rendition(name: "r", type: .png)])
      }
      #expect(failure?.code == .truncated, "\(failure?.detail ?? "")")
      // What is streamed, the library's loader gives up at once.
      if bits == 8 { return }
      let whole = try Render(file, [Rendition(name: "r", type: .png)], tolerant: true)
      #expect(!whole.result.damage.isEmpty)
    }

    @Test("orientation of what libtiff decodes is applied once")
    func orientation() throws {
      let drawing = TIFFDrawing(
        bits: 12, samples: 3, photometric: 2, orientation: 6,
        value: { x, _, sample in Self.code(x, sample, 12) })
      let (picture, _) = try Self.render(drawing)
      #expect(picture.size == PixelSize(width: 10, height: 24))
      #expect(picture[4, 0, 0] < 3 && picture[4, 23, 0] > 252)
    }
  }
}
