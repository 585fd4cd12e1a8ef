/// The checksum of RFC 3720 (Castagnoli), which finds torn and rotten lines; it is no protection
/// against forgers.
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
    }
  }

  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = self.table
    var value: UInt32 = .max
    for byte in bytes {
      value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
    }
    return ~value
  }

  /// Eight lower-case hexadecimal digits.
  static func text(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
