import Adjustments
import ColourEngine
import RenderModel
import Testing

@Suite struct LutLookupTests {
  static func random(_ count: Int, _ range: ClosedRange<Float>, _ seed: UInt64 = 3) -> [Float] {
    var numbers = SteadyNumbers(state: seed)
    return (0..<(count * 3)).map { _ in Float.random(in: range, using: &numbers) }
  }

  static let sizes = [2, 3, 5, 17, 33, 64]

  @Test("a table that gives every colour back changes none", arguments: sizes)
  func identity(size: Int) throws {
    let table = try LutTables.table(LutTables.cube(size) { [$0, $1, $2] })
    let colours = Self.random(5001, 0...1) + [0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0.5]
    #expect(LutTables.worst(LutTables.look(colours, in: table), colours) < 1e-5)
    let codes = (0..<256).flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)] }
    for space in ["sRGB", "rec709"] {
      let pass = LutTables.pass(
        table, LutTables.step(colorSpace: space), from: .encoded(.uint8), to: .encoded(.uint8))
      #expect(run(pass, codes, bands: 3, to: 3, as: UInt8.self) == codes)
    }
  }

  @Test("the points have the values of the file", arguments: [2, 5, 17])
  func nodes(size: Int) throws {
    var numbers = SteadyNumbers(state: 8)
    var values: [Float] = []
    let text = LutTables.cube(size) { _, _, _ in
      let row = (0..<3).map { _ in Float.random(in: -2...2, using: &numbers) }
      values += row
      return row.map(Double.init)
    }
    var points: [Float] = []
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          points += [red, green, blue].map { Float($0) / Float(size - 1) }
        }
      }
    }
    let found = LutTables.look(points, in: try LutTables.table(text))
    #expect(LutTables.worst(found, values) < 2e-5)
  }

  /// The formula of the paper, written out for each of the six orders.
  static func tetrahedral(
    _ r: Double, _ g: Double, _ b: Double, _ c: (Int, Int, Int) -> Double
  ) -> Double {
    let (o, w) = (c(0, 0, 0), c(1, 1, 1))
    if r > g {
      if g > b {
        return o + r * (c(1, 0, 0) - o) + g * (c(1, 1, 0) - c(1, 0, 0)) + b * (w - c(1, 1, 0))
      }
      if r > b {
        return o + r * (c(1, 0, 0) - o) + b * (c(1, 0, 1) - c(1, 0, 0)) + g * (w - c(1, 0, 1))
      }
      return o + b * (c(0, 0, 1) - o) + r * (c(1, 0, 1) - c(0, 0, 1)) + g * (w - c(1, 0, 1))
    }
    if b > g {
      return o + b * (c(0, 0, 1) - o) + g * (c(0, 1, 1) - c(0, 0, 1)) + r * (w - c(0, 1, 1))
    }
    if b > r {
      return o + g * (c(0, 1, 0) - o) + b * (c(0, 1, 1) - c(0, 1, 0)) + r * (w - c(0, 1, 1))
    }
    return o + g * (c(0, 1, 0) - o) + r * (c(1, 1, 0) - c(0, 1, 0)) + b * (w - c(1, 1, 0))
  }

  @Test("between the points each of the six tetrahedra is used")
  func tetrahedra() throws {
    let corners: [Double] = [0.1, 0.9, -0.3, 0.4, 1.2, 0.7, 0.2, 0.6]
    let text = LutTables.cube(2) { r, g, b in
      let value = corners[Int(r) + 2 * Int(g) + 4 * Int(b)]
      return [value, -value, value * value]
    }
    let table = try LutTables.table(text)
    let colours = Self.random(4000, 0...1)
    let found = LutTables.look(colours, in: table)
    for index in stride(from: 0, to: colours.count, by: 3) {
      let (r, g, b) = (
        Double(colours[index]), Double(colours[index + 1]), Double(colours[index + 2])
      )
      let wanted = Self.tetrahedral(r, g, b) { corners[$0 + 2 * $1 + 4 * $2] }
      #expect(abs(Double(found[index]) - wanted) < 1e-6)
      #expect(abs(Double(found[index + 1]) + wanted) < 1e-6)
    }
  }

  @Test("a table that keeps greys grey gives greys of three equal channels")
  func grey() throws {
    let table = try LutTables.table(
      LutTables.cube(9) { r, g, b in [r * r * 0.9 + 0.05, g * g * 0.9 + 0.05, b * b * 0.9 + 0.05] })
    let found = LutTables.look(
      (0...1000).flatMap {
        [Float]($0 == 0 ? [0, 0, 0] : [Float](repeating: Float($0) / 1000, count: 3))
      },
      in: table)
    var before: Float = 0
    for index in stride(from: 0, to: found.count, by: 3) {
      #expect(found[index] == found[index + 1] && found[index] == found[index + 2])
      #expect(found[index] >= before)
      before = found[index]
    }
  }

  @Test("values outside the domain count as its nearest value")
  func outside() throws {
    let cube = try LutTables.table(
      LutTables.cube(4, header: "LUT_3D_INPUT_RANGE -1 3\n", lowest: -1, highest: 3) {
        [$0, $1, $2]
      })
    let curves = try LutTables.table("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -1 3\n-1 -1 -1\n3 3 3\n")
    let colours: [Float] = [-64, 0.5, 64, 3.5, -1, -1.5, .infinity, -.infinity, 2]
    for table in [cube, curves] {
      let found = LutTables.look(colours, in: table)
      #expect(LutTables.worst(found, [-1, 0.5, 3, 3, -1, -1, 3, -1, 2]) < 1e-6)
      #expect(LutTables.look([.nan, .nan, .nan], in: table).allSatisfy { $0.isFinite })
    }
  }

  @Test("strength mixes encoded values")
  func strength() throws {
    let black = try LutTables.table(LutTables.cube(2) { _, _, _ in [0, 0, 0] })
    let layout = PixelLayout.encoded(.uint8)
    for (share, code) in [(0.0, 200), (0.25, 150), (0.5, 100), (1.0, 0)] {
      let pass = LutTables.pass(
        black, LutTables.step(strength: share, colorSpace: "sRGB"), from: layout, to: layout)
      let wanted = [UInt8](repeating: UInt8(code), count: 3)
      #expect(run(pass, [200, 200, 200] as [UInt8], bands: 3, to: 3, as: UInt8.self) == wanted)
    }
  }

  @Test("strength 0 changes no bit, not even outside every domain")
  func nothing() throws {
    let black = try LutTables.table(LutTables.cube(2) { _, _, _ in [0, 0, 0] })
    let colours = Self.random(500, -64...64)
    for space in ["sRGB", "proPhotoRGB"] {
      let step = LutTables.step(strength: 0, colorSpace: space)
      #expect(LutTables.look(colours, in: black, step) == colours)
    }
  }

  @Test("alpha stays as it is, and rows of any length are the same colours", arguments: 1...9)
  func rows(count: Int) throws {
    let table = try LutTables.table(LutTables.cube(5) { [$1, $2, 1 - $0] })
    let layout = PixelLayout(sample: .float32, bands: 4, alpha: .straight, space: .working)
    var pixels: [Float] = []
    let colours = Self.random(count, 0...1)
    for index in 0..<count {
      pixels += colours[(index * 3)..<(index * 3 + 3)] + [Float(index + 1) / 16]
    }
    let pass = LutTables.pass(table, LutTables.step(), from: layout, to: layout)
    let found = run(pass, pixels, bands: 4, to: 4, as: Float.self)
    for index in 0..<count {
      let (old, new) = (pixels[(index * 4)...], found[(index * 4)...])
      let wanted = [old[index * 4 + 1], old[index * 4 + 2], 1 - old[index * 4], old[index * 4 + 3]]
      #expect(LutTables.worst(Array(new.prefix(4)), wanted) < 1e-6)
    }
  }

  static let spaces = [
    "sRGB", "displayP3", "adobeRGB", "rec709", "rec2020", "proPhotoRGB", "linearSRGB",
    "linearRec2020",
  ]

  @Test("no colour and no table gives what is not finite", arguments: spaces)
  func finite(space: String) throws {
    var numbers = SteadyNumbers(state: 21)
    for range in [-1.0...2, -65_536...65_536] {
      let text = LutTables.cube(3) { _, _, _ in
        (0..<3).map { _ in Double.random(in: range, using: &numbers) }
      }
      let table = try LutTables.table(text)
      for share in [0.01, 0.5, 1] {
        let step = LutTables.step(strength: share, colorSpace: space)
        let found = LutTables.look(Self.random(2000, -64...64), in: table, step)
        #expect(found.allSatisfy { $0.isFinite })
      }
    }
  }

  @Test("the spaces are those of the catalogue")
  func catalogue() throws {
    let filter = try #require(FilterCatalogue.description(of: "lut3d"))
    #expect(filter.parameter("colorSpace")?.domain == .choice(Self.spaces, default: "sRGB"))
    #expect(filter.parameter("path")?.domain == .file)
    #expect(filter.parameter("strength")?.domain == .number(0...1, default: 1))
  }

  @Test("without its file, or with a space that is not known, the step is not accepted")
  func refused() throws {
    let table = try LutTables.table(LutTables.cube(2) { [$0, $1, $2] })
    let files = FilterResources(tables: ["a": table])
    #expect(PixelPass.accepts(PlacedStep(LutTables.step()), files))
    #expect(!PixelPass.accepts(PlacedStep(LutTables.step()), .none))
    #expect(!PixelPass.accepts(PlacedStep(LutTables.step(colorSpace: "sRBG")), files))
    #expect(!PixelPass.accepts(PlacedStep(LutTables.step(strength: 1.5)), files))
    #expect(
      Self.spaces.allSatisfy {
        PixelPass.accepts(PlacedStep(LutTables.step(colorSpace: $0)), files)
      })
  }

  @Test("a HaldCLUT needs all the pixels of its level")
  func hald() {
    #expect(HaldPicture.level(side: 512) == 8)
    #expect(HaldPicture.level(side: 500) == nil)
    #expect(HaldPicture.level(side: 1) == nil)
    #expect(ColourTable(haldLevel: 2, codes: [SIMD4](repeating: SIMD4(), count: 63)) == nil)
    #expect(ColourTable(haldLevel: 2, codes: [SIMD4](repeating: SIMD4(), count: 64)) != nil)
    #expect(ColourTable(haldLevel: 1, codes: [SIMD4()]) == nil)
  }
}
