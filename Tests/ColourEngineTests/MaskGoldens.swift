import Adjustments
import ColourEngine
import FoundationEssentials
import JSONText
import RenderModel
import Testing

/// What `Tests/Reference/masks.json` holds; described at the top of its script.
struct MaskGoldens {
  struct Case {
    var name: String
    var mask: FilterMask
    var toPicture: Matrix3
    var columns: Int
    var rows: Int
    /// Red, green, blue, red, … of the whole grid.
    var pixels: [Float]
    var weights: [Float]
    var tolerance: Float
  }

  var cases: [Case]
  var resources: FilterResources

  init() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let path = "\(root)/Reference/masks.json"
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path), "\(path)"))
    let document = try JSONParser.parse(bytes).value
    let grey = Float(try #require(document["grey"]?.number?.double))
    cases = try #require(document["cases"]?.array).map { value in
      let (columns, rows) = (try Self.count(value["columns"]), try Self.count(value["rows"]))
      let map = try Self.numbers(value["toPicture"])
      try #require(map.count == 9)
      let mask = try #require(value["mask"])
      let source = value["input"]?.string.flatMap { document["inputs"]?[$0] }
      return Case(
        name: try #require(value["name"]?.string),
        mask: try Self.mask(bytes[mask.offset..<mask.end]),
        toPicture: Matrix3(SIMD3(map[0..<3]), SIMD3(map[3..<6]), SIMD3(map[6..<9])),
        columns: columns, rows: rows,
        pixels: try source?.array?.flatMap { try Self.numbers($0).map(Float.init) }
          ?? [Float](repeating: grey, count: columns * rows * 3),
        weights: try Self.numbers(value["weights"]).map(Float.init),
        tolerance: Float(value["tolerance"]?.number?.double ?? 1e-4))
    }
    var bitmaps: [String: MaskBitmap] = [:]
    for member in try #require(document["bitmaps"]?.object) {
      bitmaps[member.key] = try Self.bitmap(member.value)
    }
    resources = FilterResources(bitmaps: bitmaps)
  }

  private static func bitmap(_ value: JSONValue) throws -> MaskBitmap {
    let (width, height) = (try count(value["width"]), try count(value["height"]))
    guard let disc = try value["disc"].map({ try numbers($0) }) else {
      return MaskBitmap(
        width: width, height: height, weights: try numbers(value["weights"]).map(Float.init))
    }
    let weights = (0..<(width * height)).map { index -> Float in
      let x = Double(index % width) + 0.5 - disc[0]
      let y = Double(index / width) + 0.5 - disc[1]
      return x * x + y * y <= disc[2] * disc[2] ? 1 : 0
    }
    return MaskBitmap(width: width, height: height, weights: weights)
  }

  /// A mask as the record's decoder takes it.
  static func mask(_ text: some Collection<UInt8>) throws -> FilterMask {
    let data =
      Array(#"{"filters": [{"filter": "exposure", "ev": 1, "mask": "#.utf8) + text
      + Array("}]}".utf8)
    let result = AdjustmentDecoding.decode(
      record: AdjustmentRecord(
        formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0", data: data))
    guard case .filters(let steps) = result else {
      Issue.record("\(result)")
      throw NoMask()
    }
    return try #require(steps.first?.mask)
  }

  private struct NoMask: Error {}

  private static func numbers(_ value: JSONValue?) throws -> [Double] {
    try #require(value?.array).map { try #require($0.number?.double) }
  }

  private static func count(_ value: JSONValue?) throws -> Int {
    try #require(value?.number?.integer)
  }
}

/// The weights of rows of pixels, their first one at the place.
func weigh(
  _ weights: MaskWeights, _ pixels: [Float], bands: Int = 3, columns: Int,
  at place: PixelPlace = .origin
) -> [Float] {
  let rows = pixels.count / bands / columns
  var result = [Float](repeating: -1, count: rows * columns)
  unsafe pixels.withUnsafeBufferPointer { input in
    unsafe result.withUnsafeMutableBufferPointer { output in
      guard let from = input.baseAddress, let to = output.baseAddress else { return }
      for row in 0..<rows {
        unsafe weights.write(
          from + row * columns * bands, bands: bands, count: columns,
          at: PixelPlace(column: place.column, row: place.row + row), into: to + row * columns)
      }
    }
  }
  return result
}
