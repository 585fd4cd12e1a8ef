import Adjustments
import ColourEngine
import RenderModel
import Testing

/// A search for parameters and colours that a filter cannot cope with.
@Suite struct PointFilterSearchTests {
  /// Parameters drawn for each filter; each draw is tried on colours of its own.
  static let draws = 500
  static let colours = 24

  @Test("no parameters in range make NaN or infinity of any colour", arguments: RandomSteps.filters)
  func finite(filter: FilterDescription) throws {
    var random = RandomSteps(seed: RandomSteps.seed)
    for _ in 0..<Self.draws {
      let step = try random.step(of: filter)
      let colours = random.colours(Self.colours)
      let results = run(
        PixelPass(from: .working, steps: [step], to: .working), colours, bands: 3, to: 3,
        as: Float.self)
      let areFinite = results.allSatisfy { $0.isFinite }
      #expect(
        areFinite,
        "seed \(RandomSteps.seed): \(step) makes of \(colours) \(results)")
    }
  }

  @Test("the search tries at least 100,000 cases")
  func size() {
    print("random search: seed \(RandomSteps.seed)")
    #expect(Self.draws * Self.colours * RandomSteps.filters.count >= 100_000)
  }

  @Test("opacity 0 is the original to the bit", arguments: RandomSteps.filters)
  func transparent(filter: FilterDescription) throws {
    var random = RandomSteps(seed: RandomSteps.seed)
    let colours = random.colours(60)
    for _ in 0..<5 {
      var step = try random.step(of: filter)
      step.opacity = 0
      let results = run(
        PixelPass(from: .working, steps: [step], to: .working), colours, bands: 3, to: 3,
        as: Float.self)
      #expect(results == colours, "seed \(RandomSteps.seed): \(step)")
    }
  }

  @Test("opacity mixes the result and the original in linear light", arguments: RandomSteps.filters)
  func mixed(filter: FilterDescription) throws {
    var random = RandomSteps(seed: RandomSteps.seed)
    for _ in 0..<20 {
      var step = try random.step(of: filter)
      let colours = random.colours(40).map { min(max($0, -2), 4) }
      let whole = run(
        PixelPass(from: .working, steps: [step], to: .working), colours, bands: 3, to: 3,
        as: Float.self)
      step.opacity = Double.random(in: 0...1, using: &random.numbers)
      let results = run(
        PixelPass(from: .working, steps: [step], to: .working), colours, bands: 3, to: 3,
        as: Float.self)
      for index in colours.indices {
        let wanted = colours[index] + (whole[index] - colours[index]) * Float(step.opacity)
        #expect(
          abs(results[index] - wanted) <= 1e-4 * max(1, abs(wanted), abs(whole[index])),
          "seed \(RandomSteps.seed): \(step)")
      }
    }
  }
}
