import Adjustments
import ColourEngine
import RenderModel
import Testing

/// That a pass compiled from a list gives what its filters give one by one.
@Suite struct CompiledPassTests {
  /// What a filter alone may be off by, so that what later filters make of it is nobody's fault.
  static let nudge: Float = 2e-5

  @Test("a random list compiled equals its filters one by one within 1e-4")
  func equal() throws {
    var random = RandomSteps(seed: RandomSteps.seed)
    // No table follows points that lie side by side at random heights; nobody draws such a curve.
    random.closestPoints = 0.02
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
    #expect(steady * 2 > compared, "seed \(RandomSteps.seed): \(steady) of \(compared)")
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
    var ways = [Self.none, [1, 1, 1], [-1, -1, -1], [1, -1, 1], [-1, 1, -1]].map { (colours, $0) }
    isInRange = Array(repeating: true, count: colours.count / 3)
    for step in steps {
      let pass = PixelPass(from: .working, steps: [step], to: .working)
      for way in ways.indices {
        let nudged = Self.nudge(ways[way].0, ways[way].1)
        ways[way].0 = run(pass, nudged, bands: 3, to: 3, as: Float.self)
      }
      for (index, value) in ways[0].0.enumerated() where abs(value) > 40 {
        isInRange[index / 3] = false
      }
    }
    results = ways[0].0
    spread = results.indices.map { index in
      ways.map { abs($0.0[index] - ways[0].0[index]) }.max() ?? 0
    }
  }

  private static let none: SIMD3<Float> = [0, 0, 0]

  /// In proportion to the largest channel, since matrices carry its rounding to the others.
  private static func nudge(_ colours: [Float], _ direction: SIMD3<Float>) -> [Float] {
    stride(from: 0, to: colours.count, by: 3).flatMap { index -> [Float] in
      let size = max(1, abs(colours[index]), abs(colours[index + 1]), abs(colours[index + 2]))
      return (0..<3).map { colours[index + $0] + direction[$0] * size * CompiledPassTests.nudge }
    }
  }
}
