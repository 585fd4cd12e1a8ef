import Adjustments
import FoundationEssentials
import RenderModel

/// Steps and colours drawn at random from what the catalogue says of its filters.
struct RandomSteps {
  /// Of the environment's MINILAB_TEST_SEED, else another one each time; print it with every failure.
  static let seed =
    ProcessInfo.processInfo.environment["MINILAB_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...UInt64(UInt32.max))

  /// Every point filter that needs no file.
  static let filters = FilterCatalogue.filters.filter { filter in
    filter.kind == .point && !filter.parameters.contains { $0.domain == .file }
  }

  var numbers: SteadyNumbers
  /// Points of curves lie no closer, and are few where that is more than nothing.
  var closestPoints = 0.0

  init(seed: UInt64) { numbers = SteadyNumbers(state: seed) }

  struct NoValidStep: Error {
    var filter: String
  }

  /// A step as the decoder makes it; throws when none of many tries was valid.
  mutating func step(of filter: FilterDescription) throws -> FilterStep {
    for _ in 0..<2000 {
      var members = ["\"filter\": \"\(filter.name)\""]
      for parameter in filter.parameters {
        if let text = text(of: parameter.domain) {
          members.append("\"\(parameter.name)\": \(text)")
        }
      }
      let data = "{\"filters\": [{\(members.joined(separator: ", "))}]}"
      let result = AdjustmentDecoding.decode(
        record: AdjustmentRecord(
          formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0",
          data: Array(data.utf8)))
      // What parameters must be together is not in their descriptions.
      if case .filters(let steps) = result, steps.count == 1 { return steps[0] }
    }
    throw NoValidStep(filter: filter.name)
  }

  /// Ordinary colours, ones out of range, and ones at and near zero; linear working RGB.
  mutating func colours(_ count: Int) -> [Float] {
    (0..<count).flatMap { index -> [Float] in
      let range: ClosedRange<Float> =
        switch index % 5 {
        case 0, 1: 0...1
        case 2: -0.5...2
        case 3: -64...64
        default: -1e-6...1e-6
        }
      return (0..<3).map { _ in
        chance(8) ? (chance(2) ? 0 : 1) : Float.random(in: range, using: &numbers)
      }
    }
  }

  /// True once in so many times.
  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }

  // MARK: - Parameters

  /// nil leaves the parameter away.
  private mutating func text(of domain: ParameterDescription.Domain) -> String? {
    switch domain {
    case .number(let range, let value): return "\(number(range, value))"
    case .whole(let range, let value):
      if let value, chance(4) { return "\(value)" }
      return "\(Int.random(in: range, using: &numbers))"
    case .choice(let names, _):
      return names.randomElement(using: &numbers).map { "\"\($0)\"" }
    case .flag: return chance(2) ? "true" : "false"
    case .points(let counts, let isOptional):
      if isOptional, chance(2) { return nil }
      return points(counts)
    case .numbers(let counts, let range, let values):
      if values != nil, chance(3) { return nil }
      let count = Int.random(in: counts, using: &numbers)
      let list = (0..<count).map { index -> String in
        let value = values.flatMap { index < $0.count ? $0[index] : nil }
        return "\(chance(2) ? value ?? number(range, value) : number(range, value))"
      }
      return "[\(list.joined(separator: ", "))]"
    case .file: return nil
    }
  }

  /// Often an end, the default or a value that is small next to the range.
  private mutating func number(_ range: ClosedRange<Double>, _ value: Double?) -> Double {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: range.lowerBound
    case 1: range.upperBound
    case 2, 3: value ?? Double.random(in: range, using: &numbers)
    case 4: Double.random(in: range.clamped(to: -1...1), using: &numbers)
    default: Double.random(in: range, using: &numbers)
    }
  }

  private mutating func points(_ counts: ClosedRange<Int>) -> String {
    let few = counts.lowerBound...min(counts.lowerBound + 4, counts.upperBound)
    let count = Int.random(in: closestPoints == 0 && chance(16) ? counts : few, using: &numbers)
    var places: [Double] = []
    while places.count < count {
      var place = number(0...1, 0)
      if let other = places.last, chance(8) { place = min(1, other + max(closestPoints, 0.001)) }
      if places.allSatisfy({ $0 != place && abs($0 - place) >= closestPoints }) {
        places.append(place)
      }
    }
    let pairs = places.sorted().map { "[\($0), \(number(0...1, nil))]" }
    return "[\(pairs.joined(separator: ", "))]"
  }
}
