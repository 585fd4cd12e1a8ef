import Adjustments
import ColourEngine
import Glibc
import RenderModel
import Testing

@Suite struct MaskPropertyTests {
  /// Steps whose result differs from what they are given.
  static let steps = [
    Steps.exposure(1.5), Steps.contrast(1.7), Steps.saturation(0), Steps.brightness(0.3),
    Steps.balance(4300, 20), Steps.tone([(0, 0.2), (0.4, 0.7), (1, 0.9)]),
  ]

  private static func colours(_ count: Int, seed: UInt64, alpha: Bool = false) -> [Float] {
    var numbers = SteadyNumbers(state: seed)
    return (0..<count).flatMap { _ -> [Float] in
      let colour = (0..<3).map { _ in Float.random(in: -0.5...2, using: &numbers) }
      guard alpha else { return colour }
      let cover = Float.random(in: 0.1...1, using: &numbers)
      return colour.map { $0 * cover } + [cover]
    }
  }

  private static func run(_ step: FilterStep, _ colours: [Float]) -> [Float] {
    let placed = PlacedStep(step, toPicture: .scale(1 / 300, 1))
    let pass = PixelPass(from: .working, placed: [placed], to: .working)
    return ColourEngineTests.run(pass, colours, bands: 3, to: 3, as: Float.self)
  }

  private static func mask(_ text: String) throws -> FilterMask {
    try MaskGoldens.mask(text.utf8)
  }

  @Test("opacity 0 leaves every pixel exactly as it was", arguments: steps)
  func opaqueNowhere(step: FilterStep) {
    let colours = Self.colours(300, seed: 1)
    var step = step
    #expect(Self.run(step, colours) != colours)
    step.opacity = 0
    #expect(Self.run(step, colours) == colours)
  }

  @Test("a mask that is 0 leaves every pixel exactly as it was", arguments: steps)
  func maskedOut(step: FilterStep) throws {
    let colours = Self.colours(300, seed: 2)
    var step = step
    step.mask = try Self.mask(#"{"mask": "radial", "center": [5, 5], "radius": [0.1, 0.1]}"#)
    #expect(Self.run(step, colours) == colours)
  }

  @Test("opacity and mask mix what was there with the result, in linear light", arguments: steps)
  func mixed(step: FilterStep) throws {
    let colours = Self.colours(300, seed: 3)
    let whole = Self.run(step, colours)
    var step = step
    step.opacity = 0.7
    step.mask = try Self.mask(#"{"mask": "linearGradient", "from": [0, 0], "to": [1, 0]}"#)
    let result = Self.run(step, colours)
    for index in colours.indices {
      let t = (Float(index / 3) + 0.5) / 300
      let share = 0.7 * (3 * t * t - 2 * t * t * t)
      let wanted = colours[index] * (1 - share) + whole[index] * share
      #expect(abs(result[index] - wanted) < 1e-4)
    }
  }

  @Test("a mask and its inversion add up to 1, and inverting twice is nothing")
  func inverted() throws {
    let goldens = try MaskGoldens()
    for golden in goldens.cases {
      let placed = PlacedStep(Steps.exposure(1), toPicture: golden.toPicture)
      var other = golden.mask
      other.isInverted.toggle()
      let one = try #require(MaskWeights(golden.mask, placed, goldens.resources))
      let two = try #require(MaskWeights(other, placed, goldens.resources))
      let left = weigh(one, golden.pixels, columns: golden.columns)
      let right = weigh(two, golden.pixels, columns: golden.columns)
      #expect(zip(left, right).allSatisfy { abs($0 + $1 - 1) < 1e-6 }, "\(golden.name)")
    }
  }

  @Test("a crop does not move a mask, wherever a strip begins")
  func cropped() throws {
    let goldens = try MaskGoldens()
    for golden in goldens.cases where golden.rows > 8 {
      let placed = PlacedStep(Steps.exposure(1), toPicture: golden.toPicture)
      let whole = try #require(MaskWeights(golden.mask, placed, goldens.resources))
      let cut = try #require(
        MaskWeights(golden.mask, placed.moved(left: 5, top: 3), goldens.resources))
      let all = weigh(whole, golden.pixels, columns: golden.columns)
      let row = [Float](repeating: 0.18, count: 3 * (golden.columns - 5))
      for top in 0..<(golden.rows - 3) {
        let part = weigh(
          cut, row, columns: golden.columns - 5, at: PixelPlace(column: 0, row: top))
        let start = (top + 3) * golden.columns + 5
        let same = all[start..<(start + golden.columns - 5)]
        #expect(zip(part, same).allSatisfy { abs($0 - $1) < 2e-6 }, "\(golden.name), row \(top)")
      }
    }
  }

  @Test("a mask is the same at three times the size")
  func scaled() throws {
    let goldens = try MaskGoldens()
    for golden in goldens.cases where golden.rows > 8 {
      let small = PlacedStep(Steps.exposure(1), toPicture: golden.toPicture)
      let large = PlacedStep(
        Steps.exposure(1), toPicture: golden.toPicture * .scale(1 / 3, 1 / 3))
      let one = try #require(MaskWeights(golden.mask, small, goldens.resources))
      let three = try #require(MaskWeights(golden.mask, large, goldens.resources))
      let some = weigh(one, golden.pixels, columns: golden.columns)
      let row = [Float](repeating: 0.18, count: 9 * golden.columns)
      for top in 0..<golden.rows {
        // The middle of a pixel is that of the second of three.
        let wide = weigh(
          three, row, columns: 3 * golden.columns, at: PixelPlace(column: 0, row: 3 * top + 1))
        for column in 0..<golden.columns {
          let difference = wide[3 * column + 1] - some[top * golden.columns + column]
          #expect(abs(difference) < 5e-6, "\(golden.name)")
        }
      }
    }
  }

  @Test("weights of premultiplied pixels are those of their colours")
  func premultiplied() throws {
    let mask = try Self.mask(#"{"mask": "hueRange", "hue": 40, "tolerance": 90, "feather": 90}"#)
    let weights = try #require(MaskWeights(mask, PlacedStep(Steps.exposure(1)), .none))
    let covered = Self.colours(300, seed: 4, alpha: true)
    let straight = stride(from: 0, to: covered.count, by: 4).flatMap { index in
      (0..<3).map { covered[index + $0] / covered[index + 3] }
    }
    let one = weigh(weights, covered, bands: 4, columns: 300)
    let other = weigh(weights, straight, columns: 300)
    #expect(one == other)
    #expect(weigh(weights, [3, 2, 1, 0], bands: 4, columns: 1)[0] < 1e-9)
  }

  @Test("a mask that lacks a file, a part or a parameter, or is of an unknown kind, is none")
  func unmade() throws {
    let placed = PlacedStep(Steps.exposure(1))
    func isMade(_ mask: FilterMask) -> Bool { MaskWeights(mask, placed, .none) != nil }
    let bitmap = try Self.mask(#"{"mask": "bitmap", "path": "a.png"}"#)
    #expect(!isMade(bitmap))
    #expect(!isMade(FilterMask(kind: "moon", parameters: [])))
    for kind in MaskCatalogue.masks.map(\.name) {
      #expect(!isMade(FilterMask(kind: kind, parameters: [])))
    }
    var combined = try Self.mask(
      #"{"mask": "combine", "masks": [{"mask": "radial", "radius": [1, 1]}]}"#)
    #expect(isMade(combined))
    combined.parts.append(bitmap)
    #expect(!isMade(combined))
    var step = Steps.exposure(1)
    step.mask = bitmap
    #expect(!PixelPass.accepts(step))
  }
}
