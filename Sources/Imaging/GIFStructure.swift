/// The blocks of a GIF, walked to its end without decoding.
struct GIFStructure: Hashable, Sendable {
  /// Whether the file ends before the mark of its end.
  private(set) var isCutOff = false
  private(set) var xmp: [UInt8]?
  private(set) var pixelsAreSquare = true

  private enum Block {
    static let extra: UInt8 = 0x21
    static let picture: UInt8 = 0x2C
    static let end: UInt8 = 0x3B
    static let application: UInt8 = 0xFF
  }

  private static let xmpSign = Array("XMP DataXMP".utf8)
  /// What stands behind a packet so that readers of blocks find its end.
  private static let xmpTrailer = 258

  init(_ file: borrowing FileBytes) {
    self = file.withSpan { GIFStructure($0) }
  }

  private init(_ bytes: Span<UInt8>) {
    guard bytes.count >= 13 else {
      isCutOff = true
      return
    }
    // (n + 15) / 64 is the width of a pixel by its height; 0 says nothing.
    let aspect = Int(bytes[12])
    pixelsAreSquare = aspect == 0 || aspect == 49
    var position = 13 + Self.table(bytes[10])
    while position < bytes.count {
      switch bytes[position] {
      case Block.end: return
      case Block.extra:
        guard position + 1 < bytes.count else { break }
        let isApplication = bytes[position + 1] == Block.application
        let start = position + 2
        guard let end = Self.endOfBlocks(bytes, start) else {
          isCutOff = true
          return
        }
        if isApplication, bytes.has([11] + Self.xmpSign, at: start) {
          let packet = start + 12
          if xmp == nil, end - Self.xmpTrailer > packet {
            xmp = bytes.copy(packet..<(end - Self.xmpTrailer))
          }
        }
        position = end
        continue
      case Block.picture:
        guard position + 10 <= bytes.count,
          // One byte is the size of the codes.
          let end = Self.endOfBlocks(bytes, position + 11 + Self.table(bytes[position + 9]))
        else {
          isCutOff = true
          return
        }
        position = end
        continue
      // Nothing between blocks, which some write.
      case 0: break
      // Bytes of nobody's: decoders end there.
      default: return
      }
      position += 1
    }
    isCutOff = true
  }

  /// The bytes of a table of colours.
  private static func table(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// Where the pieces from a place on end; nil when the file does before.
  private static func endOfBlocks(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      let length = Int(bytes[position])
      position += 1 + length
      if length == 0 { return position }
    }
    return nil
  }
}
