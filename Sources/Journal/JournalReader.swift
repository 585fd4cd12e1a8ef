import Glibc
package import RenderModel
package import SystemSupport

/// Reads a journal line by line in bounded memory and passes over what cannot be believed.
package struct JournalReader {
  package struct CorruptLine: Equatable, Sendable {
    /// Counted from 1.
    package var number: Int
    package var flaw: JournalLine.Flaw
  }

  /// Longer lines are corrupt: a job has at most some hundred names.
  package static let longestLine = 16 << 20

  /// The first hundred lines that were passed over; `corruptCount` counts all.
  package private(set) var corrupt: [CorruptLine] = []
  package private(set) var corruptCount = 0
  /// Bytes after the last newline: a line that was being written when the run died.
  package private(set) var tornBytes = 0
  /// Bytes up to the end of the last line that has its newline.
  package private(set) var wholeLength: Int64 = 0

  private let descriptor: OwnedDescriptor
  private let longestLine: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var lineNumber = 0
  private var isAtEnd = false

  package init(_ descriptor: OwnedDescriptor) {
    self.init(descriptor, longestLine: Self.longestLine)
  }

  init(_ descriptor: OwnedDescriptor, longestLine: Int) {
    self.descriptor = descriptor
    self.longestLine = longestLine
  }

  /// Opens the journal of a run's folder; nil when the run never came to have one.
  ///
  /// `position` is where to begin: 0 or the end of a line. Lines are counted from there.
  package static func open(
    _ run: Directory, from position: Int64 = 0
  ) throws(JournalError) -> JournalReader? {
    do throws(SystemError) {
      let file = try run.openBeneath(JournalWriter.fileName, flags: O_RDONLY)
      if position > 0 {
        try SystemError.retrying("lseek") { lseek(file.rawValue, off_t(position), SEEK_SET) }
      }
      var reader = JournalReader(file)
      reader.wholeLength = position
      return reader
    } catch let error where error.isNotFound {
      return nil
    } catch {
      throw JournalError(.notReadable, cause: error)
    }
  }

  /// The next line whose checksum fits; nil at the end.
  package mutating func next() throws(JournalError) -> JournalLine? {
    try next { (text) throws(JournalLine.Flaw) in try JournalLine.decode(text) }
  }

  /// The next report; faster than `next`, as intents are only checked.
  package mutating func nextReport() throws(JournalError) -> JobReport? {
    try next { (text) throws(JournalLine.Flaw) in
      guard case .report(let report)? = try JournalLine.decodeUnlessIntent(text) else { return nil }
      return report
    }
  }

  /// The next line that is no intent; faster than `next`, as intents are only checked.
  package mutating func nextUnlessIntent() throws(JournalError) -> JournalLine? {
    try next { (text) throws(JournalLine.Flaw) in try JournalLine.decodeUnlessIntent(text) }
  }

  /// A line as it stands in the file, believed or not.
  package struct RawLine {
    /// Bytes from the journal's beginning.
    package var offset: Int64
    /// With its newline.
    package var length: Int64
    /// Without its newline; nil when it is longer than a line can be.
    package var text: ArraySlice<UInt8>?
  }

  /// The next line that ends with a newline, whatever is in it; nil at the end.
  package mutating func nextRaw() throws(JournalError) -> RawLine? {
    let offset = wholeLength
    guard let text = try nextText() else { return nil }
    lineNumber += 1
    return RawLine(offset: offset, length: wholeLength - offset, text: text)
  }

  /// Passes over what `decode` throws at, and over what it gives nil for.
  private mutating func next<Value>(
    _ decode: (ArraySlice<UInt8>) throws(JournalLine.Flaw) -> Value?
  ) throws(JournalError) -> Value? {
    while let line = try nextText() {
      lineNumber += 1
      do throws(JournalLine.Flaw) {
        guard let line else { throw JournalLine.Flaw.longerThanAllowed }
        if let value = try decode(line) { return value }
      } catch {
        corruptCount += 1
        if corrupt.count < 100 { corrupt.append(CorruptLine(number: lineNumber, flaw: error)) }
      }
    }
    return nil
  }

  /// The next text that ends with a newline: `.some(nil)` for one that is too long, nil at the end.
  private mutating func nextText() throws(JournalError) -> ArraySlice<UInt8>?? {
    var scanned = position
    var dropped = 0
    while true {
      if let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
        let text = buffer[position..<end]
        wholeLength += Int64(dropped + text.count + 1)
        position = end + 1
        return .some(dropped > 0 || text.count > longestLine ? nil : text)
      }
      if buffer.count - position > longestLine {
        dropped += buffer.count - position
        position = buffer.count
      }
      buffer.removeSubrange(..<position)
      position = 0
      scanned = buffer.count
      guard try fill() else {
        tornBytes = dropped + buffer.count
        buffer = []
        return nil
      }
    }
  }

  private mutating func fill() throws(JournalError) -> Bool {
    guard !isAtEnd else { return false }
    let descriptor = self.descriptor
    let piece = try JournalError.wrapping(.notReadable) { () throws(SystemError) -> [UInt8] in
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = try unsafe room.withUnsafeMutableBufferPointer {
        (room) throws(SystemError) -> Int in
        try unsafe FileTransfer.read(descriptor, into: UnsafeMutableRawBufferPointer(room))
      }
      return Array(room[..<count])
    }
    buffer += piece
    isAtEnd = piece.isEmpty
    return !isAtEnd
  }
}
