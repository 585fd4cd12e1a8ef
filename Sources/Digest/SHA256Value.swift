/// A SHA-256 digest.
package struct SHA256Value: Hashable, Sendable {
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// nil when there are not 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// From 64 hexadecimal digits of either case; nil for anything else.
  package init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count == 2 * Self.byteCount else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  package static func of(_ bytes: [UInt8]) -> SHA256Value {
    unsafe bytes.withUnsafeBytes { unsafe of($0) }
  }

  package static func of(_ buffer: UnsafeRawBufferPointer) -> SHA256Value {
    let digest = SHA256Digest()
    unsafe digest.update(buffer)
    return digest.finalize()
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension SHA256Value: CustomStringConvertible {
  package var description: String { hex }
}
