import RenderModel

/// Pixels an inch, as a file says how large its picture is on paper.
struct PictureDensity: Hashable, Sendable {
  var x: Double
  var y: Double

  /// Pixels in a number of metres; nil when there are none.
  init?(x: Int, y: Int, metres: Double) {
    self.init(inch: Double(x) / metres * 0.0254, Double(y) / metres * 0.0254)
  }

  /// nil for what no pixel has.
  init?(inch x: Double, _ y: Double) {
    guard x > 0, y > 0, x <= 1e6, y <= 1e6 else { return nil }
    self.x = Self.whole(x)
    self.y = Self.whole(y)
  }

  /// What is left when it is not known: that of screens.
  static let usual = PictureDensity(72)

  private init(_ both: Double) {
    x = both
    y = both
  }

  /// Numbers of an inch that were rounded when they were counted by metres or centimetres.
  private static func whole(_ value: Double) -> Double {
    let rounded = value.rounded()
    return rounded > 0 && abs(value - rounded) < max(0.013, value * 5e-5) ? rounded : value
  }

  /// Whether pixels are square as far as two densities tell.
  static func areEqual(_ x: Int, _ y: Int) -> Bool { areEqual(Double(x), Double(y)) }

  static func areEqual(_ x: Double, _ y: Double) -> Bool {
    x <= 0 || y <= 0 || abs(x - y) <= 0.01 * max(x, y)
  }

  /// JFIF's segment, which holds whole numbers; of a density that it cannot hold nothing is said.
  var jfif: [UInt8] {
    let (across, down) = (x.rounded(), y.rounded())
    guard (1...65_535).contains(across), (1...65_535).contains(down) else { return Self.noJFIF }
    return Self.jfif(1, Int(across), Int(down))
  }

  static let noJFIF = jfif(0, 1, 1)

  private static func jfif(_ unit: UInt8, _ x: Int, _ y: Int) -> [UInt8] {
    [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 2, unit]
      + [UInt8(x >> 8), UInt8(x & 0xFF), UInt8(y >> 8), UInt8(y & 0xFF), 0, 0]
  }

  /// The data of a PNG's pHYs.
  var physical: [UInt8] {
    [x, y].flatMap { value in
      let count = Int((value / 0.0254).rounded())
      return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    } + [1]
  }

  /// As a fraction.
  static func rational(_ value: Double) -> (Int, Int) {
    value == value.rounded() ? (Int(value), 1) : (Int((value * 1000).rounded()), 1000)
  }
}

extension PictureDensity {
  /// What the segment of JFIF says, from its sign on: nil where it counts no inches or centimetres.
  init?(jfif payload: [UInt8]) {
    guard payload.count >= 12 else { return nil }
    let x = Int(payload[8]) << 8 | Int(payload[9])
    let y = Int(payload[10]) << 8 | Int(payload[11])
    switch payload[7] {
    case 1: self.init(inch: Double(x), Double(y))
    case 2: self.init(x: x, y: y, metres: 0.01)
    default: return nil
    }
  }

  /// Of a directory of TIFF or Exif; nil where it has none, or none with a unit.
  init?(_ directory: TagDirectory, _ header: TagHeader, _ bytes: Span<UInt8>) {
    let unit = directory.entry(0x0128).flatMap { header.integer(bytes, $0) } ?? 2
    guard let x = directory.entry(0x011A).flatMap({ header.fraction(bytes, $0) }),
      let y = directory.entry(0x011B).flatMap({ header.fraction(bytes, $0) })
    else { return nil }
    switch unit {
    case 2: self.init(inch: x, y)
    case 3: self.init(inch: x * 2.54, y * 2.54)
    default: return nil
    }
  }

  /// Of an Exif block's first directory.
  init?(exif block: [UInt8]) {
    let span = block.span
    guard let header = TagHeader(span), let main = header.directory(span, at: header.first) else {
      return nil
    }
    self.init(main, header, span)
  }
}

extension TagHeader {
  /// A RATIONAL; nil for other types and for what is divided by nothing.
  func fraction(_ bytes: Span<UInt8>, _ entry: TagDirectory.Entry) -> Double? {
    guard entry.type == 5, entry.values.count >= 8,
      let above = number(bytes, entry.values.lowerBound, 4),
      let below = number(bytes, entry.values.lowerBound + 4, 4), below > 0
    else { return nil }
    return Double(above) / Double(below)
  }
}
