import RenderModel

/// Writes values in few bytes: variable-length integers, raw digests.
struct PackedWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Seven bits a byte, low ones first.
  mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func signed(_ value: Int64) {
    unsigned(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func blob(_ value: some Collection<UInt8>) {
    unsigned(UInt64(value.count))
    bytes += value
  }

  mutating func flag(_ value: Bool) { byte(value ? 1 : 0) }

  /// 64 lower-case hexadecimal digits take 33 bytes; other text is kept as it is.
  mutating func digest(_ text: String?) {
    guard let text else { return byte(0) }
    if let raw = Self.rawDigest(text) {
      byte(1)
      bytes += raw
    } else {
      byte(2)
      blob(text.utf8)
    }
  }

  /// A path as what it shares with `base` and the rest.
  mutating func path(_ path: RelativePath, beside base: RelativePath) {
    let shared = zip(path.bytes, base.bytes).prefix { $0 == $1 }.count
    unsigned(UInt64(shared))
    blob(path.bytes.dropFirst(shared))
  }

  mutating func identity(_ identity: FileIdentity?) {
    guard let identity else { return byte(0) }
    byte(1)
    unsigned(identity.inode)
    signed(identity.size)
    signed(identity.modified)
    signed(identity.changed &- identity.modified)
  }

  private static func rawDigest(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var raw: [UInt8] = []
    for position in stride(from: 0, to: 64, by: 2) {
      guard let high = nibble(digits[position]), let low = nibble(digits[position + 1]) else {
        return nil
      }
      raw.append(high << 4 | low)
    }
    return raw
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Reads what `PackedWriter` wrote; past the end everything is zero or empty.
struct PackedReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func unsigned() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let next = byte()
      value |= UInt64(next & 0x7F) << shift
      if next & 0x80 == 0 { break }
      shift += 7
    }
    return value
  }

  mutating func signed() -> Int64 {
    let value = unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func blob() -> ArraySlice<UInt8> {
    let count = Int(clamping: unsigned())
    let piece = rest.prefix(count)
    rest = rest.dropFirst(count)
    return piece
  }

  mutating func text() -> String { String(decoding: blob(), as: UTF8.self) }

  mutating func flag() -> Bool { byte() != 0 }

  mutating func digest() -> String? {
    switch byte() {
    case 1:
      let raw = rest.prefix(32)
      rest = rest.dropFirst(32)
      return String(
        decoding: raw.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }, as: UTF8.self)
    case 2: return text()
    default: return nil
    }
  }

  mutating func path(beside base: RelativePath) -> RelativePath {
    let shared = Int(clamping: unsigned())
    return RelativePath(bytes: Array(base.bytes.prefix(shared)) + blob())
  }

  mutating func identity() -> FileIdentity? {
    guard flag() else { return nil }
    let inode = unsigned()
    let size = signed()
    let modified = signed()
    return FileIdentity(
      inode: inode, size: size, modified: modified, changed: modified &+ signed())
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}
