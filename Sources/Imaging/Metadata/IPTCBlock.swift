/// The datasets of an IPTC block (IIM 4), which stand one after the other.
enum IPTCBlock {
  struct Dataset: Hashable {
    var record: UInt8
    var number: UInt8
    var range: Range<Int>
  }

  /// nil when the block is broken; zeros after the last dataset are no break.
  static func datasets(_ bytes: [UInt8]) -> [Dataset]? {
    var result: [Dataset] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position] == 0x1C else {
        return bytes[position...].allSatisfy({ $0 == 0 }) ? result : nil
      }
      guard position + 5 <= bytes.count else { return nil }
      var length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      var start = position + 5
      if length & 0x8000 != 0 {
        // The length of the length.
        let digits = length & 0x7FFF
        guard digits <= 4, start + digits <= bytes.count else { return nil }
        length = bytes[start..<(start + digits)].reduce(0) { $0 << 8 | Int($1) }
        start += digits
      }
      guard length <= bytes.count - start else { return nil }
      result.append(
        Dataset(
          record: bytes[position + 1], number: bytes[position + 2],
          range: position..<(start + length)))
      position = start + length
    }
    return result
  }

  /// The block with only some of its datasets; nil when it is broken or nothing is left.
  static func filtered(_ bytes: [UInt8], _ keeps: (Dataset) -> Bool) -> [UInt8]? {
    guard let all = datasets(bytes) else { return nil }
    let kept = all.filter(keeps)
    // Version and character set alone say nothing.
    guard kept.contains(where: { $0.record == 2 && $0.number != 0 }) else { return nil }
    return kept.flatMap { bytes[$0.range] }
  }

  /// City, sublocation, province, country and location codes.
  static func isPlace(_ dataset: Dataset) -> Bool {
    dataset.record == 2 && [26, 27, 90, 92, 95, 100, 101].contains(dataset.number)
  }

  /// Author, credit, source, rights and dates of creation, and what is needed to read them.
  static func isMinimal(_ dataset: Dataset) -> Bool {
    dataset.record == 1 && dataset.number == 90
      || dataset.record == 2 && [0, 55, 60, 80, 85, 110, 115, 116].contains(dataset.number)
  }
}

/// Photoshop's image resources, in which JPEG and TIFF carry IPTC.
enum PhotoshopResources {
  private static let iptcNumber = 0x0404

  /// The IPTC block, and whether there are clipping paths.
  static func read(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (iptc: [UInt8]?, hasPaths: Bool) {
    var iptc: [UInt8]?
    var hasPaths = false
    var position = range.lowerBound
    let end = min(range.upperBound, bytes.count)
    while position + 12 <= end, bytes.has(Array("8BIM".utf8), at: position) {
      let number = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
      // A name of any length, padded to an even number of bytes with its count.
      let name = (Int(bytes[position + 6]) + 2) & ~1
      let start = position + 6 + name
      guard start + 4 <= end else { break }
      let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
      guard length <= end - start - 4 else { break }
      if number == iptcNumber, length > 0 {
        iptc = (iptc ?? []) + bytes.copy((start + 4)..<(start + 4 + length))
      }
      if (2000...2998).contains(number) { hasPaths = true }
      position = start + 4 + (length + 1) & ~1
    }
    return (iptc, hasPaths)
  }

  static func holding(iptc: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: iptc.count >> (24 - 8 * $0)) }
    return Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + iptc
      + (iptc.count % 2 == 1 ? [0] : [])
  }
}
