import ColourEngine
import RenderModel
import Testing

/// Passes from bytes to bytes, which work on planes from the first to the last.
@Suite struct PlanarPassTests {
  static let bytes = PixelLayout.encoded(.uint8)

  static let lists: [[FilterStep]] = [
    [Steps.exposure(0.3)],
    [Steps.exposure(1), Steps.contrast(1.6), Steps.saturation(1.4)],
    [Steps.exposure(-2), Steps.brightness(0.15), Steps.step("hue", ["degrees": 40])],
    [Steps.contrast(0.4, pivot: 0.3), Steps.tone([(0, 0.2), (0.3, 0.2), (0.7, 0.9), (1, 0.6)])],
    [Steps.saturation(0), Steps.tone([(0, 1), (1, 0)])],
    [Steps.step("gamma", ["power": 0.4]), Steps.contrast(4)],
    [Steps.balance(3500, 40), Steps.step("vibrance", ["amount": 0.8]), Steps.contrast(1.2)],
    [Steps.step("vibrance", ["amount": -0.7])],
  ]

  /// A cube of 18 codes a side and ramps of grey and of each channel.
  static let colours: [UInt8] = {
    var colours: [UInt8] = []
    for index in 0..<5832 {
      colours += [index % 18, index / 18 % 18, index / 324].map { UInt8($0 * 15) }
    }
    for code in UInt8.min...UInt8.max {
      colours += [code, code, code, code, 0, 0, 0, code, 0, 255, 255, code]
    }
    return colours
  }()

  @Test("codes are those of the pass in float but for a small part of a code", arguments: lists)
  func codes(steps: [FilterStep]) {
    let found = run(
      PixelPass(from: Self.bytes, steps: steps, to: Self.bytes), Self.colours, bands: 3, to: 3,
      as: UInt8.self)
    let exact = run(
      PixelPass(from: Self.bytes, steps: steps, to: .encoded(.float32)), Self.colours, bands: 3,
      to: 3, as: Float.self)
    var worst: Float = 0
    for (code, value) in zip(found, exact) {
      worst = max(worst, abs(Float(code) - min(max(value, 0), 1) * 255))
    }
    #expect(worst < 0.55)
    // Else the comparison says nothing.
    #expect(worst > 0.4)
  }

  @Test("curves of their own for each channel find codes of their own")
  func channels() {
    let step = FilterStep(
      name: "levels", version: 1,
      parameters: [
        .init(name: "black", value: .number(0)), .init(name: "white", value: .number(1)),
        .init(name: "gamma", value: .number(1)), .init(name: "outputBlack", value: .number(0)),
        .init(name: "outputWhite", value: .number(1)),
        .init(name: "red", value: .numbers([0, 1, 1, 1, 0])),
        .init(name: "green", value: .numbers([0, 1, 1, 0, 0.5])),
      ])
    let greys = (UInt8.min...UInt8.max).flatMap { [$0, $0, $0] }
    let found = run(
      PixelPass(from: Self.bytes, steps: [step], to: Self.bytes), greys, bands: 3, to: 3,
      as: UInt8.self)
    for code in 0..<256 {
      #expect(Int(found[3 * code]) == 255 - code)
      #expect(abs(Double(found[3 * code + 1]) - Double(code) / 2) < 0.6)
      #expect(Int(found[3 * code + 2]) == code)
    }
  }

  @Test("a grey ramp stays grey and never falls")
  func ramp() {
    let steps = [Steps.exposure(0.2), Steps.contrast(1.3), Steps.saturation(1.5)]
    let greys = (UInt8.min...UInt8.max).flatMap { [$0, $0, $0] }
    let found = run(
      PixelPass(from: Self.bytes, steps: steps, to: Self.bytes), greys, bands: 3, to: 3,
      as: UInt8.self)
    for index in stride(from: 0, to: found.count, by: 3) {
      #expect(found[index] == found[index + 1] && found[index] == found[index + 2])
      #expect(index == 0 || found[index] >= found[index - 3])
    }
  }

  static let targets: [PixelLayout] = [
    .encoded(.uint8), .encoded(.uint16), .working, .encoded(.uint8, bands: 4),
  ]

  @Test("rows of any length are the same pixels and end where they should", arguments: targets)
  func lengths(target: PixelLayout) {
    let pass = PixelPass(from: Self.bytes, steps: Self.lists[6], to: target)
    let size = target.bytesPerPixel
    let whole = bytes(pass, Self.colours.prefix(3 * 600), size)
    for count in Array(1...20) + [255, 256, 257, 511, 519, 600] {
      let row = bytes(pass, Self.colours.prefix(3 * count), size)
      #expect(row.prefix(count * size) == whole.prefix(count * size), "\(count)")
      #expect(row.dropFirst(count * size).allSatisfy { $0 == 0xA5 }, "\(count)")
    }
  }

  /// What a pass writes, and what lies behind it.
  private func bytes(_ pass: PixelPass, _ colours: ArraySlice<UInt8>, _ size: Int) -> [UInt8] {
    let count = colours.count / 3
    var output = [UInt8](repeating: 0xA5, count: count * size + 64)
    unsafe Array(colours).withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe pass.run(from, to, pixels: count)
      }
    }
    return output
  }
}
