import ColourEngine
import Imaging
import RenderModel

/// The mathematics of the DNG specification's chapter 6 for one illuminant, on its own.
enum RAWReference {
  /// IEC 61966-2-1: linear sRGB to XYZ.
  static let toXYZ = [
    [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505],
  ]
  /// SMPTE EG 432-1: XYZ to linear Display P3.
  static let toP3 = [
    [2.4934969, -0.9313836, -0.4027108], [-0.8294890, 1.7626641, 0.0236247],
    [0.0358458, -0.0761724, 0.9568845],
  ]

  static func product(_ rows: [[Double]], _ vector: [Double]) -> [Double] {
    rows.map { row in zip(row, vector).map(*).reduce(0, +) }
  }

  static func rows(_ matrix: [Double]) -> [[Double]] {
    stride(from: 0, to: 9, by: 3).map { Array(matrix[$0..<($0 + 3)]) }
  }

  /// What a camera gives for linear sRGB under D65, its greenest white being 1.
  static func camera(_ rgb: [Double], _ matrix: [Double]) -> [Double] {
    let seen = product(rows(matrix), product(toXYZ, rgb))
    let white = product(rows(matrix), product(toXYZ, [1, 1, 1]))
    return seen.map { $0 / (white.max() ?? 1) }
  }

  static func neutral(_ matrix: [Double]) -> [Double] { camera([1, 1, 1], matrix) }

  static func encodedP3(_ rgb: [Double]) -> [Double] {
    product(toP3, product(toXYZ, rgb)).map { StandardRGB.encode(min(max($0, 0), 1)) }
  }

  /// Linear sRGB.
  static let patches: [[Double]] = [
    [0.18, 0.18, 0.18], [0.85, 0.85, 0.85], [0.40, 0.06, 0.05], [0.08, 0.35, 0.09],
    [0.05, 0.09, 0.40], [0.45, 0.28, 0.20],
  ]

  /// Two rows of three patches of 20 x 20 pixels.
  static func chart(_ sensor: HandMadeDNG.Sensor) -> HandMadeDNG {
    var dng = HandMadeDNG()
    dng.width = 60
    dng.height = 40
    dng.sensor = sensor
    dng.neutral = neutral(dng.matrix)
    let matrix = dng.matrix
    let seen = patches.map { camera($0, matrix) }
    dng.light = { x, y in seen[min(y / 20, 1) * 3 + min(x / 20, 2)] }
    return dng
  }

  static func centre(_ index: Int) -> (x: Int, y: Int) {
    (20 * (index % 3) + 10, 20 * (index / 3) + 10)
  }
}

extension HandMadeDNG {
  func rendered(
    _ colorSpace: Rendition.ColorSpace = .sRGB, filters: [FilterStep] = [], tolerant: Bool = false,
    rawSource: RAWSource = .sensor
  ) throws -> (PixelBuffer, RenderResult) {
    let rendition = Rendition(name: "r", type: .png, bitDepth: 16, colorSpace: colorSpace)
    let render = try Render(
      try TemporaryFile(bytes), [rendition], filters: filters, tolerant: tolerant,
      rawSource: rawSource)
    return (try render.decoded(), render.result)
  }
}

extension PixelBuffer {
  /// Samples as fractions of the largest number.
  func fractions(_ x: Int, _ y: Int) -> [Double] {
    (0..<3).map {
      sample == .uint16 ? Double(deep(x, y, $0)) / 65_535 : Double(self[x, y, $0]) / 255
    }
  }
}
