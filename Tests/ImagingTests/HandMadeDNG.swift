/// A DNG of uncompressed sensor data, byte by byte from the DNG 1.4 specification.
struct HandMadeDNG {
  enum Sensor: Sendable {
    /// Rows of two: which of red 0, green 1, blue 2 a pixel sees.
    case mosaic([Int])
    /// Three samples a pixel.
    case linear
    case monochrome

    var samples: Int {
      switch self {
      case .linear: 3
      default: 1
      }
    }
  }

  var width = 64
  var height = 48
  var sensor = Sensor.mosaic([0, 1, 1, 2])
  var black = 512
  var white = 15_000
  var orientation = 1
  /// XYZ to camera under D65, rows after each other.
  var matrix = [0.7034, -0.0804, -0.1014, -0.4420, 1.2564, 0.2058, -0.0851, 0.1994, 0.5758]
  /// What a grey thing gives in each channel, the largest 1; nil leaves it out.
  var neutral: [Double]?
  /// Columns and rows at the left and the top that see no light.
  var margin = (left: 0, top: 0)
  var preview: [UInt8] = []
  var captured = "2021:03:04 05:06:07"
  /// What the channels of a pixel of the picture see, 1 being full.
  var light: (Int, Int) -> [Double] = { _, _ in [0.2, 0.2, 0.2] }

  var bytes: [UInt8] {
    var file = LittleTIFF()
    file.main = [
      file.long(0x00FE, 0), file.long(0x0100, width + margin.left),
      file.long(0x0101, height + margin.top),
      file.short(0x0102, Array(repeating: 16, count: sensor.samples)), file.short(0x0103, [1]),
      file.short(0x0106, [isMosaic ? 32_803 : 34_892]), file.text(0x010F, "Minilab"),
      file.text(0x0110, "Test Camera"), file.short(0x0112, [orientation]),
      file.short(0x0115, [sensor.samples]), file.long(0x0116, height + margin.top),
      file.short(0x011C, [1]), file.text(0xC614, "Minilab Test Camera"),
      file.byte(0xC612, [1, 4, 0, 0]), file.byte(0xC613, [1, 1, 0, 0]),
      file.long(0xC61A, black), file.short(0xC61D, Array(repeating: white, count: sensor.samples)),
      file.long(0xC68D, [margin.top, margin.left, height + margin.top, width + margin.left]),
      file.text(0x8298, "Nobody"),
    ]
    if case .mosaic(let pattern) = sensor {
      file.main += [file.short(0x828D, [2, 2]), file.byte(0x828E, pattern)]
    }
    if case .monochrome = sensor {
    } else {
      file.main += [file.signedRational(0xC621, matrix), file.short(0xC65A, [21])]
      if let neutral { file.main.append(file.rational(0xC628, neutral)) }
    }
    file.exif = [
      file.text(0x9003, captured), file.text(0x9291, "25"), file.text(0x9011, "+02:00"),
      file.rational(0x829A, [0.008]), file.short(0x8827, [400]),
    ]
    file.preview = preview
    return file.written(data: data)
  }

  private var isMosaic: Bool {
    if case .mosaic = sensor { true } else { false }
  }

  private var data: [UInt8] {
    var result: [UInt8] = []
    for row in 0..<(height + margin.top) {
      for column in 0..<(width + margin.left) {
        let (x, y) = (column - margin.left, row - margin.top)
        let isDark = x < 0 || y < 0
        let seen = isDark ? [0, 0, 0] : light(x, y)
        let values: [Double]
        switch sensor {
        case .mosaic(let pattern):
          let place = (y & 1) * 2 + (x & 1)
          values = [seen[pattern[place]]]
        case .linear: values = seen
        case .monochrome: values = [seen[0]]
        }
        for value in values {
          let level = Double(black) + value * Double(white - black)
          let code = Int(min(max(level.rounded(), 0), Double(white)))
          result += [UInt8(code & 0xFF), UInt8(code >> 8)]
        }
      }
    }
    return result
  }
}

