/// One directory of a TIFF file or an Exif block, read without running off its end.
struct TagDirectory: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var tag: Int
    var type: Int
    var count: Int
    /// Where the entry itself stands.
    var position: Int
    /// Where its values stand, and how many bytes they are.
    var values: Range<Int>
  }

  var entries: [Entry] = []
  /// The offset of the directory after this one; 0 when there is none.
  var next = 0
  /// Where that offset stands; nil where the bytes end before it, as blocks of some writers do.
  var nextPosition: Int?

  func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
}

/// How numbers are written in a TIFF, and where its first directory is.
struct TagHeader: Hashable, Sendable {
  var bigEndian: Bool
  /// BigTIFF: offsets of 8 bytes.
  var isBig: Bool
  var first: Int

  /// nil when the bytes do not begin with one.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == 0x4D || bytes[0] == 0x49 else {
      return nil
    }
    bigEndian = bytes[0] == 0x4D
    isBig = false
    first = 0
    switch number(bytes, 2, 2) {
    case 42: first = number(bytes, 4, 4) ?? 0
    case 43:
      isBig = true
      guard let offset = number(bytes, 8, 8) else { return nil }
      first = offset
    default: return nil
    }
  }

  /// nil beyond the end, and when it is larger than any file.
  func number(_ bytes: Span<UInt8>, _ offset: Int, _ length: Int) -> Int? {
    guard offset >= 0, length <= 8, offset <= bytes.count - length else { return nil }
    var value: UInt64 = 0
    for index in 0..<length {
      value = value << 8 | UInt64(bytes[offset + (bigEndian ? index : length - 1 - index)])
    }
    return Int(exactly: value)
  }

  func bytes(of value: Int, _ length: Int) -> [UInt8] {
    let little = (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? little.reversed() : little
  }

  /// nil when the directory itself is not all there; entries whose values are not are left out.
  func directory(_ bytes: Span<UInt8>, at offset: Int) -> TagDirectory? {
    let countLength = isBig ? 8 : 2
    let entryLength = isBig ? 20 : 12
    let word = isBig ? 8 : 4
    guard offset > 0, let count = number(bytes, offset, countLength), count <= 65_535 else {
      return nil
    }
    let start = offset + countLength
    let end = start + count * entryLength
    guard end <= bytes.count else { return nil }
    var directory = TagDirectory()
    if end <= bytes.count - word {
      guard let next = number(bytes, end, word) else { return nil }
      directory.next = next
      directory.nextPosition = end
    }
    directory.entries.reserveCapacity(count)
    for index in 0..<count {
      let position = start + index * entryLength
      guard let tag = number(bytes, position, 2), let type = number(bytes, position + 2, 2),
        let values = number(bytes, position + 4, word)
      else { return nil }
      let (length, overflows) = values.multipliedReportingOverflow(by: Self.size(of: type))
      guard !overflows else { continue }
      let field = position + 4 + word
      guard let place = length <= word ? field : number(bytes, field, word),
        place <= bytes.count - length
      else { continue }
      directory.entries.append(
        TagDirectory.Entry(
          tag: tag, type: type, count: values, position: position,
          values: place..<(place + length)))
    }
    return directory
  }

  /// The directory that an entry of another one points to.
  func directory(_ bytes: Span<UInt8>, from entry: TagDirectory.Entry?) -> TagDirectory? {
    guard let entry, let offset = integer(bytes, entry) else { return nil }
    return directory(bytes, at: offset)
  }

  /// The first of an entry's values, however many it has.
  func integer(_ bytes: Span<UInt8>, _ entry: TagDirectory.Entry) -> Int? {
    var first = entry
    first.values = entry.values.prefix(Self.size(of: entry.type))
    return integers(bytes, first).first
  }

  /// The values of BYTE, SHORT, LONG, LONG8 and IFD entries; none of others.
  func integers(_ bytes: Span<UInt8>, _ entry: TagDirectory.Entry) -> [Int] {
    let size = Self.size(of: entry.type)
    guard [1, 3, 4, 13, 16, 18].contains(entry.type), size > 0 else { return [] }
    return stride(from: entry.values.lowerBound, to: entry.values.upperBound, by: size)
      .map { number(bytes, $0, size) ?? 0 }
  }

  /// The bytes of a type; 1 for those that are not known.
  static func size(of type: Int) -> Int {
    switch type {
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: 1
    }
  }
}

extension Span<UInt8> {
  /// A copy of a part; what lies beyond the end is left out.
  func copy(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      for (index, offset) in range.enumerated() { unsafe buffer[index] = self[offset] }
      filled = range.count
    }
  }

  func has(_ wanted: [UInt8], at offset: Int) -> Bool {
    guard offset >= 0, offset <= count - wanted.count else { return false }
    for index in wanted.indices where self[offset + index] != wanted[index] { return false }
    return true
  }
}
