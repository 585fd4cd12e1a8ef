/// The maker notes of Apple's cameras: a directory whose offsets count from the note's own start.
enum AppleMakerNote {
  private static let sign = Array("Apple iOS\0".utf8)
  private static let headerLength = 14
  /// Entries that pair the picture with a video (0x11, 0x17, 0x2F), describe a gain map (0x21, 0x30)
  /// or belong to frames that are elsewhere (0x0B).
  private static let promises: Set<Int> = [0x0B, 0x11, 0x17, 0x21, 0x2F, 0x30]

  static func isOne(_ note: [UInt8]) -> Bool { note.starts(with: sign) }

  /// The note without what is promised in it, of the same length; nil when it is broken.
  static func withoutPromises(_ note: [UInt8]) -> [UInt8]? {
    guard note.count > headerLength + 2 else { return nil }
    // The directory is read as that of a TIFF whose header lies where the note's does.
    var framed = note
    let order: [UInt8] = note[12] == 0x49 ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    framed.replaceSubrange(0..<4, with: order)
    let span = framed.span
    guard let header = TagHeader(span), let directory = header.directory(span, at: headerLength),
      let end = directory.nextPosition
    else { return nil }
    var result = note
    var kept: [UInt8] = []
    var count = 0
    for entry in directory.entries {
      if promises.contains(entry.tag) {
        result.replaceSubrange(
          entry.values, with: [UInt8](repeating: 0, count: entry.values.count))
      } else {
        kept += note[entry.position..<(entry.position + 12)]
        count += 1
      }
    }
    let start = headerLength + 2
    result.replaceSubrange(headerLength..<start, with: header.bytes(of: count, 2))
    let rest = [UInt8](repeating: 0, count: end - start - kept.count)
    result.replaceSubrange(start..<end, with: kept + rest)
    return result
  }
}