/// A little-endian TIFF of a main directory with an EXIF one, and a JPEG preview in one of its own.
struct LittleTIFF {
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var bytes: [UInt8]
  }

  var main: [Entry] = []
  var exif: [Entry] = []
  var preview: [UInt8] = []

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  func byte(_ tag: Int, _ values: [Int]) -> Entry {
    Entry(tag: tag, type: 1, count: values.count, bytes: values.map { UInt8($0) })
  }
  func text(_ tag: Int, _ value: String) -> Entry {
    Entry(tag: tag, type: 2, count: value.utf8.count + 1, bytes: Array(value.utf8) + [0])
  }
  func short(_ tag: Int, _ values: [Int]) -> Entry {
    Entry(tag: tag, type: 3, count: values.count, bytes: values.flatMap { Self.little($0, 2) })
  }
  func long(_ tag: Int, _ value: Int) -> Entry { long(tag, [value]) }
  func long(_ tag: Int, _ values: [Int]) -> Entry {
    Entry(tag: tag, type: 4, count: values.count, bytes: values.flatMap { Self.little($0, 4) })
  }
  func rational(_ tag: Int, _ values: [Double]) -> Entry { fraction(tag, 5, values) }
  func signedRational(_ tag: Int, _ values: [Double]) -> Entry { fraction(tag, 10, values) }

  private func fraction(_ tag: Int, _ type: Int, _ values: [Double]) -> Entry {
    let one = 1_000_000
    let bytes = values.flatMap {
      Self.little(Int(($0 * Double(one)).rounded()), 4) + Self.little(one, 4)
    }
    return Entry(tag: tag, type: type, count: values.count, bytes: bytes)
  }

  /// The pixels lie behind all directories, at the very end.
  func written(data: [UInt8]) -> [UInt8] {
    var main = main
    main += [long(0x0111, 0), long(0x0117, data.count)]
    if !exif.isEmpty { main.append(long(0x8769, 0)) }
    if !preview.isEmpty { main.append(long(0x014A, 0)) }
    let previewEntries = [
      long(0x00FE, 1), long(0x0100, 16), long(0x0101, 16), short(0x0102, [8, 8, 8]),
      short(0x0103, [7]), short(0x0106, [6]), long(0x0111, 0), short(0x0115, [3]),
      long(0x0116, 16), long(0x0117, preview.count),
    ]
    let exifStart = 8 + Self.size(main)
    let previewStart = exifStart + (exif.isEmpty ? 0 : Self.size(exif))
    let jpegStart = previewStart + (preview.isEmpty ? 0 : Self.size(previewEntries))
    let dataStart = jpegStart + preview.count + preview.count % 2
    let places = [0x0111: dataStart, 0x8769: exifStart, 0x014A: previewStart]
    var bytes: [UInt8] = Array("II".utf8) + Self.little(42, 2) + Self.little(8, 4)
    bytes += Self.directory(main, places, at: 8)
    if !exif.isEmpty { bytes += Self.directory(exif, [:], at: exifStart) }
    if !preview.isEmpty {
      bytes += Self.directory(previewEntries, [0x0111: jpegStart], at: previewStart)
      bytes += preview + Array(repeating: 0, count: preview.count % 2)
    }
    return bytes + data
  }

  private static func size(_ entries: [Entry]) -> Int {
    6 + 12 * entries.count
      + entries.map { $0.bytes.count > 4 ? ($0.bytes.count + 1) / 2 * 2 : 0 }.reduce(0, +)
  }

  private static func directory(_ entries: [Entry], _ places: [Int: Int], at start: Int) -> [UInt8]
  {
    var bytes = little(entries.count, 2)
    var far: [UInt8] = []
    let farStart = start + 6 + 12 * entries.count
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      bytes += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
      if let place = places[entry.tag] {
        bytes += little(place, 4)
      } else if entry.bytes.count <= 4 {
        bytes += (entry.bytes + [0, 0, 0, 0]).prefix(4)
      } else {
        bytes += little(farStart + far.count, 4)
        far += entry.bytes + Array(repeating: 0, count: entry.bytes.count % 2)
      }
    }
    return bytes + little(0, 4) + far
  }
}
