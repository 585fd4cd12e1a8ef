/// Numbers and boxes of an ISO base media file, read without running off their end.
struct BoxReader: Hashable, Sendable {
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
    guard position < end else { return nil }
    let head = Array(bytes[position..<min(end, position + Box.longestHead)])
    guard let box = Box(head, at: position, end: end), box.whole.upperBound <= end else {
      return nil
    }
    position = box.whole.upperBound
    return box
  }

  /// All boxes from here to the first that is none.
  func boxes() -> [Box] {
    var reader = self
    var found: [Box] = []
    while let box = reader.box() { found.append(box) }
    return found
  }

  /// All boxes up to the end; nil when something there is none.
  func onlyBoxes() -> [Box]? {
    var reader = self
    var found: [Box] = []
    while reader.position <= end - Box.shortestHead {
      guard let box = reader.box() else { return nil }
      found.append(box)
    }
    return found
  }
}

extension BoxReader {
  /// A box by its place in the bytes (ISO/IEC 14496-12, 4.2).
  struct Box: Hashable, Sendable {
    static let shortestHead = 8
    static let longestHead = 16

    var type: String
    /// In what is cut off it reaches beyond the end, and beyond every number where its size is not there.
    private(set) var whole: Range<Int>
    /// Without the head.
    private(set) var body: Range<Int>
    /// Whether it says no size, and goes as far as what it is in.
    let isOpen: Bool

    /// nil for what is no box: too few bytes, or less than its own head.
    ///
    /// `head`: its first sixteen bytes or as many as there are; `end`: of what it is in.
    init?(_ head: [UInt8], at position: Int, end: Int) {
      var reader = BoxReader(head)
      guard var size = reader.number(4), let type = reader.code() else { return nil }
      var headSize = Self.shortestHead
      isOpen = size == 0
      if isOpen {
        size = end - position
      } else if size == 1 {
        size = reader.number(8) ?? .max
        headSize = Self.longestHead
      }
      guard size >= headSize else { return nil }
      let (last, isBeyond) = position.addingReportingOverflow(size)
      self.type = type
      whole = position..<(isBeyond ? .max : last)
      body = (position + headSize)..<whole.upperBound
    }

    /// Ends it where the file does; false when that lies in its head.
    mutating func cut(to end: Int) -> Bool {
      guard body.lowerBound <= end else { return false }
      whole = whole.clamped(to: whole.lowerBound..<end)
      body = body.clamped(to: body.lowerBound..<end)
      return true
    }
  }
}

extension FileBytes {
  /// The box that begins at a place of the file; nil for what is none, and at the end.
  func box(at position: Int) -> BoxReader.Box? {
    guard position >= 0, position < count else { return nil }
    let head = copy(position..<min(count, position + BoxReader.Box.longestHead))
    return BoxReader.Box(head, at: position, end: count)
  }
}
