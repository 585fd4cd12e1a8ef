import ColourEngine
import Glibc
import Imaging
import RenderModel

/// Pictures that tests draw, and renders of them.
enum Drawing {
  /// A picture whose samples come from a function of column, row and band.
  static func picture(
    _ width: Int, _ height: Int, bands: Int = 3, _ value: (Int, Int, Int) -> Int
  ) -> PixelBuffer {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands { samples.append(UInt8(min(max(value(x, y, band), 0), 255))) }
      }
    }
    return PixelBuffer(
      size: PixelSize(width: width, height: height), bands: bands, sample: .uint8,
      samples: samples)
  }

  static func deepPicture(
    _ width: Int, _ height: Int, bands: Int = 3, _ value: (Int, Int, Int) -> Int
  ) -> PixelBuffer {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands {
          let number = UInt16(clamping: value(x, y, band))
          samples += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
        }
      }
    }
    return PixelBuffer(
      size: PixelSize(width: width, height: height), bands: bands, sample: .uint16,
      samples: samples)
  }

  /// A smooth picture with detail in it, different in every corner.
  static func scene(_ width: Int, _ height: Int, bands: Int = 3) -> PixelBuffer {
    picture(width, height, bands: bands) { x, y, band in
      switch band {
      case 0: 20 + 200 * x / max(1, width - 1)
      case 1: 30 + 180 * y / max(1, height - 1)
      case 2: 60 + (x * 7 + y * 13) % 120
      default: 255
      }
    }
  }
}

extension PixelBuffer {
  func file(_ type: UniformType, quality: Int = 95) throws -> TemporaryFile {
    let file = try TemporaryFile()
    try encode(to: file.descriptor, as: type, quality: quality)
    return file
  }

  /// An 8-bit sample.
  subscript(x: Int, y: Int, band: Int) -> Int {
    Int(samples[(y * size.width + x) * bands + band])
  }

  /// A 16-bit sample.
  func deep(_ x: Int, _ y: Int, _ band: Int) -> Int {
    let offset = ((y * size.width + x) * bands + band) * 2
    return Int(samples[offset]) | Int(samples[offset + 1]) << 8
  }

  func pixel(_ x: Int, _ y: Int) -> [Int] { (0..<bands).map { self[x, y, $0] } }
}

/// A render of one file and what came out.
struct Render {
  var result: RenderResult
  var files: [TemporaryFile]
  var decodes: Int

  init(
    _ file: TemporaryFile, _ renditions: [Rendition], filters: [FilterStep] = [],
    tolerant: Bool = false, limits: RenderLimits = RenderLimits(), threads: Int = 1,
    rawSource: RAWSource = .sensor
  ) throws {
    let picture = try file.opened(limits: limits, tolerant: tolerant, rawSource: rawSource).get()
    files = try renditions.map { _ in try TemporaryFile() }
    result = try picture.render(
      RenderPlan(
        filters: filters, renditions: renditions, tolerant: tolerant, limits: limits,
        threads: threads),
      outputs: files.map(\.descriptor)
    ).get()
    decodes = picture.decodes
    if let failure = OutputCheck.failure(
      of: result.outputs, in: files.map(\.descriptor), decoding: false)
    {
      throw failure
    }
  }

  /// Decodes one of the outputs.
  func decoded(_ index: Int = 0) throws -> PixelBuffer {
    try files[index].decoded()
  }

  static func png(
    _ drawing: PixelBuffer, filters: [FilterStep] = [], target: Rendition.TargetSize? = nil,
    mode: Rendition.ContentMode = .aspectFit
  ) throws -> PixelBuffer {
    let rendition = Rendition(name: "r", type: .png, targetSize: target, contentMode: mode)
    return try Render(drawing.file(.png), [rendition], filters: filters).decoded()
  }
}

extension FilterStep {
  static func crop(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, unit: String = "fraction",
    frame: String = "displayed"
  ) -> FilterStep {
    FilterStep(
      name: "crop", version: 1,
      parameters: [
        .init(name: "x", value: .number(x)), .init(name: "y", value: .number(y)),
        .init(name: "width", value: .number(width)), .init(name: "height", value: .number(height)),
        .init(name: "unit", value: .text(unit)), .init(name: "frame", value: .text(frame)),
      ])
  }

  static func orient(_ number: Int) -> FilterStep {
    FilterStep(
      name: "orient", version: 1,
      parameters: [.init(name: "orientation", value: .number(Double(number)))])
  }

  static func straighten(_ degrees: Double) -> FilterStep {
    FilterStep(
      name: "straighten", version: 1, parameters: [.init(name: "degrees", value: .number(degrees))])
  }

  static func exposure(_ ev: Double) -> FilterStep {
    FilterStep(name: "exposure", version: 1, parameters: [.init(name: "ev", value: .number(ev))])
  }

  static func sharpen(amount: Double, radius: Double, threshold: Double = 0) -> FilterStep {
    FilterStep(
      name: "sharpen", version: 1,
      parameters: [
        .init(name: "amount", value: .number(amount)),
        .init(name: "radius", value: .number(radius)),
        .init(name: "threshold", value: .number(threshold)),
      ])
  }
}

/// The published curve of IEC 61966-2-1, on its own.
enum StandardRGB {
  static func decode(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  static func encode(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// The 8-bit code of a light.
  static func code(_ light: Double) -> Double { 255 * encode(min(max(light, 0), 1)) }
}
