import ColourEngine
import RenderModel

/// Steps as the decoder makes them.
enum Steps {
  static func exposure(_ ev: Double) -> FilterStep { step("exposure", ["ev": ev]) }
  static func saturation(_ amount: Double) -> FilterStep {
    step("saturation", ["amount": amount])
  }
  static func brightness(_ amount: Double) -> FilterStep {
    step("brightness", ["amount": amount])
  }
  static func contrast(_ amount: Double, pivot: Double = 0.5) -> FilterStep {
    step("contrast", ["amount": amount, "pivot": pivot])
  }
  static func balance(_ temperature: Double, _ tint: Double = 0) -> FilterStep {
    step("temperatureTint", ["temperature": temperature, "tint": tint])
  }
  static func tone(_ points: [(Double, Double)]) -> FilterStep {
    let points = points.map { FilterStep.CurvePoint(x: $0.0, y: $0.1) }
    return FilterStep(
      name: "toneCurve", version: 2,
      parameters: [FilterStep.Parameter(name: "points", value: .points(points))])
  }
  static func step(_ name: String, _ numbers: KeyValuePairs<String, Double>) -> FilterStep {
    FilterStep(
      name: name, version: 1,
      parameters: numbers.map { FilterStep.Parameter(name: $0.key, value: .number($0.value)) })
  }
}

extension PixelLayout {
  static func encoded(
    _ sample: Sample, _ space: RGBSpace = .sRGB, bands: Int = 3, alpha: Alpha = .none
  ) -> PixelLayout {
    PixelLayout(sample: sample, bands: bands, alpha: alpha, space: space)
  }
}

/// Runs a pass over an array of one sample type into one of another.
func run<Input: BitwiseCopyable, Output: BitwiseCopyable & Numeric>(
  _ pass: PixelPass, _ input: [Input], bands: Int, to outputBands: Int, as type: Output.Type
) -> [Output] {
  let pixels = input.count / bands
  var output = [Output](repeating: 0, count: pixels * outputBands)
  unsafe input.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      unsafe pass.run(from, to, pixels: pixels)
    }
  }
  return output
}

/// The same numbers on every run (splitmix64).
struct SteadyNumbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
