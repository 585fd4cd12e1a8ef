import Adjustments
import ColourEngine
import RenderModel
import Testing

/// Masks with any parameters in range, at any place, over any colours.
@Suite struct MaskSearchTests {
  private static let rounds = 100_000
  private static let seed: UInt64 = 77

  @Test("weights lie from 0 to 1 and are numbers, whatever the mask, the place and the colours")
  func search() throws {
    var numbers = SteadyNumbers(state: Self.seed)
    let samples = (0..<63).map { _ in Float.random(in: 0...1, using: &numbers) }
    let resources = FilterResources(
      bitmaps: ["a": MaskBitmap(width: 9, height: 7, weights: samples)])
    var made = 0
    for round in 0..<Self.rounds {
      let mask = Self.mask(depth: 0, &numbers)
      let placed = PlacedStep(Steps.exposure(1), toPicture: Self.map(&numbers))
      guard let weights = MaskWeights(mask, placed, resources) else { continue }
      made += 1
      let pixels = (0..<21).map { _ in Self.sample(&numbers) }
      let place = PixelPlace(
        column: Int.random(in: 0...60_000, using: &numbers),
        row: Int.random(in: 0...60_000, using: &numbers))
      let result = weigh(weights, pixels, columns: 7, at: place)
      let isRight = result.allSatisfy { $0 >= 0 && $0 <= 1 }
      #expect(isRight, "seed \(Self.seed), round \(round): \(mask) gives \(result)")
      if !isRight { return }
    }
    #expect(made > Self.rounds * 9 / 10)
  }

  private static func sample(_ numbers: inout SteadyNumbers) -> Float {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: 0
    case 1: Float.random(in: -64...64, using: &numbers)
    case 2: -0.0
    case 3: Float.random(in: -1e-30...1e-30, using: &numbers)
    default: Float.random(in: -0.2...1.2, using: &numbers)
    }
  }

  private static func map(_ numbers: inout SteadyNumbers) -> Matrix3 {
    func near(_ size: Double) -> Double { Double.random(in: -size...size, using: &numbers) }
    let scale = 1 / Double.random(in: 1...50_000, using: &numbers)
    return Matrix3(
      [scale, near(scale / 2), near(1)], [near(scale / 2), scale, near(1)],
      [near(scale / 2), near(scale / 2), 1])
  }

  private static func mask(depth: Int, _ numbers: inout SteadyNumbers) -> FilterMask {
    let kinds = MaskCatalogue.masks.filter { depth < 3 || !$0.hasParts }
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &numbers)]
    let parameters = kind.parameters.map { parameter in
      FilterStep.Parameter(name: parameter.name, value: value(parameter.domain, &numbers))
    }
    let count = kind.hasParts ? Int.random(in: 1...3, using: &numbers) : 0
    return FilterMask(
      kind: kind.name, parameters: parameters, isInverted: Bool.random(using: &numbers),
      parts: (0..<count).map { _ in mask(depth: depth + 1, &numbers) })
  }

  private static func value(
    _ domain: ParameterDescription.Domain, _ numbers: inout SteadyNumbers
  ) -> FilterStep.Value {
    func number(in range: ClosedRange<Double>) -> Double {
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: range.lowerBound
      case 1: range.upperBound
      default: Double.random(in: range, using: &numbers)
      }
    }
    switch domain {
    case .number(let range, _): return .number(number(in: range))
    case .numbers(let counts, let range, _):
      return .numbers((0..<counts.upperBound).map { _ in number(in: range) })
    case .choice(let names, _):
      return .text(names[Int.random(in: 0..<names.count, using: &numbers)])
    case .file: return .file("a")
    case .whole, .flag, .points: return .number(0)
    }
  }
}
