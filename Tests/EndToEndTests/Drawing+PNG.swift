extension Drawing {
  /// An RGB picture that differs in every pixel and for every seed, written without compression.
  static func png(width: Int, height: Int, seed: Int = 0) -> [UInt8] {
    png(width: width, height: height) { x, y in
      [
        UInt8(truncatingIfNeeded: x &* 9 &+ seed &* 31),
        UInt8(truncatingIfNeeded: y &* 13 &+ seed &* 17), UInt8(truncatingIfNeeded: seed),
      ]
    }
  }

  /// A picture of three or four bands, by ISO/IEC 15948, in stored deflate blocks.
  static func png(width: Int, height: Int, _ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
    var raw: [UInt8] = []
    let bands = pixel(0, 0).count
    raw.reserveCapacity(height * (width * bands + 1))
    for y in 0..<height {
      raw.append(0)
      for x in 0..<width { raw += pixel(x, y) }
    }
    let colourType: UInt8 = bands == 4 ? 6 : 2
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, colourType, 0, 0, 0])
      + chunk("IDAT", stored(raw)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(65_535)
      rest = rest.dropFirst(piece.count)
      let low = UInt8(piece.count & 255)
      let high = UInt8(piece.count >> 8)
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + piece
    } while !rest.isEmpty
    return result + bigEndian(Int(adler32(bytes)))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    let table = crcTable
    return ~bytes.reduce(UInt32.max) { value, byte in
      value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
    }
  }
}
