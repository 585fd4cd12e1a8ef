/// Boxes of the ISO base media format, read without running off their end.
enum HEIFBoxes {
  struct Box: Hashable {
    var type: String
    var whole: Range<Int>
    var payload: Range<Int>
  }

  /// nil when a box reaches beyond its parent.
  static func read(_ bytes: [UInt8], _ range: Range<Int>) -> [Box]? {
    var boxes: [Box] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      var length = number(bytes, position, 4)
      var start = position + 8
      if length == 1 {
        guard position + 16 <= range.upperBound else { return nil }
        length = number(bytes, position + 8, 8)
        start = position + 16
      } else if length == 0 {
        length = range.upperBound - position
      }
      guard length >= start - position, length <= range.upperBound - position else { return nil }
      let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      boxes.append(
        Box(
          type: type, whole: position..<(position + length), payload: start..<(position + length)))
      position += length
    }
    return boxes
  }

  /// The caller sees to it that the bytes are there; 0 when the number is too large.
  static func number(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> Int {
    let value = bytes[offset..<(offset + length)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int(exactly: value) ?? 0
  }

  static func bytes(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
  }

  static func made(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    bytes(payload.count + 8, 4) + Array(type.utf8) + payload
  }
}

/// A number after the other, each only if it is there.
struct FieldReader {
  private let bytes: [UInt8]
  private let end: Int
  private(set) var position: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = min(range.upperBound, bytes.count)
  }

  mutating func number(_ length: Int) throws(LibraryError) -> Int {
    guard length <= end - position else { throw LibraryError(text: "a box is cut off") }
    defer { position += length }
    return HEIFBoxes.number(bytes, position, length)
  }

  mutating func text(_ length: Int) throws(LibraryError) -> String {
    guard length <= end - position else { throw LibraryError(text: "a box is cut off") }
    defer { position += length }
    return String(decoding: bytes[position..<(position + length)], as: UTF8.self)
  }

  /// Up to a zero, which is passed over.
  mutating func string() -> String {
    let start = position
    while position < end, bytes[position] != 0 { position += 1 }
    defer { position = min(position + 1, end) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}
