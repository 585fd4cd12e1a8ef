import ColourEngine
import RenderModel
import Testing

@Suite struct ColourPropertyTests {
  /// Parameters at which the catalogue says that a filter does nothing.
  static let identities =
    [
      #"[{"filter": "saturation", "amount": 1}]"#, #"[{"filter": "temperatureTint"}]"#,
      #"[{"filter": "vibrance", "amount": 0}]"#, #"[{"filter": "hue", "degrees": 0}]"#,
      #"[{"filter": "hue", "degrees": -360}]"#, #"[{"filter": "hsl"}]"#,
      #"[{"filter": "channelMixer"}]"#, #"[{"filter": "colourMatrix"}]"#,
      #"[{"filter": "colourMatrix", "encoding": "encoded"}]"#,
      #"[{"filter": "sepia", "amount": 0}]"#, #"[{"filter": "colourGrade"}]"#,
      #"[{"filter": "colourGrade", "shadowHue": 80, "midtoneHue": 20, "highlightHue": 3}]"#,
      #"[{"filter": "splitTone", "shadowHue": 80, "highlightHue": 20, "balance": 0.5}]"#,
      #"[{"filter": "tint", "amount": 0}]"#, #"[{"filter": "invert", "amount": 0}]"#,
    ] + Looks.names.map { #"[{"filter": "\#($0)", "amount": 0}]"# }

  @Test("identity parameters give identical pixels", arguments: identities)
  func identity(filters: String) throws {
    let steps = try GoldenCases.steps(ArraySlice(filters.utf8))
    #expect(steps.count == 1)
    var numbers = SteadyNumbers(state: 11)
    let input = (0..<999).map { _ in Float.random(in: -64...64, using: &numbers) }
    let pass = PixelPass(from: .working, steps: steps, to: .working)
    #expect(run(pass, input, bands: 3, to: 3, as: Float.self) == input)
  }

  static let neutralKeepers = [
    #"[{"filter": "saturation", "amount": 3}]"#, #"[{"filter": "vibrance", "amount": 1}]"#,
    #"[{"filter": "vibrance", "amount": -0.7}]"#, #"[{"filter": "hue", "degrees": 77}]"#,
    #"""
    [{"filter": "hsl", "red": [1, 1, 1], "orange": [1, 1, 1], "yellow": [1, 1, 1],
      "green": [1, 1, 1], "aqua": [1, 1, 1], "blue": [1, 1, 1], "purple": [1, 1, 1],
      "magenta": [1, 1, 1]}]
    """#,
    #"[{"filter": "hsl", "red": [0, 1, -1], "blue": [0.5, -1, 1], "green": [-1, 0, -1]}]"#,
    #"[{"filter": "colourGrade", "saturation": 3}]"#,
  ]

  @Test("greys stay as they are where only colour is changed", arguments: neutralKeepers)
  func neutral(filters: String) throws {
    let steps = try GoldenCases.steps(ArraySlice(filters.utf8))
    let greys = (-64...1024).map { Float($0) / 256 } + [1e-6, -1e-5, 64, -64]
    let pass = PixelPass(from: .working, steps: steps, to: .working)
    let results = run(pass, greys.flatMap { [$0, $0, $0] }, bands: 3, to: 3, as: Float.self)
    for (index, grey) in greys.enumerated() {
      for result in results[(3 * index)..<(3 * index + 3)] {
        #expect(abs(result - grey) <= 1e-5 * max(1, abs(grey)), "\(grey) becomes \(result)")
      }
    }
  }

  /// On 8 bits every grey must stay exactly.
  @Test("8-bit greys keep their codes where only colour is changed", arguments: neutralKeepers)
  func neutralBytes(filters: String) throws {
    let steps = try GoldenCases.steps(ArraySlice(filters.utf8))
    let greys = (0...255).flatMap { [UInt8($0), UInt8($0), UInt8($0)] }
    let pass = PixelPass(from: .encoded(.uint8), steps: steps, to: .encoded(.uint8))
    #expect(run(pass, greys, bands: 3, to: 3, as: UInt8.self) == greys)
  }

  static let greyMakers = [
    #"[{"filter": "monochrome", "red": 2, "green": -0.5, "blue": 0.3}]"#,
    #"[{"filter": "saturation", "amount": 0}]"#,
    #"[{"filter": "colourGrade", "saturation": 0}]"#,
    #"[{"filter": "mono"}]"#, #"[{"filter": "tonal"}]"#, #"[{"filter": "noir"}]"#,
  ]

  @Test("what makes black and white leaves no colour", arguments: greyMakers)
  func grey(filters: String) throws {
    let steps = try GoldenCases.steps(ArraySlice(filters.utf8))
    let pass = PixelPass(from: .encoded(.uint8), steps: steps, to: .encoded(.uint8))
    let results = run(
      pass, PixelPassFilterTests.colours, bands: 3, to: 3, as: UInt8.self)
    for index in stride(from: 0, to: results.count, by: 3) {
      #expect(results[index] == results[index + 1] && results[index] == results[index + 2])
    }
  }

  @Test("the looks' ramps of grey rise in every channel", arguments: Looks.names)
  func monotone(name: String) throws {
    let steps = try GoldenCases.steps(ArraySlice(#"[{"filter": "\#(name)"}]"#.utf8))
    for channel in try ramps(steps) {
      for (low, high) in zip(channel, channel.dropFirst()) { #expect(high >= low - 1e-6) }
    }
  }

  @Test("luma rises along a ramp of grey whatever the wheels of colourGrade are set to")
  func wheels() throws {
    var numbers = SteadyNumbers(state: 5)
    for _ in 0..<200 {
      let members = ["shadow", "midtone", "highlight"].map { range in
        let hue = Int.random(in: 0...360, using: &numbers)
        let amount = Double(Int.random(in: 0...4, using: &numbers)) / 4
        let luminance = Double(Int.random(in: -4...4, using: &numbers)) / 4
        return #""\#(range)Hue": \#(hue), "\#(range)Amount": \#(amount), "#
          + #""\#(range)Luminance": \#(luminance)"#
      }
      let filters = #"[{"filter": "colourGrade", \#(members.joined(separator: ", "))}]"#
      let channels = try ramps(GoldenCases.steps(ArraySlice(filters.utf8)))
      let luma = zip(zip(channels[0], channels[1]), channels[2]).map {
        0.2126 * $0.0.0 + 0.7152 * $0.0.1 + 0.0722 * $0.1
      }
      for (low, high) in zip(luma, luma.dropFirst()) { #expect(high >= low - 1e-5, "\(filters)") }
    }
  }

  /// Encoded red, green and blue of a ramp of grey from 0 to 1.
  private func ramps(_ steps: [FilterStep]) throws -> [[Float]] {
    let ramp = (0...1000).flatMap { [Float](repeating: Float($0) / 1000, count: 3) }
    let pass = PixelPass(from: .encoded(.float32), steps: steps, to: .encoded(.float32))
    let results = run(pass, ramp, bands: 3, to: 3, as: Float.self)
    return (0..<3).map { channel in
      stride(from: channel, to: results.count, by: 3).map { results[$0] }
    }
  }
}

/// The looks of the catalogue.
enum Looks {
  static let names = [
    "mono", "tonal", "noir", "fade", "chrome", "process", "transfer", "instant", "warm", "cool",
  ]
}
