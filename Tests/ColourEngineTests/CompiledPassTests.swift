import Adjustments
import ColourEngine
import RenderModel
import Testing

/// That a pass compiled from a list gives what its filters give one by one.
@Suite struct CompiledPassTests {
  /// What a filter alone may be off by, so that what later filters make of it is nobody's fault.
  static let nudge: Float = 4e-6

  @Test("a random list compiled equals its filters one by one within 1e-4")
  func equal() throws {
    var random = RandomSteps(seed: RandomSteps.seed)
    var (compared, steady) = (0, 0)
    for _ in 0..<400 {
      let count = Int.random(in: 2...6, using: &random.numbers)
      let steps = try (0..<count).map { _ in try step(&random) }
      let colours = random.colours(40)
      let compiled = run(
        PixelPass(from: .working, steps: steps, to: .working), colours, bands: 3, to: 3,
        as: Float.self)
      let single = OneByOne(steps, colours)
      var worst = (excess: Float(0), index: 0)
      for index in colours.indices where single.isInRange[index / 3] {
        compared += 1
        let tolerance = 1e-4 * max(1, abs(single.results[index]))
        if single.spread[index] < tolerance { steady += 1 }
        let excess = abs(compiled[index] - single.results[index]) - tolerance - single.spread[index]
        // Written so that NaN counts.
        if !(excess <= worst.excess) { worst = (excess, index) }
      }
      let pixel = worst.index / 3 * 3
      #expect(
        worst.excess == 0,
        """
        seed \(RandomSteps.seed): \(steps.map(Self.shown)) make of \(colours[pixel..<(pixel + 3)]) \
        \(compiled[pixel..<(pixel + 3)]), one by one \(single.results[pixel..<(pixel + 3)]), \
        where \(single.spread[pixel..<(pixel + 3)]) are forgiven
        """)
    }
    // Else the comparison says nothing.
    #expect(compared > 10_000, "seed \(RandomSteps.seed)")
    #expect(steady * 10 > compared * 8, "seed \(RandomSteps.seed): \(steady) of \(compared)")
  }

  private static func shown(_ step: FilterStep) -> String {
    let parameters = step.parameters.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    return "\(step.name) \(step.opacity) \(parameters)"
  }

  private func step(_ random: inout RandomSteps) throws -> FilterStep {
    let index = Int.random(in: RandomSteps.filters.indices, using: &random.numbers)
    var step = try random.step(of: RandomSteps.filters[index])
    if random.chance(4) { step.opacity = Double.random(in: 0...1, using: &random.numbers) }
    return step
  }
}

/// Each filter a pass of its own to floats in the working space.
private struct OneByOne {
  var results: [Float]
  /// How far results move when what each filter is given is a little more or less.
  var spread: [Float]
  /// Whether a pixel stayed where floats are taken to lie, on the whole way.
  var isInRange: [Bool]

  init(_ steps: [FilterStep], _ colours: [Float]) {
    var ways = [Float(0), CompiledPassTests.nudge, -CompiledPassTests.nudge].map { (colours, $0) }
    isInRange = Array(repeating: true, count: colours.count / 3)
    for step in steps {
      let pass = PixelPass(from: .working, steps: [step], to: .working)
      for way in ways.indices {
        let nudge = ways[way].1
        let input = ways[way].0.map { $0 + nudge * max(1, abs($0)) }
        ways[way].0 = run(pass, input, bands: 3, to: 3, as: Float.self)
      }
      for (index, value) in ways[0].0.enumerated() where abs(value) > 40 {
        isInRange[index / 3] = false
      }
    }
    let (middle, above, below) = (ways[0].0, ways[1].0, ways[2].0)
    results = middle
    spread = middle.indices.map {
      max(abs(above[$0] - middle[$0]), abs(below[$0] - middle[$0]))
    }
  }
}
