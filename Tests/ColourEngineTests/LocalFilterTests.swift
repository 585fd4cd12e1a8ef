import ColourEngine
import RenderModel
import Testing

@Suite("Local filters") struct LocalFilterTests {
  static let all: [FilterStep] = [
    Steps.highlightsShadows(-1, 1), Steps.highlightsShadows(1, -1), Steps.localContrast(1),
    Steps.localContrast(-1, radius: 0.25), Steps.localContrast(1, radius: 0.002),
    Steps.dehaze(1), Steps.dehaze(-1),
  ]

  @Test(
    "identity parameters leave every pixel as it is",
    arguments: [
      Steps.highlightsShadows(0, 0), Steps.localContrast(0), Steps.dehaze(0),
    ])
  func identity(step: FilterStep) {
    let picture = LocalPicture(50, 40) { x, y in
      SIMD4(Float(x) / 50, Float(y) / 40, Float(x * y % 17) / 17, 1)
    }
    #expect(picture.filtered(step).samples == picture.samples)
    #expect(LocalAnalysis.of(step, picture.reduced()) == nil)
  }

  @Test("a local filter without its analysis is not accepted, nor without a parameter")
  func missing() {
    for step in Self.all {
      #expect(!PixelPass.accepts(step))
      var bare = step
      bare.parameters = []
      #expect(LocalAnalysis.of(bare, LocalPicture.grey(4, 4) { _, _ in 1 }.reduced()) == nil)
    }
  }

  static let sizes = [(1, 1), (1, 7), (300, 1), (2, 3), (1, 2500), (2049, 3), (131, 5)]

  @Test("pictures of every shape, black, white, flat and wild, give numbers", arguments: all)
  func finite(step: FilterStep) {
    var numbers = SteadyNumbers(state: 11)
    let wild = { (_: Int, _: Int) -> SIMD4<Float> in
      SIMD4(
        Float.random(in: -64...64, using: &numbers), Float.random(in: -64...64, using: &numbers),
        Float.random(in: -64...64, using: &numbers), Float.random(in: 0...1, using: &numbers))
    }
    for (width, height) in Self.sizes {
      let pictures = [
        LocalPicture.grey(width, height) { _, _ in 0 },
        LocalPicture.grey(width, height) { _, _ in 1 },
        LocalPicture.grey(width, height) { _, _ in 0.18 },
        LocalPicture(width, height) { _, _ in [0.3, 0.5, 0.1, 0] },
        LocalPicture(width, height) { x, y in wild(x, y) },
      ]
      for picture in pictures {
        let result = picture.filtered(step)
        #expect(result.samples.allSatisfy { $0.isFinite }, "\(width) × \(height)")
        for index in stride(from: 3, to: result.samples.count, by: 4) {
          #expect(result.samples[index] == picture.samples[index])
        }
      }
    }
  }

  @Test("a sample that is no number spoils nothing but its surroundings' own", arguments: all)
  func notANumber(step: FilterStep) {
    var picture = LocalPicture.grey(64, 64) { x, y in Float(x + y) / 128 }
    picture.samples[(20 * 64 + 20) * 4] = .nan
    picture.samples[(40 * 64 + 40) * 4 + 1] = .infinity
    let result = picture.filtered(step)
    for index in 0..<(64 * 64) where index != 20 * 64 + 20 && index != 40 * 64 + 40 {
      #expect(result.samples[index * 4].isFinite)
    }
  }

  @Test("random parameters in range give numbers, and neutral stays neutral")
  func random() {
    var numbers = SteadyNumbers(state: 29)
    for _ in 0..<150 {
      let amount = Double.random(in: -1...1, using: &numbers)
      let steps = [
        Steps.highlightsShadows(amount, Double.random(in: -1...1, using: &numbers)),
        Steps.localContrast(amount, radius: Double.random(in: 0.002...0.25, using: &numbers)),
        Steps.dehaze(amount),
      ]
      let picture = LocalPicture.grey(23, 17) { _, _ in
        Float.random(in: -0.1...1.5, using: &numbers)
      }
      for step in steps {
        let result = picture.filtered(step)
        for index in stride(from: 0, to: result.samples.count, by: 4) {
          let value = result.samples[index]
          #expect(value.isFinite && abs(value) < 64)
          #expect(abs(value - result.samples[index + 1]) < 2e-5)
          #expect(abs(value - result.samples[index + 2]) < 2e-5)
        }
      }
    }
  }

