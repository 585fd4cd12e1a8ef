/// Files that no encoder at hand writes, byte by byte from their specifications.
enum HandMade {
  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// TIFF 6.0, section 16: one strip of uncompressed CMYK.
  static func cmykTIFF(
    width: Int, height: Int, _ ink: (Int, Int, Int) -> UInt8
  ) -> [UInt8] {
    let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 3, 1, width), (257, 3, 1, height), (258, 3, 4, 8 + 2 + 12 * 9 + 4), (259, 3, 1, 1),
      (262, 3, 1, 5), (273, 4, 1, 8 + 2 + 12 * 9 + 4 + 8), (277, 3, 1, 4), (278, 3, 1, height),
      (279, 4, 1, width * height * 4),
    ]
    var bytes: [UInt8] = Array("II".utf8) + little(42, 2) + little(8, 4)
    bytes += little(entries.count, 2)
    for entry in entries {
      bytes += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
      bytes += little(entry.value, 4)
    }
    bytes += little(0, 4) + little(8, 2) + little(8, 2) + little(8, 2) + little(8, 2)
    for y in 0..<height {
      for x in 0..<width { for band in 0..<4 { bytes.append(ink(x, y, band)) } }
    }
    return bytes
  }

  /// GIF89a with frames of four colours whose codes are never compressed: each is 3 bits wide, and the
  /// table is cleared before it could grow.
  static func gif(width: Int, height: Int, frames: Int, _ colour: (Int, Int, Int) -> Int) -> [UInt8]
  {
    var bytes: [UInt8] = Array("GIF89a".utf8) + little(width, 2) + little(height, 2)
    bytes += [0x81, 0, 0]
    bytes += [0, 0, 0, 255, 0, 0, 0, 0, 255, 255, 255, 255]
    for frame in 0..<frames {
      bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
      bytes += [0x2C, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [0, 2]
      var codes: [Int] = []
      for index in 0..<(width * height) {
        if index % 2 == 0 { codes.append(4) }
        codes.append(colour(index % width, index / width, frame))
      }
      codes.append(5)
      var data: [UInt8] = []
      var bits = 0
      var held = 0
      for code in codes {
        held |= code << bits
        bits += 3
        while bits >= 8 {
          data.append(UInt8(held & 0xFF))
          held >>= 8
          bits -= 8
        }
      }
      if bits > 0 { data.append(UInt8(held & 0xFF)) }
      for start in stride(from: 0, to: data.count, by: 255) {
        let block = data[start..<min(start + 255, data.count)]
        bytes += [UInt8(block.count)] + block
      }
      bytes.append(0)
    }
    return bytes + [0x3B]
  }
}

extension HandMade {
  /// CRC-32 of ISO 3309, as PNG ends its chunks.
  static func crc(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~value >> (24 - 8 * $0)) }
  }
}

extension HandMade {
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  /// A PNG with more chunks right after its header.
  static func png(_ bytes: [UInt8], adding chunks: [(String, [UInt8])]) -> [UInt8] {
    let header = 8 + 25
    let added = chunks.flatMap { name, data in
      let body = Array(name.utf8) + data
      return big(data.count, 4) + body + crc(body[...])
    }
    return Array(bytes[..<header]) + added + bytes[header...]
  }
}

extension HandMade {
  /// TIFF 6.0: one row of 16-bit grey, RGB or CMYK, with an ICC profile (tag 34675).
  static func deepTIFF(
    width: Int, channels: Int, samples: [UInt16], profile: [UInt8]?
  ) -> [UInt8] {
    let count = profile == nil ? 9 : 10
    let depths = 8 + 2 + 12 * count + 4
    let pixels = depths + 2 * channels
    let end = pixels + 2 * samples.count
    var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 4, 1, width), (257, 3, 1, 1),
      (258, 3, channels, channels == 1 ? 16 : depths), (259, 3, 1, 1),
      (262, 3, 1, channels == 1 ? 1 : channels == 3 ? 2 : 5), (273, 4, 1, pixels),
      (277, 3, 1, channels), (278, 3, 1, 1), (279, 4, 1, 2 * samples.count),
    ]
    if let profile { entries.append((34_675, 7, profile.count, end)) }
    var bytes: [UInt8] = Array("II".utf8) + little(42, 2) + little(8, 4)
    bytes += little(entries.count, 2)
    for entry in entries {
      bytes += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
      bytes += little(entry.value, 4)
    }
    bytes += little(0, 4)
    for _ in 0..<channels { bytes += little(16, 2) }
    for sample in samples { bytes += little(Int(sample), 2) }
    return bytes + (profile ?? [])
  }
}
