/// A property that a container gives to one of its items.
enum HEIFProperty: Hashable, Sendable {
  case size(PixelSize)
  /// Quarter turns anticlockwise.
  case rotation(Int)
  /// Whether top and bottom change places, else left and right do.
  case mirror(topToBottom: Bool)
  case aperture(CleanAperture)
  case aspect(Int, Int)
  case profile([UInt8])
  case codePoints(CodePoints)
  case coding(HEIFCoding)
  case auxiliary(String)
  case other

  init(_ type: String, _ body: BoxReader) {
    var body = body
    self = Self.read(type, &body) ?? .other
  }

  private static func read(_ type: String, _ body: inout BoxReader) -> HEIFProperty? {
    switch type {
    case "ispe":
      guard body.version() != nil, let width = body.number(4), let height = body.number(4)
      else { return nil }
      return .size(PixelSize(width: width, height: height))
    case "irot": return body.number(1).map { .rotation($0 & 3) }
    case "imir": return body.number(1).map { .mirror(topToBottom: $0 & 1 == 0) }
    case "clap": return CleanAperture(&body).map { .aperture($0) }
    case "pasp":
      guard let across = body.number(4), let down = body.number(4) else { return nil }
      return .aspect(across, down)
    case "colr":
      switch body.code() {
      case "prof", "rICC": return .profile(body.rest)
      case "nclx": return CodePoints(&body).map { .codePoints($0) }
      default: return nil
      }
    case "hvcC": return HEIFCoding(hevc: body.rest).map { .coding($0) }
    case "av1C": return HEIFCoding(av1: body.rest).map { .coding($0) }
    case "auxC":
      guard body.version() != nil else { return nil }
      return .auxiliary(body.text())
    default: return nil
    }
  }
}

/// The coding-independent code points of ITU-T H.273 that say what the numbers of a picture mean.
package struct CodePoints: Hashable, Sendable {
  package var primaries: Int
  package var transfer: Int
  package var matrix: Int
  package var isFullRange: Bool

  package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  init?(_ body: inout BoxReader) {
    guard let primaries = body.number(2), let transfer = body.number(2),
      let matrix = body.number(2), let range = body.number(1)
    else { return nil }
    self.init(
      primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
  }
}

/// The part of a picture that is shown, as ISO/IEC 14496-12 has it: fractions about the centre.
struct CleanAperture: Hashable, Sendable {
  private let values: [Int]

  init?(_ body: inout BoxReader) {
    var values: [Int] = []
    for _ in 0..<8 {
      guard let value = body.signed() else { return nil }
      values.append(value)
    }
    self.values = values
  }

  /// nil when it is not inside the picture.
  func rect(in size: PixelSize) -> PixelRect? {
    guard values[1] > 0, values[3] > 0, values[5] > 0, values[7] > 0 else { return nil }
    let fractions = stride(from: 0, to: 8, by: 2).map {
      Double(values[$0]) / Double(values[$0 + 1])
    }
    let width = fractions[0].rounded()
    let height = fractions[1].rounded()
    let left = (fractions[2] + (Double(size.width) - fractions[0]) / 2).rounded(.down)
    let top = (fractions[3] + (Double(size.height) - fractions[1]) / 2).rounded(.down)
    guard width >= 1, height >= 1, left >= 0, top >= 0, left + width <= Double(size.width),
      top + height <= Double(size.height)
    else { return nil }
    return PixelRect(left: Int(left), top: Int(top), width: Int(width), height: Int(height))
  }
}

/// How the samples of an item are coded, from the configuration of its decoder.
struct HEIFCoding: Hashable, Sendable {
  var bits: Int
  var isMonochrome: Bool
  /// nil when the configuration does not say.
  var isFullRange: Bool?
  /// By ITU-T H.273; nil when the configuration does not say.
  var matrix: Int?

  /// ISO/IEC 14496-15, 8.3.3.1.2.
  init?(hevc configuration: [UInt8]) {
    guard configuration.count >= 19 else { return nil }
    bits = 8 + Int(max(configuration[17] & 7, configuration[18] & 7))
    isMonochrome = configuration[16] & 3 == 0
  }

  /// AV1-ISOBMFF, 2.3.3.
  init?(av1 configuration: [UInt8]) {
    guard configuration.count >= 3 else { return nil }
    let flags = configuration[2]
    bits = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
    isMonochrome = flags & 0x10 != 0
    let header = AV1SequenceHeader(configuration.dropFirst(4))
    isFullRange = header?.isFullRange
    matrix = header?.matrix
  }
}
