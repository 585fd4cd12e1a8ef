import Adjustments
import JSONText
import RenderModel

/// The filters that are measured together.
enum FilterSets {
  /// All kinds of point filter that a raw converter's first panel has.
  static let basic = """
    {"filter": "exposure", "ev": 0.3},
    {"filter": "temperatureTint", "temperature": 5600, "tint": 8},
    {"filter": "contrast", "amount": 1.15},
    {"filter": "saturation", "amount": 1.1},
    {"filter": "brightness", "amount": 0.02},
    {"filter": "hue", "degrees": 4},
    {"filter": "levels", "black": 0.02, "white": 0.97, "gamma": 1.05},
    {"filter": "toneCurve", "points": [[0, 0], [0.25, 0.22], [0.75, 0.8], [1, 1]]}
    """
  static let table = #"{"filter": "lut3d", "path": "look.cube"}"#
  static let hues = """
    {"filter": "hsl", "orange": [0.05, 0.1, 0.05], "blue": [-0.1, 0.2, -0.1]},
    {"filter": "vibrance", "amount": 0.3}
    """

  static let localFilters = [
    #"{"filter": "highlightsShadows", "highlights": -0.5, "shadows": 0.4}"#,
    #"{"filter": "localContrast", "amount": 0.3}"#,
    #"{"filter": "dehaze", "amount": 0.2}"#,
    #"{"filter": "noiseReduction", "luminance": 0.3, "colour": 0.3}"#,
    #"{"filter": "blur", "radius": 2}"#,
    #"{"filter": "sharpen", "amount": 0.6, "radius": 1.5}"#,
    #"{"filter": "grain", "amount": 0.2}"#,
    #"{"filter": "vignette", "amount": -0.3}"#,
  ]
  static let local = localFilters.joined(separator: ", ")

  /// Decoded as a record's data would be.
  static func steps(_ sets: [String]) throws -> [FilterStep] {
    let text = #"{"filters": ["# + sets.joined(separator: ",") + "]}"
    let value = try JSONParser.parse(Array(text.utf8)).value
    let result = AdjustmentDecoding.decode(
      identifier: AdjustmentRecord.nativeIdentifier, version: AdjustmentDecoding.currentVersion,
      data: value)
    guard case .filters(let steps) = result else {
      throw BenchFailure("the filters cannot be decoded: \(result)")
    }
    return steps
  }

  /// A table of 33 values a side with a bend in each channel.
  static func cube() -> String {
    var text = "LUT_3D_SIZE 33\n"
    for blue in 0..<33 {
      for green in 0..<33 {
        for red in 0..<33 {
          let (r, g, b) = (Double(red) / 32, Double(green) / 32, Double(blue) / 32)
          text += "\(r * (1.1 - 0.1 * r)) \(g * (0.95 + 0.05 * b)) \(b * (0.9 + 0.1 * g))\n"
        }
      }
    }
    return text
  }
}
