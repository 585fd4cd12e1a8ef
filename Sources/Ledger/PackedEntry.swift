/// An entry in few bytes, for ledgers that store bytes; a checksum tells when they are not what they were.
package enum PackedEntry {
  private static let checksumLength = 4

  package static func bytes(of entry: LedgerEntry, _ names: inout InternedNames) -> [UInt8] {
    var writer = PackedWriter()
    entry.write(to: &writer, &names)
    let sum = checksum(writer.bytes[...])
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      writer.byte(UInt8(truncatingIfNeeded: sum >> shift))
    }
    return writer.bytes
  }

  /// nil for bytes that `bytes(of:)` did not give.
  package static func entry(_ bytes: [UInt8], _ names: InternedNames) -> LedgerEntry? {
    guard bytes.count > checksumLength else { return nil }
    let body = bytes.dropLast(checksumLength)
    let stored = bytes.suffix(checksumLength).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard checksum(body) == stored else { return nil }
    var reader = PackedReader(body)
    return LedgerEntry(from: &reader, names)
  }

  /// FNV-1a, 64 bits folded to 32: it finds rotten bytes and is no protection against forgers.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return UInt32(truncatingIfNeeded: hash >> 32 ^ hash)
  }
}
