import ColourEngine
import RenderModel
import Testing

@Suite struct ToneFilterTests {
  static func levels(
    _ five: [Double] = [0, 1, 1, 0, 1], _ channels: [String: [Double]] = [:], version: Int = 2,
    clamp: Bool? = nil
  ) -> FilterStep {
    let names = ["black", "white", "gamma", "outputBlack", "outputWhite"]
    return FilterStep(
      name: "levels", version: version,
      parameters: zip(names, five).map { .init(name: $0, value: .number($1)) }
        + ["red", "green", "blue"].map {
          .init(name: $0, value: .numbers(channels[$0] ?? [0, 1, 1, 0, 1]))
        } + (clamp.map { [.init(name: "clamp", value: .number($0 ? 1 : 0))] } ?? []))
  }

  static func curves(
    _ curves: KeyValuePairs<String, [(Double, Double)]>, version: Int = 2
  ) -> FilterStep {
    FilterStep(
      name: "toneCurve", version: version,
      parameters: curves.map { name, points in
        .init(name: name, value: .points(points.map { .init(x: $0.0, y: $0.1) }))
      })
  }

  static func ends(_ whites: Double, _ blacks: Double) -> FilterStep {
    Steps.step("whitesBlacks", ["whites": whites, "blacks": blacks])
  }

  static let straight = [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (1.0, 1.0)]

  static let identities: [FilterStep] = [
    Steps.exposure(0), Steps.contrast(1, pivot: 0.3), Steps.brightness(0),
    Steps.step("gamma", ["power": 1]), levels(), ends(0, 0), curves(["points": straight]),
    curves(["luminance": straight]), curves(["red": straight, "luminance": straight]),
    levels(version: 1), levels(clamp: true), curves(["points": straight], version: 1),
  ]

  @Test("identity parameters leave every float as it is, also out of range", arguments: identities)
  func identity(step: FilterStep) {
    var random = RandomSteps(seed: 5)
    let colours = random.colours(500)
    let pass = PixelPass(from: .working, steps: [step], to: .working)
    #expect(run(pass, colours, bands: 3, to: 3, as: Float.self) == colours)
  }

  static let rising: [FilterStep] = [
    Steps.exposure(-2), Steps.contrast(3), Steps.contrast(0), Steps.brightness(0.3),
    Steps.step("gamma", ["power": 0.25]), Steps.step("gamma", ["power": 4]),
    levels([0.2, 0.8, 0.1, 0.1, 0.9]), levels([0.5, 0.55, 1.5, 0, 1]), ends(1, -1), ends(-1, 1),
    ends(-1, -1), ends(1, 1), curves(["points": [(0.1, 0), (0.2, 0.5), (0.21, 0.52), (1, 0.9)]]),
    curves(["luminance": [(0.1, 0.2), (0.2, 0.5), (0.21, 0.52), (1, 0.9)]]),
    curves(["points": [(0, 0.1), (0.9, 0.9)], "luminance": [(0, 0), (0.4, 0.6), (1, 1)]]),
  ]

  @Test("a ramp never falls and greys stay grey", arguments: rising)
  func ramps(step: FilterStep) {
    let greys = (-400...4000).map { Float(Reference.decode(Double($0) / 2000)) }
    let pass = PixelPass(from: .working, steps: [step], to: .working)
    let results = run(
      pass, greys.flatMap { [$0, $0, $0] }, bands: 3, to: 3, as: Float.self)
    var last = -Float.infinity
    for pixel in stride(from: 0, to: results.count, by: 3) {
      let (red, green, blue) = (results[pixel], results[pixel + 1], results[pixel + 2])
      let size = max(1, abs(green))
      #expect(abs(red - green) < 1e-5 * size && abs(blue - green) < 1e-5 * size)
      #expect(green >= last - 1e-5 * size, "\(greys[pixel / 3]) becomes \(green) after \(last)")
      last = max(last, green)
    }
  }