  @Test("ramps stay monotone", arguments: all)
  func ramps(step: FilterStep) {
    let picture = LocalPicture.grey(900, 60) { x, _ in Float(Reference.decode(Double(x) / 899)) }
    let result = picture.filtered(step)
    for x in 1..<900 { #expect(result[x, 30, 0] >= result[x - 1, 30, 0] - 1e-6, "column \(x)") }
  }

  @Test("a step edge gets no halo: both sides stay level to a few codes and never turn back")
  func halo() {
    // 4 stops apart, in the middle of a picture that is as it would be after reduction.
    let picture = LocalPicture.grey(400, 300) { x, _ in x < 200 ? 0.03 : 0.48 }
    for step in [Steps.highlightsShadows(-1, 1), Steps.localContrast(1)] {
      let result = picture.filtered(step)
      let codes = (0..<400).map { Reference.encode(Double(result[$0, 150, 0])) * 255 }
      #expect(codes[0..<200].max().map { $0 - codes[5] } ?? 99 < 6)
      #expect(codes[0..<200].min().map { codes[5] - $0 } ?? 99 < 6)
      #expect(codes[200..<400].max().map { $0 - codes[394] } ?? 99 < 6)
      #expect(codes[200..<400].min().map { codes[394] - $0 } ?? 99 < 6)
      #expect(codes[199] < codes[200] - 60)
    }
  }

  @Test("noise of a flat surface is not raised by more than a tenth", arguments: [0.02, 0.2, 0.6])
  func noise(light: Double) {
    var numbers = SteadyNumbers(state: 3)
    // About ± 0.02 stops.
    let picture = LocalPicture.grey(256, 200) { _, _ in
      Float(light * (1 + Double.random(in: -0.014...0.014, using: &numbers)))
    }
    func spread(_ picture: LocalPicture) -> Double {
      let mean = Double(picture.samples[0])
      var (sum, square) = (0.0, 0.0)
      for index in stride(from: 0, to: picture.samples.count, by: 4) {
        let value = Double(picture.samples[index]) / mean
        sum += value
        square += value * value
      }
      let count = Double(picture.samples.count / 4)
      return (square / count - sum * sum / count / count).squareRoot() / (sum / count)
    }
    for step in [Steps.highlightsShadows(-1, 1), Steps.localContrast(1)] {
      #expect(spread(picture.filtered(step)) < 1.1 * spread(picture))
    }
  }

  @Test("what lies under transparent pixels does not matter", arguments: all)
  func transparency(step: FilterStep) {
    func picture(_ hidden: Float) -> LocalPicture {
      LocalPicture(90, 70) { x, y in
        let shown = SIMD3<Float>(0.2, 0.3, 0.15) * (1 + Float((x * 3 + y * 5) % 7) / 7)
        return x < 60 ? SIMD4(shown, 1) : SIMD4(hidden, hidden, hidden, 0)
      }
    }
    let (one, other) = (picture(0).filtered(step), picture(50).filtered(step))
    for y in stride(from: 0, to: 70, by: 3) {
      for x in 0..<60 { #expect(one[x, y, 1] == other[x, y, 1]) }
    }
  }

  @Test("a turned map finds what a straight one finds", arguments: all)
  func turned(step: FilterStep) {
    // The same picture lying on its side: columns are rows of what the map leads to.
    let upright = LocalPicture(61, 61) { x, y in
      SIMD4(Float(x * x) / 3721, Float(y) / 61, Float((x / 9 + y / 11) % 2), 1)
    }
    let size = 1 / 61.0
    let slanted = Matrix3([size, 1e-12, 0], [1e-12, size, 0], [0, 0, 1])
    let (straight, other) = (upright.filtered(step), upright.filtered(step, map: slanted))
    for (one, two) in zip(straight.samples, other.samples) { #expect(abs(one - two) < 1e-5) }
  }

  @Test("opacity takes that share of the result in linear light")
  func opacity() {
    let picture = LocalPicture.grey(40, 30) { x, y in Float(x + y) / 100 }
    var step = Steps.highlightsShadows(0, 1)
    let whole = picture.filtered(step)
    step.opacity = 0.25
    let part = picture.filtered(step)
    for index in picture.samples.indices {
      let wanted = picture.samples[index] * 0.75 + whole.samples[index] * 0.25
      #expect(abs(part.samples[index] - wanted) < 1e-6)
    }
  }
}
