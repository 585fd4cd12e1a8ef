import ColourEngine
import FoundationEssentials
import JSONText
import RenderModel
import Testing

/// What an independent implementation makes of a cube of colours at places of a picture:
/// `placed` of `Tests/Reference/detail.json`.
struct PlacedReference {
  struct Case: Sendable, CustomTestStringConvertible {
    var placed: PlacedStep
    var width: Int
    var output: [Double]

    var testDescription: String {
      let numbers = placed.step.parameters.map { "\($0.name) \(placed.step.number($0.name) ?? 0)" }
      return "\(placed.step.name) \(numbers.joined(separator: ", ")), \(placed.extent)"
    }
  }

  var cube: [Float] = []
  var cases: [Case] = []

  static let shared = PlacedReference()

  private init() {
    let root = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    guard let data = FileManager.default.contents(atPath: "/\(root)/Reference/detail.json"),
      let document = try? JSONParser.parse([UInt8](data)).value
    else { return }
    cube = Self.numbers(document["cube"]).map(Float.init)
    cases = (document["placed"]?.array ?? []).compactMap(Self.readCase)
  }

  private static func numbers(_ value: JSONValue?) -> [Double] {
    (value?.array ?? []).compactMap { $0.number?.double }
  }

  private static func readCase(_ entry: JSONValue) -> Case? {
    let (extent, origin) = (numbers(entry["extent"]), numbers(entry["origin"]))
    guard extent.count == 2, origin.count == 2, let step = entry["step"]?.number?.double,
      let width = entry["width"]?.number?.integer
    else { return nil }
    let parameters = (entry["parameters"]?.object ?? []).map {
      FilterStep.Parameter(name: $0.key, value: .number($0.value.number?.double ?? .nan))
    }
    let toExtent = Matrix3(
      [step / extent[0], 0, origin[0] / extent[0]], [0, step / extent[1], origin[1] / extent[1]],
      [0, 0, 1])
    return Case(
      placed: PlacedStep(
        FilterStep(name: entry["filter"]?.string ?? "", version: 1, parameters: parameters),
        toExtent: toExtent, extent: [extent[0], extent[1]]),
      width: width, output: numbers(entry["output"]))
  }
}

@Suite struct GrainVignetteGoldenTests {
  @Test("the reference is there")
  func reference() {
    #expect(PlacedReference.shared.cases.count == 18)
    #expect(PlacedReference.shared.cube.count == 32 * 16 * 3)
  }

  @Test("every colour is within 1e-4 of the reference", arguments: PlacedReference.shared.cases)
  func golden(_ golden: PlacedReference.Case) {
    let result = apply(golden.placed, to: PlacedReference.shared.cube, width: golden.width)
    #expect(golden.output.count == result.count)
    var worst = 0.0
    for (value, wanted) in zip(result, golden.output) {
      worst = max(worst, abs(Double(value) - wanted) / max(1, abs(wanted)))
    }
    #expect(worst < 1e-4, "worst difference \(worst)")
  }
}

/// Rows of working colours through one placed filter.
func apply(_ placed: PlacedStep, to pixels: [Float], width: Int) -> [Float] {
  let pass = PixelPass(from: .working, placed: [placed], to: .working)
  var result = [Float](repeating: 0, count: pixels.count)
  unsafe pixels.withUnsafeBytes { source in
    unsafe result.withUnsafeMutableBytes { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      for row in 0..<(pixels.count / 3 / width) {
        let offset = row * width * 12
        unsafe pass.run(
          from + offset, to + offset, pixels: width, at: PixelPlace(column: 0, row: row))
      }
    }
  }
  return result
}