  @Test("levels and curves of one channel leave the others as they are")
  func channels() {
    for step in [
      Self.levels([0, 1, 1, 0, 1], ["green": [0.1, 0.8, 2, 0.2, 0.7]]),
      Self.curves(["green": [(0, 0.3), (0.4, 0.6), (1, 0.9)]]),
    ] {
      let pass = PixelPass(from: .encoded(.float32), steps: [step], to: .encoded(.float32))
      let colours: [Float] = [0.3, 0.5, 0.7, -0.2, 0.1, 1.4]
      let results = run(pass, colours, bands: 3, to: 3, as: Float.self)
      for index in [0, 2, 3, 5] { #expect(abs(results[index] - colours[index]) < 1e-6) }
      #expect(abs(results[1] - colours[1]) > 0.01 && abs(results[4] - colours[4]) > 0.01)
    }
  }

  static let clipping = [
    levels([0.3, 0.31, 2, 0.25, 0.75], version: 1),
    levels([0.3, 0.31, 2, 0.25, 0.75], clamp: true),
  ]

  @Test(
    "levels clip beyond their points where that is asked for, whatever lies there",
    arguments: clipping)
  func clips(step: FilterStep) {
    let pass = PixelPass(from: .encoded(.float32), steps: [step], to: .encoded(.float32))
    let colours: [Float] = [-30, 0.2999, 0.3101, 40, 0, 1]
    let results = run(pass, colours, bands: 3, to: 3, as: Float.self)
    for (value, wanted) in zip(results, [0.25, 0.25, 0.75, 0.75, 0.25, 0.75] as [Float]) {
      #expect(abs(value - wanted) < 1e-5)
    }
  }

  static let openEnds: [(FilterStep, [Double])] = [
    (levels([0.1, 0.9, 1, 0, 1]), [-0.375, 1.125, 1.25]),
    (levels([0.1, 0.9, 2, 0.2, 1]), [0.2 - 0.8 * 0.375.squareRoot(), 1.0485281, 1.0944272]),
    (curves(["points": [(0, 0), (0.5, 0.5), (1, 1)]]), [-0.2, 1, 1.1]),
    (curves(["points": [(0, 0), (0.25, 0.5), (0.5, 0.625), (1, 1)]]), [-0.4, 1, 1.075]),
    (curves(["points": [(0, 1), (1, 0)]]), [1.2, 0, -0.1]),
    (curves(["points": [(0, 0), (1, 0.9)]]), [-0.18, 0.9, 0.9]),
    (curves(["points": [(0, 0.1), (1, 1)]]), [0.1, 1, 1.09]),
    (curves(["points": [(0.25, 0), (0.75, 1)]]), [0, 1, 1]),
  ]

  @Test(
    "what lies outside 0…1 keeps its differences, up to an end that is a limit", arguments: openEnds
  )
  func goesOn(step: FilterStep, wanted: [Double]) {
    let pass = PixelPass(from: .encoded(.float32), steps: [step], to: .encoded(.float32))
    let results = run(
      pass, [-0.2, 1, 1.1].flatMap { [Float](repeating: $0, count: 3) }, bands: 3, to: 3,
      as: Float.self)
    for (index, value) in wanted.enumerated() {
      #expect(abs(Double(results[3 * index + 1]) - value) < 1e-4, "\(results)")
    }
  }

  /// Half an inversion falls and rises again, so that the curve's ends lie where nobody looks for them.
  @Test("a curve that is held is as true after a part of an inversion as alone")
  func afterInversion() {
    var invert = Steps.step("invert", ["amount": 1])
    invert.opacity = 0.33
    let curve = Self.curves(["points": [(0, 0.23), (0.71, 0.52), (0.98, 0.93)]])
    let ramp = (0...4000).map { Float($0) / 4000 }
    let results = run(
      PixelPass(from: .working, steps: [invert, curve], to: .working),
      ramp.flatMap { [$0, $0, $0] }, bands: 3, to: 3, as: Float.self)
    for (index, value) in ramp.enumerated() {
      let light = Double(value)
      let mixed = light + 0.33 * (Reference.decode(1 - Reference.encode(light)) - light)
      let encoded = Reference.tone(Reference.encode(mixed), curve.points("points") ?? [])
      #expect(abs(Double(results[3 * index + 1]) - Reference.decode(encoded)) < 1e-4)
    }
  }

  @Test("a luminance curve keeps hues and saturation where it leaves black as it is")
  func hues() {
    let step = Self.curves(["luminance": [(0, 0), (0.3, 0.5), (1, 1)]])
    let colours: [Float] = [0.2, 0.1, 0.05, 0.0001, 0.0002, 0, -0.1, 0.5, 0.3]
    let results = run(
      PixelPass(from: .working, steps: [step], to: .working), colours, bands: 3, to: 3,
      as: Float.self)
    for pixel in stride(from: 0, to: colours.count, by: 3) {
      let factor = results[pixel + 1] / colours[pixel + 1]
      #expect(factor > 1.05)
      for index in pixel..<(pixel + 3) {
        #expect(abs(results[index] - colours[index] * factor) < 1e-6)
      }
    }
  }

  @Test("a luminance curve that lifts black makes it grey, and no light less than it says")
  func lifted() {
    let step = Self.curves(["luminance": [(0, 0.5), (1, 0.9)]])
    let results = run(
      PixelPass(from: .working, steps: [step], to: .working),
      [0, 0, 0, 1e-7, 0, 2e-7, -1e-6, 1e-6, 0, 1, 1, 1, 4, 4, 4] as [Float], bands: 3, to: 3,
      as: Float.self)
    // Light of the encoded 0.5 and 0.9.
    for value in results[..<9] { #expect(abs(value - 0.2140411) < 1e-4) }
    for value in results[9...] { #expect(abs(value - 0.7874123) < 1e-4) }
  }

  static let many: [[FilterStep]] = [
    [
      levels([0.2, 0.7, 1, 0, 1], clamp: true), levels([0.3, 0.31, 1, 0, 1], clamp: true),
      Steps.brightness(-0.1),
    ],
    [curves(["points": [(0.1, 0), (0.9, 1)]]), curves(["points": [(0.33, 0.1), (0.34, 0.8)]])],
    [
      levels([0.1, 0.9, 1, 0, 1], clamp: true), Steps.contrast(1.5),
      levels([0.47, 0.48, 1, 0, 1], clamp: true),
      curves(["points": [(0.77, 1), (0.78, 0.2)]]),
    ],
  ]

  @Test("steep curves with corners after one another are as true as alone", arguments: many)
  func corners(steps: [FilterStep]) {
    let ramp = (0...20_000).map { Float($0) / 20_000 }
    let compiled = run(
      PixelPass(from: .working, steps: steps, to: .working), ramp.flatMap { [$0, $0, $0] },
      bands: 3, to: 3, as: Float.self)
    for (index, value) in ramp.enumerated() {
      var encoded = Reference.encode(Double(value))
      for step in steps {
        switch step.name {
        case "levels":
          let (black, white) = (step.number("black") ?? 0, step.number("white") ?? 1)
          encoded = min(max((encoded - black) / (white - black), 0), 1)
        case "contrast": encoded = (encoded - 0.5) * 1.5 + 0.5
        case "brightness": encoded -= 0.1
        default: encoded = Reference.tone(encoded, step.points("points") ?? [])
        }
      }
      #expect(abs(Double(compiled[3 * index + 1]) - Reference.decode(encoded)) < 1e-4)
    }
  }
}
