import RenderModel

/// The first directory of a TIFF, as far as it lies in the bytes: enough to tell most RAW files.
struct RAWMagic {
  private let bytes: [UInt8]
  private let bigEndian: Bool

  /// nil for an ordinary TIFF, and where the directory lies further on.
  static func type(of bytes: [UInt8]) -> UniformType? {
    RAWMagic(bytes: bytes, bigEndian: bytes.first == UInt8(ascii: "M")).type
  }

  private var type: UniformType? {
    guard let start = number(at: 4, 4), let count = number(at: start, 2) else { return nil }
    var entries: [Int: Int] = [:]
    for index in 0..<count {
      guard let tag = number(at: start + 2 + 12 * index, 2),
        let kind = number(at: start + 4 + 12 * index, 2),
        let value = number(at: start + 10 + 12 * index, kind == 3 ? 2 : 4)
      else { break }
      entries[tag] = value
    }
    if entries[0xC612] != nil { return .dng }
    // Sensor data by its photometry or by the makers' own compressions.
    let isSensorData =
      SensorData.photometries.contains(entries[0x0106] ?? 0)
      || SensorData.compressions.contains(entries[0x0103] ?? 0)
    // A small picture with others below it is how cameras begin.
    let isPreview = entries[0x00FE] == 1 && entries[0x014A] != nil
    return isSensorData || isPreview ? .rawImage : nil
  }

  private func number(at offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let piece = bytes[offset..<(offset + count)]
    return (bigEndian ? Array(piece) : piece.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
