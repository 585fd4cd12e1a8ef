/// One line of JSON Lines.
struct ManifestLine {
  /// Counted from 1.
  var number: Int
  /// Byte of the file at which the line begins.
  var offset: Int
  /// Without its line feed. Empty for a line that is too long.
  var text: ArraySlice<UInt8>
  var isTooLong = false

  /// Nothing but spaces: allowed anywhere and without meaning.
  var isBlank: Bool {
    !isTooLong && text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}

/// The lines of a text, one after the other, with only a piece of it in memory.
///
/// Let go of a line's text before asking for the next: the piece is then reused, not copied.
struct LineReader {
  static let pieceLength = 1 << 20
  /// Longer lines are reported and passed over.
  static let longestLine = 16 << 20

  private let bytes: ManifestBytes
  private var buffer: [UInt8] = []
  /// Where the next line begins in the buffer.
  private var start = 0
  /// Bytes of the buffer that are known to have no line feed.
  private var scanned = 0
  private var fileOffset: Int
  private var number: Int
  private var isAtEnd = false
  private let onBytes: (([UInt8]) -> Void)?

  /// Reads from a line that is known to begin at an offset.
  init(
    _ bytes: ManifestBytes, from offset: Int = 0, line: Int = 1,
    onBytes: (([UInt8]) -> Void)? = nil
  ) {
    self.bytes = bytes
    fileOffset = offset
    number = line
    self.onBytes = onBytes
  }

  /// nil at the end. A last line without line feed is a line.
  mutating func next() throws(ManifestError) -> ManifestLine? {
    while true {
      if let end = lineFeed() {
        let line = ManifestLine(number: number, offset: fileOffset, text: buffer[start..<end])
        advance(to: end + 1)
        return line
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        let line = ManifestLine(number: number, offset: fileOffset, text: buffer[start...])
        advance(to: buffer.count)
        return line
      }
      if buffer.count - start > Self.longestLine { return try passLongLine() }
      try fill()
    }
  }

  private mutating func lineFeed() -> Int? {
    let found = buffer[max(start, scanned)...].firstIndex(of: UInt8(ascii: "\n"))
    if found == nil { scanned = buffer.count }
    return found
  }

  private mutating func advance(to index: Int) {
    fileOffset += index - start
    number += 1
    start = index
    scanned = index
  }

  private mutating func fill() throws(ManifestError) {
    buffer.removeSubrange(..<start)
    scanned -= start
    start = 0
    let before = buffer.count
    let count = try bytes.append(
      to: &buffer, at: fileOffset + before, count: Self.pieceLength)
    isAtEnd = count < Self.pieceLength
    if let onBytes, count > 0 { onBytes(Array(buffer[before...])) }
  }

  private mutating func passLongLine() throws(ManifestError) -> ManifestLine {
    let line = ManifestLine(number: number, offset: fileOffset, text: [], isTooLong: true)
    while true {
      if let end = lineFeed() {
        advance(to: end + 1)
        return line
      }
      if isAtEnd {
        advance(to: buffer.count)
        return line
      }
      fileOffset += buffer.count - start
      start = buffer.count
      try fill()
    }
  }
}
