import ColourEngine
import Imaging
import RenderModel
import Testing

/// A picture rendered with files for its filters.
enum LutRender {
  static func step(_ name: String, strength: Double = 1) -> FilterStep {
    FilterStep(
      name: "lut3d", version: 1,
      parameters: [
        .init(name: "path", value: .file(name)), .init(name: "strength", value: .number(strength)),
        .init(name: "colorSpace", value: .text("sRGB")),
      ])
  }

  static func png(
    _ drawing: PixelBuffer, _ files: [(String, TemporaryFile)], strength: Double = 1,
    limits: RenderLimits = RenderLimits()
  ) throws -> PixelBuffer {
    let input = try drawing.file(.png)
    let picture = try input.opened().get()
    let output = try TemporaryFile()
    let plan = RenderPlan(
      filters: files.map { step($0.0, strength: strength) },
      renditions: [Rendition(name: "r", type: .png)], limits: limits, resources: files.map(\.0))
    _ = try withExtendedLifetime((input, files)) {
      try picture.render(
        plan, outputs: [output.descriptor], resources: files.map(\.1.descriptor)
      ).get()
    }
    return try output.decoded()
  }

  static func failure(
    _ file: TemporaryFile, name: String = "looks/a.cube", limits: RenderLimits = RenderLimits()
  ) -> RenderFailure? {
    do {
      _ = try png(Drawing.scene(8, 8), [(name, file)], limits: limits)
      return nil
    } catch {
      return error as? RenderFailure
    }
  }

  /// A HaldCLUT in which channel c of the point (r, g, b), each 0…1, is a function's value 0…1.
  static func hald(
    level: Int, bands: Int = 3, deep: Bool = false, _ value: (Int, Double, Double, Double) -> Double
  ) -> PixelBuffer {
    let (size, side) = (level * level, level * level * level)
    func sample(_ x: Int, _ y: Int, _ band: Int) -> Int {
      let index = y * side + x
      let point = [index % size, index / size % size, index / size / size].map {
        Double($0) / Double(size - 1)
      }
      let value = value(band, point[0], point[1], point[2])
      return Int((value * (deep ? 65_535 : 255)).rounded())
    }
    return deep
      ? Drawing.deepPicture(side, side, bands: bands, sample)
      : Drawing.picture(side, side, bands: bands, sample)
  }
}

extension ImagingTests {
  @Suite("Files of filters")
  struct ResourceFiles {
    static let swap = "LUT_3D_SIZE 2\n0 0 0\n0 1 0\n0 0 1\n0 1 1\n1 0 0\n1 1 0\n1 0 1\n1 1 1\n"

    static func close(_ one: PixelBuffer, _ other: PixelBuffer, _ bound: Int) -> Bool {
      one.size == other.size
        && zip(one.samples, other.samples).allSatisfy { abs(Int($0) - Int($1)) <= bound }
    }

    @Test("a .cube text is told by its bytes and looked up in")
    func cube() throws {
      let scene = Drawing.scene(61, 37)
      let file = try TemporaryFile(Array(Self.swap.utf8))
      let found = try LutRender.png(scene, [("looks/no extension", file)])
      // The points say blue, red, green; a table of corners alone is exact for it.
      for (x, y) in [(0, 0), (60, 36), (30, 20), (7, 31)] {
        let old = scene.pixel(x, y)
        #expect(zip(found.pixel(x, y), [old[2], old[0], old[1]]).allSatisfy { abs($0 - $1) <= 1 })
      }
    }

    @Test("each filter has its own file")
    func several() throws {
      let scene = Drawing.scene(40, 30)
      let files = try ["a", "b", "c"].map { ($0, try TemporaryFile(Array(Self.swap.utf8))) }
      // Three turns of the channels are none.
      #expect(Self.close(try LutRender.png(scene, files), scene, 1))
    }

    @Test(
      "a HaldCLUT of PNG or TIFF, 8 or 16 bits, with or without alpha is looked up in",
      arguments: [UniformType.png, .tiff], [(3, false), (3, true), (4, false), (4, true)])
    func hald(type: UniformType, form: (bands: Int, deep: Bool)) throws {
      let hald = LutRender.hald(level: 4, bands: form.bands, deep: form.deep) { band, r, g, b in
        [1 - r, b, g, 0.2][band]
      }
      let scene = Drawing.scene(61, 37)
      let found = try LutRender.png(scene, [("h", hald.file(type))])
      for (x, y) in [(0, 0), (60, 36), (30, 20), (7, 31)] {
        let old = scene.pixel(x, y)
        let wanted = [255 - old[0], old[2], old[1]]
        #expect(zip(found.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= 1 })
      }
    }

