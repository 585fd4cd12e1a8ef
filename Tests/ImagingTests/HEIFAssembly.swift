import Imaging
import RenderModel

/// A HEIF file put together box by box from ISO/IEC 23008-12, around pictures that an encoder coded.
struct HEIFAssembly {
  struct Item {
    var id: Int
    var type: String
    var data: [UInt8]
    var properties: [[UInt8]] = []
    var contentType = ""
    var isHidden = false
  }

  var brand = "avif"
  var items: [Item] = []
  var references: [(type: String, from: Int, to: [Int])] = []
  var primary = 1
  /// Whole boxes behind the data.
  var trailer: [UInt8] = []

  var bytes: [UInt8] {
    let head = Box.make("ftyp", Array(brand.utf8) + Box.number(0, 4) + Array("mif1".utf8))
    let length = meta(dataAt: 0).count
    let start = head.count + length + 8
    return head + meta(dataAt: start) + Box.make("mdat", items.flatMap(\.data)) + trailer
  }

  private func meta(dataAt start: Int) -> [UInt8] {
    var properties: [[UInt8]] = []
    var associations = Box.number(items.count, 4)
    for item in items {
      associations += Box.number(item.id, 2) + [UInt8(item.properties.count)]
      for property in item.properties {
        properties.append(property)
        associations.append(UInt8(properties.count))
      }
    }
    let entries = items.map { item in
      Box.full(
        "infe", version: 2, flags: item.isHidden ? 1 : 0,
        Box.number(item.id, 2) + Box.number(0, 2) + Array(item.type.utf8) + [0]
          + (item.type == "mime" ? Array(item.contentType.utf8) + [0] : []))
    }
    var places = [0x44, 0] + Box.number(items.count, 2)
    var offset = start
    for item in items {
      places += Box.number(item.id, 2) + Box.number(0, 2) + Box.number(1, 2)
      places += Box.number(offset, 4) + Box.number(item.data.count, 4)
      offset += item.data.count
    }
    let links = references.map { reference in
      Box.make(
        reference.type,
        Box.number(reference.from, 2) + Box.number(reference.to.count, 2)
          + reference.to.flatMap { Box.number($0, 2) })
    }
    let handler = Box.full(
      "hdlr", Box.number(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    return Box.full(
      "meta",
      handler + Box.full("pitm", Box.number(primary, 2))
        + Box.full("iloc", places)
        + Box.full("iinf", Box.number(items.count, 2) + entries.flatMap { $0 })
        + (links.isEmpty ? [] : Box.full("iref", links.flatMap { $0 }))
        + Box.make(
          "iprp",
          Box.make("ipco", properties.flatMap { $0 }) + Box.full("ipma", associations)))
  }
}

/// Boxes of ISO/IEC 14496-12.
enum Box {
  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func make(_ type: String, _ body: [UInt8]) -> [UInt8] {
    number(body.count + 8, 4) + Array(type.utf8) + body
  }

  static func full(
    _ type: String, version: Int = 0, flags: Int = 0, _ body: [UInt8]
  ) -> [UInt8] {
    make(type, [UInt8(version)] + number(flags, 3) + body)
  }

  static func size(_ width: Int, _ height: Int) -> [UInt8] {
    full("ispe", number(width, 4) + number(height, 4))
  }
  static func rotation(_ quarterTurns: Int) -> [UInt8] { make("irot", [UInt8(quarterTurns)]) }
  /// 0 exchanges top and bottom, 1 left and right.
  static func mirror(_ axis: Int) -> [UInt8] { make("imir", [UInt8(axis)]) }
  /// Width, height and the offset of the centre, each in halves.
  static func aperture(_ halves: [Int]) -> [UInt8] {
    make("clap", halves.flatMap { number($0, 4) + number(2, 4) })
  }
  static func auxiliary(_ type: String) -> [UInt8] { full("auxC", Array(type.utf8) + [0]) }
  static func codePoints(
    _ primaries: Int, _ transfer: Int, _ matrix: Int, isFullRange: Bool = true
  ) -> [UInt8] {
    make(
      "colr",
      Array("nclx".utf8) + number(primaries, 2) + number(transfer, 2) + number(matrix, 2)
        + [isFullRange ? 0x80 : 0])
  }
}

/// A picture as an encoder coded it, taken out of the file that it wrote.
struct CodedPicture {
  var type: String
  var size: [UInt8]
  var configuration: [UInt8]
  var data: [UInt8]

  /// AV1.
  init(_ drawing: PixelBuffer, quality: Int = 95) throws {
    self.init(avif: try drawing.file(.avif, quality: quality).bytes, drawing.size)
  }

  init(avif bytes: [UInt8], _ pixels: PixelSize) {
    type = "av01"
    size = Box.size(pixels.width, pixels.height)
    configuration = Self.box("av1C", in: bytes)
    data = Array(Self.box("mdat", in: bytes).dropFirst(8))
  }

  /// The drawing that is kept as HEVC, 64 x 64 with 16 rows of filling.
  static var hevc: CodedPicture {
    CodedPicture(
      type: "hvc1", size: Box.size(64, 64), configuration: CodedDrawing.hevcConfiguration,
      data: CodedDrawing.hevcData)
  }

  private init(type: String, size: [UInt8], configuration: [UInt8], data: [UInt8]) {
    self.type = type
    self.size = size
    self.configuration = configuration
    self.data = data
  }

  func item(_ id: Int, _ properties: [[UInt8]] = [], isHidden: Bool = false) -> HEIFAssembly.Item {
    HEIFAssembly.Item(
      id: id, type: type, data: data, properties: [configuration, size] + properties,
      isHidden: isHidden)
  }

  private static func box(_ type: String, in bytes: [UInt8]) -> [UInt8] {
    let name = Array(type.utf8)
    guard
      let start = (4..<(bytes.count - 4)).first(where: {
        bytes[$0..<($0 + 4)].elementsEqual(name)
      })
    else { return [] }
    let length = bytes[(start - 4)..<start].reduce(0) { $0 << 8 | Int($1) }
    return Array(bytes[(start - 4)..<min(bytes.count, start - 4 + length)])
  }
}
