/// What the boxes of a JPEG 2000 file say of its codestream, as ISO/IEC 15444-1 and -2 have them.
struct JPEG2000Boxes: Hashable, Sendable {
  /// One of the picture's channels: a component as coded, or a column of the palette.
  struct Channel: Hashable, Sendable {
    var component: Int
    var column: Int?
  }

  struct Definition: Hashable, Sendable {
    static let colour = 0
    static let opacity = 1
    static let premultipliedOpacity = 2

    var channel: Int
    var kind: Int
    /// The colour's number from 1 on; 0 is the whole picture.
    var association: Int
  }

  struct Palette: Hashable, Sendable {
    /// Bits of each column.
    var bits: [Int]
    /// In 0…1, for each column.
    var columns: [[Float]]
  }

  /// By the numbers of the enumeration; nil where a profile or nothing says it.
  private(set) var colourSpace: Int?
  private(set) var profile: [UInt8]?
  private(set) var palette: Palette?
  private(set) var mapping: [Channel] = []
  private(set) var definitions: [Definition] = []
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var iptc: [UInt8]?
  /// Where the first codestream lies.
  private(set) var codestream: Range<Int>?
  private(set) var codestreams = 0
  /// Whether a box is announced to be longer than what is left of the file.
  private(set) var isCutOff = false

  private static let longestBlock = 32 << 20
  private static let walked = 10_000
  /// Boxes that may stand behind the picture; other bytes there are nobody's.
  private static let known: Set<String> = [
    "jP  ", "ftyp", "jp2h", "jp2c", "jp2i", "uuid", "uinf", "xml ", "asoc", "jpch", "jplh", "ftbl",
    "rreq", "res ", "jumb", "Exif", "free",
  ]

  init(_ file: borrowing FileBytes) {
    if file.count >= 2, file[0] == 0xFF, file[1] == 0x4F {
      codestream = 0..<file.count
      codestreams = 1
      return
    }
    var position = 0
    for _ in 0..<Self.walked {
      guard position <= file.count - 8 else { break }
      var reader = BoxReader(file.copy(position..<min(file.count, position + 16)))
      guard var size = reader.number(4), let type = reader.code() else { break }
      if size == 1 {
        size = reader.number(8) ?? .max
      } else if size == 0 {
        size = file.count - position
      }
      guard size >= reader.position, size <= file.count - position else {
        isCutOff = Self.known.contains(type)
        return
      }
      read(type, file, (position + reader.position)..<(position + size))
      position += size
    }
  }

  private mutating func read(_ type: String, _ file: borrowing FileBytes, _ body: Range<Int>) {
    switch type {
    case "jp2c":
      codestreams += 1
      if codestream == nil { codestream = body }
    case "jp2h" where body.count <= Self.longestBlock: readHeader(file.copy(body))
    case "uuid" where body.count >= 16 && body.count <= Self.longestBlock:
      readUser(file.copy(body.prefix(16)), file.copy(body.dropFirst(16)))
    default: break
    }
  }

  private static let exifSign = Array("JpgTiffExif->JP2".utf8)
  private static let xmpSign: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  private static let iptcSign: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]

  private mutating func readUser(_ sign: [UInt8], _ data: [UInt8]) {
    switch sign {
    case Self.exifSign where exif == nil:
      exif = Array("Exif\0\0".utf8) + EXIFBlock.withoutPrefix(data)
    case Self.xmpSign where xmp == nil: xmp = data
    case Self.iptcSign where iptc == nil: iptc = data
    default: break
    }
  }

  private mutating func readHeader(_ bytes: [UInt8]) {
    let reader = BoxReader(bytes)
    var hasColour = false
    for box in reader.boxes() {
      var body = reader.inside(box)
      switch box.type {
      // Of several, those after the first that is understood do not count.
      case "colr" where !hasColour: hasColour = readColour(&body)
      case "pclr" where palette == nil: palette = Palette(&body)
      case "cmap" where mapping.isEmpty:
        while let component = body.number(2), let kind = body.number(1),
          let column = body.number(1)
        {
          mapping.append(Channel(component: component, column: kind == 1 ? column : nil))
        }
      case "cdef" where definitions.isEmpty:
        _ = body.number(2)
        while let channel = body.number(2), let kind = body.number(2),
          let association = body.number(2)
        {
          definitions.append(Definition(channel: channel, kind: kind, association: association))
        }
      default: break
      }
    }
  }

  private mutating func readColour(_ body: inout BoxReader) -> Bool {
    guard let method = body.number(1), body.number(2) != nil else { return false }
    switch method {
    case 1: colourSpace = body.number(4)
    // Restricted to few kinds, or any.
    case 2, 3: profile = body.rest
    default: return false
    }
    return true
  }
}

extension JPEG2000Boxes.Palette {
  fileprivate init?(_ body: inout BoxReader) {
    guard let entries = body.number(2), (1...1024).contains(entries),
      let count = body.number(1), count > 0
    else { return nil }
    bits = []
    for _ in 0..<count {
      guard let word = body.number(1), word & 0x7F < 16 else { return nil }
      bits.append(word & 0x7F + 1)
    }
    columns = [[Float]](repeating: [], count: count)
    for _ in 0..<entries {
      for column in 0..<count {
        guard let value = body.number((bits[column] + 7) / 8) else { return nil }
        columns[column].append(Float(value) / Float(1 << bits[column] - 1))
      }
    }
  }
}
