import Adjustments
import ColourEngine
import RenderModel
import Testing

@Suite struct PixelPassTests {
  static let everyCode = (0...255).flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0 ^ 0x55)] }

  @Test(
    "all 8-bit codes survive the way to the working space and back",
    arguments: [RGBSpace.sRGB, .displayP3])
  func roundTrip8(space: RGBSpace) {
    let layout = PixelLayout.encoded(.uint8, space)
    let there = PixelPass(from: layout, steps: [], to: .working)
    let back = PixelPass(from: .working, steps: [], to: layout)
    let light = run(there, Self.everyCode, bands: 3, to: 3, as: Float.self)
    #expect(run(back, light, bands: 3, to: 3, as: UInt8.self) == Self.everyCode)
    let straight = PixelPass(from: layout, steps: [], to: layout)
    #expect(run(straight, Self.everyCode, bands: 3, to: 3, as: UInt8.self) == Self.everyCode)
  }

  @Test(
    "16-bit codes come back within 2",
    arguments: [
      RGBSpace.sRGB, .displayP3,
      RGBSpace(name: "gamma", curve: .gamma(2.2), toWorking: RGBSpace.sRGB.toWorking),
    ])
  func roundTrip16(space: RGBSpace) {
    let codes = (0..<65_535).map { UInt16($0) }
    let layout = PixelLayout.encoded(.uint16, space)
    let light = run(
      PixelPass(from: layout, steps: [], to: .working), codes, bands: 3, to: 3, as: Float.self)
    let back = run(
      PixelPass(from: .working, steps: [], to: layout), light, bands: 3, to: 3, as: UInt16.self)
    let worst = zip(codes, back).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst ?? 99 <= 2)
  }

  @Test(
    "light rounds to the code that exact arithmetic gives, in 99.99 % and never more than 1 off")
  func rounding() {
    var numbers = SteadyNumbers(state: 7)
    // Even steps of the encoded value, so that dark codes count as much as bright ones.
    let light = (0..<300_000).map { _ in
      Float(Reference.decode(Double.random(in: 0...1, using: &numbers)))
    }
    let layout = PixelLayout(
      sample: .float32, bands: 3, alpha: .none,
      space: RGBSpace(name: "linear", curve: .linear, toWorking: RGBSpace.sRGB.toWorking))
    let pass = PixelPass(from: layout, steps: [], to: .encoded(.uint8))
    let codes = run(pass, light, bands: 3, to: 3, as: UInt8.self)
    var wrong = 0
    for (value, code) in zip(light, codes) {
      let exact = (Reference.encode(Double(value)) * 255).rounded()
      if exact != Double(code) { wrong += 1 }
      #expect(abs(exact - Double(code)) <= 1)
    }
    #expect(wrong <= 30)
  }

  @Test("colours get from Display P3 to sRGB as the published matrix says")
  func spaces() {
    let pass = PixelPass(
      from: .encoded(.float32, .displayP3), steps: [], to: .encoded(.float32))
    // CSS Color 4: color(display-p3 0 1 0) is color(srgb -0.5116 1.01827 -0.31067).
    let green = run(pass, [0, 1, 0] as [Float], bands: 3, to: 3, as: Float.self)
    for (value, expected) in zip(green, [-0.5116, 1.01827, -0.31067] as [Float]) {
      #expect(abs(value - expected) < 2e-4)
    }
  }

  @Test("integers are clipped and rounded to the nearest, whatever the light")
  func clipping() {
    let light: [Float] = [-1, 0, 2, .infinity, -.infinity, 1, 1e30, -1e30, 0.2145]
    let layout = PixelLayout(
      sample: .float32, bands: 3, alpha: .none,
      space: RGBSpace(name: "linear", curve: .linear, toWorking: .identity))
    let target = PixelLayout.encoded(
      .uint8, RGBSpace(name: "encoded", curve: .sRGB, toWorking: .identity))
    let codes = run(
      PixelPass(from: layout, steps: [], to: target), light, bands: 3, to: 3, as: UInt8.self)
    #expect(codes == [0, 0, 255, 255, 0, 255, 255, 0, 128])
    // NaN must not trap and must not spill into its neighbours.
    let odd = run(
      PixelPass(from: layout, steps: [Steps.brightness(0.1)], to: target),
      [.nan, 0, 1] as [Float], bands: 3, to: 3, as: UInt8.self)
    #expect(odd.count == 3)
  }

  @Test(
    "a pass of any length gives each pixel what it gives it alone",
    arguments: [0, 1, 127, 128, 129, 700])
  func lengths(count: Int) {
    let pass = PixelPass(
      from: .encoded(.uint8), steps: [Steps.exposure(0.3), Steps.contrast(1.2)],
      to: .encoded(.uint8))
    let pixels = (0..<(count * 3)).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let whole = run(pass, pixels, bands: 3, to: 3, as: UInt8.self)
    let single = stride(from: 0, to: pixels.count, by: 3).flatMap {
      run(pass, Array(pixels[$0..<($0 + 3)]), bands: 3, to: 3, as: UInt8.self)
    }
    #expect(whole == single)
  }

  static let absurd: [[FilterStep]] = [
    Array(repeating: Steps.exposure(10), count: 256),
    Array(repeating: Steps.saturation(4), count: 256),
    Array(repeating: Steps.contrast(4), count: 256),
    (0..<256).map { $0 % 2 == 0 ? Steps.exposure(10) : Steps.contrast(4) },
    Array(repeating: Steps.exposure(-10), count: 256),
    Array(repeating: Steps.balance(2000, 150), count: 256),
    (0..<128).flatMap { _ in [Steps.saturation(4), Steps.tone([(0.4, 1), (0.41, 0)])] },
  ]

  @Test("the longest and wildest valid lists do not trap", arguments: absurd)
  func wild(steps: [FilterStep]) {
    for source in [PixelLayout.encoded(.uint8), .encoded(.uint16)] {
      let pass = PixelPass(from: source, steps: steps, to: .encoded(.uint8))
      let bytes = Self.everyCode + Self.everyCode
      let bands = source.bytesPerPixel
      #expect(
        run(pass, bytes, bands: bands, to: 3, as: UInt8.self).count == bytes.count / bands * 3)
    }
  }

  @Test("an endless exposure makes everything but black white")
  func endless() {
    let pass = PixelPass(
      from: .encoded(.uint8), steps: Array(repeating: Steps.exposure(10), count: 12),
      to: .encoded(.uint8))
    #expect(
      run(pass, [1, 1, 1, 0, 0, 0] as [UInt8], bands: 3, to: 3, as: UInt8.self)
        == [255, 255, 255, 0, 0, 0])
  }

  @Test("a fourth band without meaning is passed over")
  func filling() {
    let source = PixelLayout.encoded(.uint8, bands: 4, alpha: .none)
    let pass = PixelPass(from: source, steps: [], to: .encoded(.uint8))
    #expect(run(pass, [9, 8, 7, 0] as [UInt8], bands: 4, to: 3, as: UInt8.self) == [9, 8, 7])
  }

  @Test("the pass takes exactly the catalogue's point filters")
  func accepts() {
    #expect(PixelPass.accepts(Steps.exposure(1)))
    #expect(!PixelPass.accepts(Steps.step("exposure", [:])))
    for filter in FilterCatalogue.filters {
      let step = FilterStep(
        name: filter.name, version: filter.version,
        parameters: filter.parameters.map { parameter in
          let value: FilterStep.Value =
            switch parameter.domain {
            case .points:
              .points([
                FilterStep.CurvePoint(x: 0, y: 0), FilterStep.CurvePoint(x: 1, y: 1),
              ])
            case .numbers(let counts, _, let numbers):
              .numbers(numbers ?? [Double](repeating: 1, count: counts.lowerBound))
            case .choice(_, let name): .text(name)
            default: .number(1)
            }
          return FilterStep.Parameter(name: parameter.name, value: value)
        })
      let asksForFile = filter.parameters.contains { $0.domain == .file }
      #expect(
        PixelPass.accepts(step) == (filter.kind == .point && !asksForFile), "\(filter.name)")
    }
  }

  @Test("a step that is no point filter is a programmer's error")
  func refused() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelPass(
        from: .encoded(.uint8), steps: [Steps.step("sharpen", ["amount": 1])], to: .working)
    }
  }
}
