import Adjustments
import ColourEngine
import FoundationEssentials
import RenderModel
import Testing

@testable import Imaging

/// A search for parameters and pictures that a filter of a pixel's surroundings cannot cope with.
@Suite("Random search in the neighbourhood filters")
struct NeighbourhoodSearchTests {
  static let seed =
    ProcessInfo.processInfo.environment["MINILAB_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...UInt64(UInt32.max))

  static let filters = FilterCatalogue.filters.filter { $0.kind == .neighbourhood }
  /// Windows for each filter, half of them with alpha.
  static let draws = 700
  static let side = 8

  @Test("the search tries at least 100,000 cases")
  func size() {
    print("random search in the neighbourhood filters: seed \(Self.seed)")
    #expect(Self.draws * Self.side * Self.side * Self.filters.count >= 100_000)
  }

  @Test("no parameters in range make NaN or infinity of any picture", arguments: filters)
  func finite(filter: FilterDescription) throws {
    var random = RandomWindows(seed: Self.seed)
    for draw in 0..<Self.draws {
      let bands = draw % 2 == 0 ? 3 : 4
      var step = random.step(of: filter)
      if draw % 5 == 0 { step.opacity = Double.random(in: 0...1, using: &random.numbers) }
      let window = random.window(side: Self.side, bands: bands)
      let made = NeighbourhoodFilter.make(
        PlacedStep(step, extent: [Double(Self.side), Double(Self.side)]),
        StageContext(reduction: 1, resources: FilterResources()))
      let found = Self.run(try #require(made), window, bands: bands)
      let areFinite = found.allSatisfy(\.isFinite)
      #expect(areFinite, "seed \(Self.seed): \(step) makes of \(window) \(found)")
    }
  }

  /// The whole of a square picture through one worker, its edges carried on.
  private static func run(_ filter: any RowFilter, _ window: [Float], bands: Int) -> [Float] {
    let reach = filter.reach
    if reach == 0 { return window }
    let band = RowBand(columns: 0..<side, top: -reach, bands: bands, reach: reach)
    let worker = filter.worker(for: band)
    let input = FloatStore(count: band.takenWidth * bands)
    let output = FloatStore(count: side * bands)
    var result: [Float] = []
    for row in -reach..<(side + reach) {
      // Most rows are one of the edges over again.
      if row == -reach || (1..<side).contains(row) {
        for x in 0..<band.takenWidth {
          let column = min(max(x - reach, 0), side - 1)
          let pixel = (min(max(row, 0), side - 1) * side + column) * bands
          for index in 0..<bands { unsafe input.start[x * bands + index] = window[pixel + index] }
        }
      }
      unsafe worker.take(input.start)
      guard row >= reach else { continue }
      unsafe worker.give(output.start)
      for index in 0..<(side * bands) { unsafe result.append(output.start[index]) }
    }
    return result
  }
}

/// Steps and small pictures of linear working light, premultiplied where there is alpha.
private struct RandomWindows {
  var numbers: SplitNumbers

  init(seed: UInt64) { numbers = SplitNumbers(state: seed) }

  /// Often an end of a range or a value near its lower one.
  mutating func step(of filter: FilterDescription) -> FilterStep {
    let parameters = filter.parameters.map { parameter in
      let value: Double
      switch parameter.domain {
      case .number(let range, _): value = number(range)
      case .whole(let range, _): value = Double(Int.random(in: range, using: &numbers))
      default: value = .nan
      }
      return FilterStep.Parameter(name: parameter.name, value: .number(value))
    }
    return FilterStep(name: filter.name, version: filter.version, parameters: parameters)
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: range.lowerBound
    case 1: range.upperBound
    case 2: Double.random(in: range, using: &numbers)
    default:
      // Most radiuses are small, and the work grows with their square.
      range.lowerBound + (range.upperBound - range.lowerBound)
        * Double.random(in: 0...0.3, using: &numbers) * Double.random(in: 0...0.3, using: &numbers)
    }
  }

  mutating func window(side: Int, bands: Int) -> [Float] {
    let ranges: [ClosedRange<Float>] = [0...1, -0.5...2, -64...64, -1e-6...1e-6, 0.5...0.5]
    let range = ranges[Int.random(in: ranges.indices, using: &numbers)]
    return (0..<(side * side)).flatMap { _ -> [Float] in
      var pixel = (0..<3).map { _ in
        Int.random(in: 0..<8, using: &numbers) == 0 ? 0 : Float.random(in: range, using: &numbers)
      }
      guard bands == 4 else { return pixel }
      let alphas: [Float] = [0, 1e-7, 1, Float.random(in: 0...1, using: &numbers)]
      let alpha = alphas[Int.random(in: 0..<4, using: &numbers)]
      pixel = pixel.map { $0 * alpha }
      return pixel + [alpha]
    }
  }
}

/// The same numbers for the same seed (splitmix64).
private struct SplitNumbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
