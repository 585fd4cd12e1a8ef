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
    let start = bytes.count
    byte(1)
    if appendRaw(text) { return }
    bytes.removeSubrange(start...)
    byte(2)
    blob(text.utf8)
  }

  /// A path as what it shares with `base` and the rest.
  mutating func path(_ path: RelativePath, beside base: RelativePath) {
    let (bytes, other) = (path.bytes, base.bytes)
    var shared = 0
    while shared < bytes.count, shared < other.count, bytes[shared] == other[shared] {
      shared += 1
    }
    unsigned(UInt64(shared))
    blob(bytes[shared...])
  }

  mutating func identity(_ identity: FileIdentity?) {
    guard let identity else { return byte(0) }
    byte(1)
    unsigned(identity.inode)
    signed(identity.size)
    signed(identity.modified)
    signed(identity.changed &- identity.modified)
  }

  /// False when the text is no digest; some of it may have been added.
  private mutating func appendRaw(_ text: String) -> Bool {
    guard text.utf8.count == 64 else { return false }
    var high: UInt8?
    for digit in text.utf8 {
      guard let nibble = Self.nibble(digit) else { return false }
      if let first = high {
        bytes.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    return true
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
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func byte() -> UInt8 {
    guard position < bytes.endIndex else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

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

  /// How many values follow; never more than there are bytes.
  mutating func count() -> Int { min(Int(clamping: unsigned()), bytes.endIndex - position) }

  mutating func signed() -> Int64 {
    let value = unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func blob() -> ArraySlice<UInt8> { take(Int(clamping: unsigned())) }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let end = position + min(count, bytes.endIndex - position)
    defer { position = end }
    return bytes[position..<end]
  }

  mutating func text() -> String { String(decoding: blob(), as: UTF8.self) }

  mutating func flag() -> Bool { byte() != 0 }

  mutating func digest() -> String? {
    switch byte() {
    case 1: return Self.hexadecimal(take(32))
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

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hexadecimal(_ raw: ArraySlice<UInt8>) -> String {
    let digits = self.digits
    return unsafe String(unsafeUninitializedCapacity: 2 * raw.count) { room in
      var index = 0
      for byte in raw {
        unsafe room[index] = digits[Int(byte >> 4)]
        unsafe room[index + 1] = digits[Int(byte & 15)]
        index += 2
      }
      return index
    }
  }
}
