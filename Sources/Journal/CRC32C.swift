/// The checksum of RFC 3720 (Castagnoli), which finds torn and rotten lines; it is no protection
/// against forgers.
package enum CRC32C {
  /// Row n, entry b: what a byte b does to the sum of n more bytes behind it. All rows, one after the other.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { (byte: UInt32) in
      (0..<8).reduce(byte) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
      }
    }
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()

  package static func checksum(_ bytes: some Collection<UInt8>) -> UInt32 {
    let sum = bytes.withContiguousStorageIfAvailable { unsafe checksum(of: $0) }
    return sum ?? checksum(Array(bytes))
  }

  /// Eight bytes at a time: a journal is read as fast as its lines can be checked.
  private static func checksum(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    unsafe tables.withUnsafeBufferPointer { tables in
      var value = UInt32.max
      var index = 0
      while index + 8 <= bytes.count {
        var next: UInt32 = 0
        for place in 0..<8 {
          let byte = unsafe bytes[index + place]
          let mixed =
            place < 4 ? byte ^ UInt8(truncatingIfNeeded: value >> UInt32(8 * place)) : byte
          next ^= unsafe tables[(7 - place) << 8 | Int(mixed)]
        }
        value = next
        index += 8
      }
      while index < bytes.count {
        let mixed = UInt8(truncatingIfNeeded: value) ^ (unsafe bytes[index])
        value = unsafe value >> 8 ^ tables[Int(mixed)]
        index += 1
      }
      return ~value
    }
  }

  /// Eight lower-case hexadecimal digits.
  static func text(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
