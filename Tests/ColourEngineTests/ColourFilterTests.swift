import ColourEngine
import RenderModel
import Testing

@Suite struct ColourFilterTests {
  static let bands = #"{"filter": "hsl", "red": [1, 0.5, -0.5], "blue": [-1, -1, 1]}"#
  static let vibrance = #"{"filter": "vibrance", "amount": 0.8}"#

  @Test(
    "neighbours in Oklab give together what they give one by one",
    arguments: [[bands, vibrance], [vibrance, bands], [vibrance, vibrance, bands]])
  func joined(filters: [String]) throws {
    let input = Self.light(3000, -0.5...4)
    let list = try GoldenCases.steps(ArraySlice("[\(filters.joined(separator: ","))]".utf8))
    let together = run(
      PixelPass(from: .working, steps: list, to: .working), input, bands: 3, to: 3,
      as: Float.self)
    var apart = input
    for step in list {
      let pass = PixelPass(from: .working, steps: [step], to: .working)
      apart = run(pass, apart, bands: 3, to: 3, as: Float.self)
    }
    for (one, other) in zip(together, apart) {
      #expect(abs(one - other) <= 1e-4 * max(1, abs(other)))
    }
  }

  @Test(
    "a pixel does not depend on its neighbours or on how many there are",
    arguments: [1, 2, 3, 4, 5, 127, 128, 129, 131])
  func anyCount(count: Int) throws {
    let steps = try GoldenCases.steps(ArraySlice("[\(Self.bands), \(Self.vibrance)]".utf8))
    let layout = PixelLayout(
      sample: .float32, bands: 4, alpha: .straight, space: .working)
    let pass = PixelPass(from: layout, steps: steps, to: layout)
    let input = Self.light(4 * 140, 0...1)
    let all = run(pass, input, bands: 4, to: 4, as: Float.self)
    let some = run(pass, Array(input[..<(4 * count)]), bands: 4, to: 4, as: Float.self)
    #expect(some == Array(all[..<(4 * count)]))
    for index in stride(from: 3, to: some.count, by: 4) { #expect(some[index] == input[index]) }
  }

  static let ofAlpha = [
    #"{"filter": "channelMixer", "red": [0, 1, 0], "constant": [0.1, 0.2, 0.3]}"#,
    #"{"filter": "colourGrade", "power": [2, 1, 0.5], "saturation": 2, "shadowLuminance": 1}"#,
    #"{"filter": "splitTone", "shadowSaturation": 1}"#, #"{"filter": "tint"}"#,
    #"{"filter": "posterize", "levels": 3}"#, #"{"filter": "clamp", "min": 0.4, "max": 0.5}"#,
    #"{"filter": "invert"}"#, #"{"filter": "noir", "amount": 0.5}"#,
  ]

  @Test("alpha stays", arguments: ofAlpha)
  func alpha(filter: String) throws {
    let steps = try GoldenCases.steps(ArraySlice("[\(filter)]".utf8))
    let layout = PixelLayout(sample: .float32, bands: 4, alpha: .straight, space: .working)
    let input = Self.light(400, 0...1)
    let pass = PixelPass(from: layout, steps: steps, to: layout)
    let result = run(pass, input, bands: 4, to: 4, as: Float.self)
    for index in stride(from: 3, to: 400, by: 4) { #expect(result[index] == input[index]) }
    #expect(result != input)
  }

  /// Worked out by hand from the definitions, in codes of sRGB.
  static let byHand: [(String, [UInt8], [UInt8])] = [
    (#"{"filter": "invert"}"#, [119, 0, 255], [136, 255, 0]),
    (#"{"filter": "invert", "amount": 0.5}"#, [119, 0, 255], [128, 128, 128]),
    // 1.351, 1.203 and 0.937 of 255.
    (#"{"filter": "sepia"}"#, [255, 255, 255], [255, 255, 239]),
    (#"{"filter": "sepia"}"#, [100, 0, 0], [39, 35, 27]),
    (#"{"filter": "posterize", "levels": 2}"#, [127, 128, 200], [0, 255, 255]),
    (#"{"filter": "posterize", "levels": 6}"#, [25, 26, 130], [0, 51, 153]),
    (#"{"filter": "clamp", "min": 0.2, "max": 0.6}"#, [10, 100, 250], [51, 100, 153]),
    (#"{"filter": "clamp", "min": 0.6, "max": 0.2}"#, [10, 100, 250], [51, 51, 51]),
    (
      #"{"filter": "channelMixer", "red": [0, 0, 1], "blue": [1, 0, 0]}"#, [9, 80, 200],
      [200, 80, 9]
    ),
    (#"{"filter": "monochrome", "red": 0, "green": 1, "blue": 0}"#, [9, 80, 200], [80, 80, 80]),
    // Both weights count half of twice the light.
    (#"{"filter": "monochrome", "red": 1, "green": 1, "blue": 0}"#, [80, 80, 0], [80, 80, 80]),
    (#"{"filter": "tint", "colour": [1, 0.2, 0.4]}"#, [0, 0, 0], [0, 0, 0]),
    (#"{"filter": "tint", "colour": [1, 0.2, 0.4]}"#, [255, 255, 255], [255, 255, 255]),
    // A luma of 51 / 255 gives 0.4 of the colour.
    (#"{"filter": "tint", "colour": [1, 0.2, 0.4]}"#, [51, 51, 51], [102, 20, 41]),
    (
      #"{"filter": "splitTone", "shadowSaturation": 1, "highlightSaturation": 1}"#, [0, 0, 0],
      [0, 0, 0]
    ),
    (
      #"{"filter": "colourGrade", "slope": [0.5, 1, 1], "offset": [0, 0.2, 0]}"#, [100, 100, 100],
      [50, 151, 100]
    ),
    // 0.4 to the power of 2.
    (#"{"filter": "colourGrade", "power": [2, 1, 1]}"#, [102, 102, 102], [41, 102, 102]),
    (#"{"filter": "colourGrade", "shadowLuminance": 0.8}"#, [0, 0, 0], [51, 51, 51]),
    (#"{"filter": "fade"}"#, [0, 0, 0], [26, 26, 26]),
  ]

  @Test("colours become the codes that the definitions give by hand", arguments: byHand)
  func hand(filter: String, before: [UInt8], after: [UInt8]) throws {
    let steps = try GoldenCases.steps(ArraySlice("[\(filter)]".utf8))
    let pass = PixelPass(from: .encoded(.uint8), steps: steps, to: .encoded(.uint8))
    #expect(run(pass, before, bands: 3, to: 3, as: UInt8.self) == after)
  }

  @Test("posterize leaves as many codes as levels", arguments: [2, 5, 16])
  func levels(levels: Int) throws {
    let steps = try GoldenCases.steps(
      ArraySlice(#"[{"filter": "posterize", "levels": \#(levels)}]"#.utf8))
    let pass = PixelPass(from: .encoded(.uint8), steps: steps, to: .encoded(.uint8))
    let results = run(pass, PixelPassFilterTests.colours, bands: 3, to: 3, as: UInt8.self)
    #expect(Set(results).count == levels)
  }

  static func light(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
    var numbers = SteadyNumbers(state: 8)
    return (0..<count).map { _ in Float.random(in: range, using: &numbers) }
  }
}
