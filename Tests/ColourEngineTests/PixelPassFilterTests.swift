import ColourEngine
import RenderModel
import Testing

@Suite struct PixelPassFilterTests {
  static let lists: [[FilterStep]] = [
    [Steps.exposure(1)], [Steps.exposure(-2.3)], [Steps.contrast(1.4)],
    [Steps.contrast(0)], [Steps.contrast(4, pivot: 0.2)], [Steps.brightness(0.25)],
    [Steps.brightness(-1)], [Steps.saturation(0)], [Steps.saturation(1.7)], [Steps.saturation(4)],
    [Steps.balance(5003)], [Steps.balance(9000)], [Steps.balance(25_000)],
    [Steps.tone([(0, 0), (0.5, 0.56), (1, 1)])],
    [Steps.tone([(0, 0.1), (0.2, 0.1), (0.3, 0.6), (0.9, 0.4)])],
    [Steps.tone([(0.1, 0), (0.101, 1)])],
    [Steps.exposure(0.4), Steps.balance(5200), Steps.saturation(1.3)],
    [Steps.contrast(1.3), Steps.brightness(-0.05), Steps.tone([(0, 0), (0.3, 0.2), (1, 1)])],
    [Steps.contrast(1.2), Steps.saturation(0.5), Steps.contrast(0.9), Steps.exposure(0.5)],
    [
      Steps.exposure(0.5), Steps.balance(7200), Steps.contrast(1.15), Steps.saturation(1.2),
      Steps.tone([(0, 0), (0.25, 0.2), (0.75, 0.82), (1, 1)]), Steps.brightness(0.02),
      Steps.exposure(-0.1),
    ],
    [Steps.exposure(10), Steps.exposure(-10)],
    [Steps.exposure(4), Steps.contrast(0.2, pivot: 0), Steps.saturation(0.8)],
  ]

  /// Greys of all codes and colours in steps, encoded.
  static let colours: [UInt8] = {
    var values = (0...255).flatMap { [UInt8($0), UInt8($0), UInt8($0)] }
    let steps: [UInt8] = [0, 1, 9, 60, 128, 200, 254, 255]
    for red in steps { for green in steps { for blue in steps { values += [red, green, blue] } } }
    return values
  }()

  @Test("a compiled list equals its filters one by one within 1e-4, from 8 bits", arguments: lists)
  func fromBytes(steps: [FilterStep]) {
    let pass = PixelPass(from: .encoded(.uint8), steps: steps, to: .encoded(.float32))
    let results = run(pass, Self.colours, bands: 3, to: 3, as: Float.self)
    expectReference(steps, Self.colours.map { Double($0) / 255 }, results, within: 1e-4)
  }

  @Test("the same through the working space, as a resized picture goes", arguments: lists)
  func throughWorking(steps: [FilterStep]) {
    let first = PixelPass(from: .encoded(.uint8), steps: steps, to: .working)
    let second = PixelPass(from: .working, steps: [], to: .encoded(.float32))
    let light = run(first, Self.colours, bands: 3, to: 3, as: Float.self)
    let results = run(second, light, bands: 3, to: 3, as: Float.self)
    expectReference(steps, Self.colours.map { Double($0) / 255 }, results, within: 2e-4)
  }

  @Test("the same from floats that reach beyond 0…1", arguments: lists)
  func fromFloats(steps: [FilterStep]) {
    var numbers = SteadyNumbers(state: 3)
    let values = (0..<3000).map { _ in Float.random(in: -0.4...1.6, using: &numbers) }
    let pass = PixelPass(from: .encoded(.float32), steps: steps, to: .encoded(.float32))
    let results = run(pass, values, bands: 3, to: 3, as: Float.self)
    expectReference(steps, values.map(Double.init), results, within: 1e-4)
  }

  private func expectReference(
    _ steps: [FilterStep], _ values: [Double], _ results: [Float], within tolerance: Double
  ) {
    var worst = 0.0
    for index in stride(from: 0, to: values.count, by: 3) {
      let expected = Reference.apply(
        steps, to: [values[index], values[index + 1], values[index + 2]])
      for channel in 0..<3 {
        let scale = max(1, abs(expected[channel]))
        worst = max(worst, abs(expected[channel] - Double(results[index + channel])) / scale)
      }
    }
    #expect(worst < tolerance, "worst difference \(worst)")
  }

  /// Worked out by hand from the definitions; grey of code 119 has the light 0.184475.
  static let grey: [(FilterStep, UInt8, UInt8)] = [
    (Steps.exposure(1), 119, 164), (Steps.exposure(-1), 119, 86), (Steps.contrast(2), 119, 110),
    (Steps.contrast(2), 64, 0), (Steps.contrast(2, pivot: 0), 64, 128),
    (Steps.brightness(0.2), 119, 170), (Steps.brightness(0.2), 230, 255),
    (Steps.saturation(3), 119, 119), (Steps.tone([(0, 1), (1, 0)]), 100, 155),
    (Steps.tone([(0.2, 0.4), (0.8, 0.6)]), 20, 102), (Steps.balance(6500), 77, 77),
  ]

  @Test("greys become the codes that the definitions give by hand", arguments: grey)
  func greys(step: FilterStep, before: UInt8, after: UInt8) {
    let pass = PixelPass(from: .encoded(.uint8), steps: [step], to: .encoded(.uint8))
    #expect(
      run(pass, [before, before, before], bands: 3, to: 3, as: UInt8.self)
        == [after, after, after])
  }

  @Test("saturation 0 makes pure green the grey of its luminance")
  func luminance() {
    let pass = PixelPass(
      from: .encoded(.uint8), steps: [Steps.saturation(0)], to: .encoded(.uint8))
    // 0.7152 of full light, encoded: 0.8627 of 255.
    #expect(run(pass, [0, 255, 0] as [UInt8], bands: 3, to: 3, as: UInt8.self) == [220, 220, 220])
  }
}
