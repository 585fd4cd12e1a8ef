import ColourEngine
import FoundationEssentials
import Imaging
import JSONText
import RenderModel
import Testing

/// The pictures and results of Tests/Reference/geometry.json, which geometry.py makes.
enum GeometryReference {
  struct Missing: Error { var what: String }

  static func load() throws -> JSONValue {
    let root = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let path = "/\(root)/Reference/geometry.json"
    guard let data = FileManager.default.contents(atPath: path) else { throw Missing(what: path) }
    return try JSONParser.parse([UInt8](data)).value
  }

  /// A picture of 16-bit codes.
  static func picture(_ value: JSONValue?) throws -> PixelBuffer {
    let size = try size(value)
    let codes = try numbers(value?["samples"])
    let bands = codes.count / size.pixels
    return Drawing.deepPicture(size.width, size.height, bands: bands) { x, y, band in
      Int(codes[(y * size.width + x) * bands + band])
    }
  }

  static func size(_ value: JSONValue?) throws -> PixelSize {
    guard let width = value?["width"]?.number?.integer,
      let height = value?["height"]?.number?.integer
    else { throw Missing(what: "width and height") }
    return PixelSize(width: width, height: height)
  }

  static func numbers(_ value: JSONValue?) throws -> [Double] {
    guard let values = value?.array else { throw Missing(what: "numbers") }
    return values.compactMap { $0.number?.double }
  }

  static func pairs(_ value: JSONValue?) throws -> [[Double]] {
    guard let values = value?.array else { throw Missing(what: "pairs") }
    return try values.map { try numbers($0) }
  }

  /// The largest difference of a 16-bit render from the codes 0…1 of the file, as a code.
  static func worst(_ render: PixelBuffer, _ result: JSONValue?) throws -> Double {
    let wanted = try numbers(result?["samples"])
    #expect(try render.size == size(result))
    #expect(render.sample == .uint16 && render.bands == 3)
    guard wanted.count == render.size.pixels * 3 else { throw Missing(what: "samples") }
    var worst = 0.0
    for y in 0..<render.size.height {
      for x in 0..<render.size.width {
        for band in 0..<3 {
          let code = Double(render.deep(x, y, band)) / 65535
          worst = max(worst, abs(code - wanted[(y * render.size.width + x) * 3 + band]))
        }
      }
    }
    return worst
  }

  static let deep = Rendition(name: "r", type: .png, bitDepth: 16)
}

extension FilterStep {
  static func flip(_ direction: String) -> FilterStep {
    FilterStep(
      name: "flip", version: 1, parameters: [.init(name: "direction", value: .text(direction))])
  }

  /// Clockwise from the top left.
  static func perspective(_ corners: [[Double]]) -> FilterStep {
    let names = ["topLeft", "topRight", "bottomRight", "bottomLeft"]
    return FilterStep(
      name: "perspective", version: 1,
      parameters: zip(names, corners).map { .init(name: $0.0, value: .numbers($0.1)) })
  }

  static func pad(
    top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0, aspect: Double = 0,
    colour: [Double] = [1, 1, 1]
  ) -> FilterStep {
    FilterStep(
      name: "pad", version: 1,
      parameters: [
        .init(name: "top", value: .number(top)), .init(name: "right", value: .number(right)),
        .init(name: "bottom", value: .number(bottom)), .init(name: "left", value: .number(left)),
        .init(name: "aspect", value: .number(aspect)),
        .init(name: "colour", value: .numbers(colour)),
      ])
  }

  static func border(
    _ width: Double, inside: Bool = false, colour: [Double] = [1, 1, 1]
  ) -> FilterStep {
    FilterStep(
      name: "border", version: 1,
      parameters: [
        .init(name: "width", value: .number(width)),
        .init(name: "colour", value: .numbers(colour)),
        .init(name: "inside", value: .number(inside ? 1 : 0)),
      ])
  }

  static func overlay(
    _ name: String = "mark.png", anchor: String = "bottomRight", x: Double = 0, y: Double = 0,
    scale: Double = 0.25, opacity: Double = 1
  ) -> FilterStep {
    FilterStep(
      name: "overlay", version: 1,
      parameters: [
        .init(name: "path", value: .file(name)), .init(name: "anchor", value: .text(anchor)),
        .init(name: "x", value: .number(x)), .init(name: "y", value: .number(y)),
        .init(name: "scale", value: .number(scale)),
      ], opacity: opacity)
  }
}

/// A render whose filters read files.
struct ResourceRender {
  var result: RenderResult
  var files: [TemporaryFile]

  init(
    _ file: TemporaryFile, _ renditions: [Rendition] = [Rendition(name: "r", type: .png)],
    filters: [FilterStep], resources: [(name: String, file: TemporaryFile)],
    limits: RenderLimits = RenderLimits(), threads: Int = 1
  ) throws {
    let picture = try file.opened(limits: limits).get()
    let outputs = try renditions.map { _ in try TemporaryFile() }
    files = outputs
    result = try withExtendedLifetime((file, resources)) {
      picture.render(
        RenderPlan(
          filters: filters, renditions: renditions, limits: limits, threads: threads,
          resources: resources.map(\.name)),
        outputs: outputs.map(\.descriptor), resources: resources.map(\.file.descriptor))
    }.get()
  }

  func decoded(_ index: Int = 0) throws -> PixelBuffer { try files[index].decoded() }
}

/// The largest difference of two samples; 255 when the sizes differ.
func worstDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
  guard one.size == other.size, one.bands == other.bands else { return 255 }
  return zip(one.samples, other.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
}