    @Test("a grey HaldCLUT makes pictures grey", arguments: [false, true])
    func grey(deep: Bool) throws {
      let hald = LutRender.hald(level: 3, bands: 1, deep: deep) { _, r, g, b in (r + g + b) / 3 }
      let scene = Drawing.scene(31, 17)
      let found = try LutRender.png(scene, [("h", hald.file(.png))])
      for x in 0..<31 {
        let (old, new) = (scene.pixel(x, 9), found.pixel(x, 9))
        #expect(new[0] == new[1] && new[1] == new[2])
        #expect(abs(new[0] * 3 - old[0] - old[1] - old[2]) <= 4)
      }
    }

    @Test("a HaldCLUT's profile and orientation are ignored")
    func tagged() throws {
      var hald = LutRender.hald(level: 4) { [$1, $2, $3][$0] }
      hald.profile = EmbeddedProfile.displayP3
      hald.orientation = 6
      let scene = Drawing.scene(61, 37)
      #expect(Self.close(try LutRender.png(scene, [("h", hald.file(.tiff))]), scene, 1))
    }

    @Test("the smallest and a large level give every colour back", arguments: [2, 8])
    func levels(level: Int) throws {
      let hald = LutRender.hald(level: level, deep: true) { [$1, $2, $3][$0] }
      let scene = Drawing.scene(61, 37)
      #expect(Self.close(try LutRender.png(scene, [("h", hald.file(.png))]), scene, 1))
    }

    static let wrong: [(String, [String])] = [
      ("LUT_3D_SIZE 2\n0 0 0\n0 0\n", ["looks/a.cube", "line 3", "3 numbers, not 2"]),
      ("LUT_3D_SIZE 2\n0 0 0\n", ["looks/a.cube", "line 3", "1 of 8 rows"]),
      ("", ["looks/a.cube", "empty", ".cube"]),
      ("\0\u{1}\u{2}", ["looks/a.cube", "no picture that is known here", "HaldCLUT"]),
      ("%PDF-1.7\n", ["looks/a.cube", "a PDF", "HaldCLUT"]),
    ]

    @Test("a bad file is named with its line and what is accepted", arguments: wrong)
    func named(text: String, words: [String]) throws {
      let failure = try #require(LutRender.failure(try TemporaryFile(Array(text.utf8))))
      #expect(failure.code == .invalidAdjustment)
      #expect(failure.stage == .filter)
      for word in words { #expect(failure.detail.contains(word), "\(failure.detail)") }
    }

    @Test("UTF-16 is named")
    func utf16() throws {
      let bytes: [UInt8] = [0xFF, 0xFE] + "LUT".utf8.flatMap { [$0, 0] }
      let failure = try #require(LutRender.failure(try TemporaryFile(bytes)))
      #expect(failure.detail.contains("line 1: the text is in UTF-16"))
    }

    @Test(
      "pictures that are no HaldCLUT are refused with their size",
      arguments: [(64, 63), (100, 100), (1, 1), (27, 8)])
    func notHald(width: Int, height: Int) throws {
      let failure = try #require(LutRender.failure(Drawing.scene(width, height).file(.png)))
      #expect(failure.code == .invalidAdjustment && failure.stage == .filter)
      #expect(failure.detail.contains("\(width) x \(height)"))
    }

    @Test("a JPEG, a WebP and inks are no HaldCLUT")
    func kinds() throws {
      let hald = LutRender.hald(level: 2) { [$1, $2, $3][$0] }
      #expect(LutRender.failure(try hald.file(.jpeg))?.detail.contains("a JPEG") == true)
      #expect(LutRender.failure(try hald.file(.webP))?.detail.contains("a WebP") == true)
      let inks = try TemporaryFile(HandMade.cmykTIFF(width: 8, height: 8) { _, _, _ in 9 })
      #expect(LutRender.failure(inks)?.detail.contains("grey or RGB") == true)
    }

    @Test("a cut-off HaldCLUT is named", arguments: [100, 2000])
    func cut(kept: Int) throws {
      var numbers: UInt32 = 1
      let noise = Drawing.picture(64, 64) { _, _, _ in
        numbers = numbers &* 1_664_525 &+ 1_013_904_223
        return Int(numbers >> 24)
      }
      let bytes = Array(try noise.file(.png).bytes.prefix(kept))
      let failure = try #require(LutRender.failure(try TemporaryFile(bytes)))
      #expect(failure.code == .invalidAdjustment && failure.stage == .filter)
      #expect(failure.detail.contains("looks/a.cube"))
    }

    @Test("the limit of input bytes holds for a LUT")
    func limit() throws {
      let file = try TemporaryFile(Array(Self.swap.utf8))
      let failure = LutRender.failure(file, limits: RenderLimits(inputBytes: 20))
      #expect(failure?.code == .limitExceeded)
      #expect(failure?.detail.contains("limits.inputBytes") == true)
    }

    @Test("a name is made safe to show")
    func name() throws {
      let failure = LutRender.failure(try TemporaryFile(), name: "a\u{1B}[2J.cube")
      #expect(failure?.detail.contains("\u{1B}") == false)
    }
  }
}
