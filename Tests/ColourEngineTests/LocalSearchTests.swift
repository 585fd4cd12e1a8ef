import Adjustments
import ColourEngine
import RenderModel
import Testing

/// A search for parameters and pictures that a local filter cannot cope with.
@Suite("Random search in the local filters")
struct LocalSearchTests {
  static let filters = FilterCatalogue.filters.filter { $0.kind == .local }
  /// Pictures for each filter.
  static let draws = 700
  static let side = 8

  @Test("the search tries at least 100,000 cases")
  func size() {
    print("random search in the local filters: seed \(RandomSteps.seed)")
    #expect(Self.draws * Self.side * Self.side * Self.filters.count >= 100_000)
  }

  @Test("no parameters in range make NaN or infinity of any picture", arguments: filters)
  func finite(filter: FilterDescription) throws {
    var random = RandomSteps(seed: RandomSteps.seed)
    for draw in 0..<Self.draws {
      var step = try random.step(of: filter)
      if draw % 5 == 0 { step.opacity = Double.random(in: 0...1, using: &random.numbers) }
      let picture = Self.picture(&random, hasAlpha: draw % 2 == 1)
      // A reduced picture smaller than the whole, down to one pixel, as well as one as large.
      let longest = Int.random(in: 1...Self.side, using: &random.numbers)
      let result = picture.filtered(step, longest: longest)
      let areFinite = result.samples.allSatisfy(\.isFinite)
      #expect(
        areFinite,
        "seed \(RandomSteps.seed): \(step) at \(longest) makes of \(picture.samples) \(result.samples)"
      )
    }
  }

  /// All of one kind of light: ordinary, out of range, or near zero, or all the same.
  private static func picture(_ random: inout RandomSteps, hasAlpha: Bool) -> LocalPicture {
    let ranges: [ClosedRange<Float>] = [0...1, -0.5...2, -64...64, -1e-6...1e-6, 0.5...0.5]
    let range = ranges[Int.random(in: ranges.indices, using: &random.numbers)]
    let alphas: [Float] = [0, 1e-7, 0.5, 1]
    return LocalPicture(side, side) { _, _ in
      var pixel = SIMD4<Float>(repeating: 1)
      for band in 0..<3 {
        pixel[band] = random.chance(8) ? 0 : Float.random(in: range, using: &random.numbers)
      }
      if hasAlpha { pixel.w = alphas[Int.random(in: 0..<4, using: &random.numbers)] }
      return pixel
    }
  }
}
