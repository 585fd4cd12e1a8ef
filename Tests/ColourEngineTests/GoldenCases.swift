import Adjustments
import ColourEngine
import FoundationEssentials
import JSONText
import RenderModel
import Testing

/// What a file of `Tests/Reference` holds: colours before and after filters, worked out by its script.
///
/// `{"inputs": {NAME: [[r, g, b], …]}, "cases": [{"name", "filters", "input", "samples", "output"}]}`;
/// `filters` is the list of a native record, `input` a name of `inputs` or the colours themselves,
/// `samples` the places in it that `output` is for (absent: all). Colours are linear working RGB.
struct GoldenCases {
  struct Case {
    var name: String
    var steps: [FilterStep]
    /// Red, green, blue, red, …
    var input: [Float]
    var output: [Float]
    /// All members of the case, also those that only one part knows.
    var value: JSONValue
  }

  var cases: [Case]

  /// Throws when anything is not as described.
  init(_ part: String) throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let path = "\(root)/Reference/\(part).json"
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path), "\(path)"))
    let document = try JSONParser.parse(bytes).value
    let inputs = document["inputs"]
    cases = try #require(document["cases"]?.array).map { value in
      let input = try #require(value["input"])
      let colours = try Self.colours(input.string.map { inputs?[$0] } ?? input)
      let samples = try value["samples"]?.array?.map { try #require($0.number?.integer) }
      let chosen = samples.map { $0.flatMap { colours[(3 * $0)..<(3 * $0 + 3)] } } ?? colours
      return Case(
        name: try #require(value["name"]?.string),
        steps: try value["filters"].map { try Self.steps(bytes[$0.offset..<$0.end]) } ?? [],
        input: chosen, output: try Self.colours(value["output"]), value: value)
    }
    try #require(!cases.isEmpty)
  }

  /// The numbers of `[[r, g, b], …]` side by side.
  static func colours(_ value: JSONValue?) throws -> [Float] {
    try #require(value?.array).flatMap { colour in
      let numbers = try #require(colour.array)
      try #require(numbers.count == 3)
      return try numbers.map { Float(try #require($0.number?.double)) }
    }
  }

  /// The text of a filter list as the record's decoder takes it.
  static func steps(_ text: ArraySlice<UInt8>) throws -> [FilterStep] {
    let data = Array(#"{"filters": "#.utf8) + text + Array("}".utf8)
    let result = AdjustmentDecoding.decode(
      record: AdjustmentRecord(
        formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0", data: data))
    guard case .filters(let steps) = result else {
      Issue.record("\(result) for \(String(decoding: data, as: UTF8.self))")
      return []
    }
    return steps
  }
}

extension GoldenCases.Case {
  /// The engine's result for the case's filters, without a place and without files.
  func run() -> [Float] {
    let pass = PixelPass(from: .working, steps: steps, to: .working)
    return ColourEngineTests.run(pass, input, bands: 3, to: 3, as: Float.self)
  }

  /// Holds a result to the output: absolutely up to 1, in proportion above.
  func expect(_ result: [Float], within tolerance: Float = 1e-4) {
    #expect(result.count == output.count && !output.isEmpty, "\(name)")
    var worst: Float = 0
    var place = 0
    for (index, (value, wanted)) in zip(result, output).enumerated() {
      let difference = abs(value - wanted) / max(1, abs(wanted))
      // Written so that NaN counts.
      if !(difference <= worst) { (worst, place) = (difference, index) }
      if worst.isNaN { break }
    }
    let pixel = place / 3 * 3
    #expect(
      worst <= tolerance,
      """
      \(name): \(input[pixel..<(pixel + 3)]) becomes \(result[pixel..<(pixel + 3)]), \
      not \(output[pixel..<(pixel + 3)])
      """)
  }
}
