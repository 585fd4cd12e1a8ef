/// Numbers and boxes of an ISO base media file, read without running off their end.
struct BoxReader: Hashable, Sendable {
  /// A box by its place in the bytes.
  struct Box: Hashable, Sendable {
    var type: String
    var body: Range<Int>
  }

  private let bytes: [UInt8]
  private(set) var position: Int
  let end: Int

  init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    position = range?.lowerBound ?? 0
    end = min(range?.upperBound ?? bytes.count, bytes.count)
  }

  /// Within a box of these bytes.
  func inside(_ box: Box) -> BoxReader { BoxReader(bytes, in: box.body) }

  var isAtEnd: Bool { position >= end }
  var rest: [UInt8] { position < end ? Array(bytes[position..<end]) : [] }

  /// Big-endian; nil beyond the end.
  mutating func number(_ count: Int) -> Int? {
    guard count >= 0, count <= 8, position <= end - count else { return nil }
    let value = bytes[position..<(position + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value <= UInt64(Int.max) else { return nil }
    position += count
    return Int(value)
  }

  /// Four bytes in two's complement.
  mutating func signed() -> Int? { number(4).map { Int(Int32(truncatingIfNeeded: $0)) } }

  mutating func code() -> String? {
    guard position <= end - 4 else { return nil }
    defer { position += 4 }
    return String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
  }

  /// Up to a zero byte or the end.
  mutating func text() -> String {
    guard position < end else { return "" }
    let text = bytes[position..<end].prefix { $0 != 0 }
    position = min(end, position + text.count + 1)
    return String(decoding: text, as: UTF8.self)
  }

  /// Version and flags of a full box.
  mutating func version() -> (version: Int, flags: Int)? {
    guard let version = number(1), let flags = number(3) else { return nil }
    return (version, flags)
  }

  /// nil at the end and at what is no box.
  mutating func box() -> Box? {
    let start = position
    guard var size = number(4), let type = code() else { return nil }
    if size == 1 {
      guard let large = number(8) else { return nil }
      size = large
    } else if size == 0 {
      size = end - start
    }
    guard size >= position - start, size <= end - start else { return nil }
    defer { position = start + size }
    return Box(type: type, body: position..<(start + size))
  }

  /// All boxes from here to the first that is none.
  func boxes() -> [Box] {
    var reader = self
    var found: [Box] = []
    while let box = reader.box() { found.append(box) }
    return found
  }
}
