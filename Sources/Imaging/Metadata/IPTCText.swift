/// The texts of an IPTC block, which are in Latin-1 or UTF-8 as it says, or as they look.
enum IPTCText {
  /// The block with its texts in UTF-8, and saying so.
  static func inUTF8(_ bytes: [UInt8]) -> [UInt8] {
    guard let datasets = IPTCBlock.datasets(bytes) else { return bytes }
    // ESC % G.
    var result: [UInt8] = [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47]
    for dataset in datasets where dataset.record != 1 || dataset.number != 90 {
      let whole = Array(bytes[dataset.range])
      let isLong = whole[3] & 0x80 != 0
      let text = whole.dropFirst(5)
      if isLong || dataset.number == 0 || String(validating: text, as: UTF8.self) != nil {
        result += whole
        continue
      }
      let converted = text.flatMap { Array(String(UnicodeScalar($0)).utf8) }
      guard converted.count < 0x8000 else { continue }
      result += whole[..<3]
      result += [UInt8(converted.count >> 8), UInt8(truncatingIfNeeded: converted.count)]
      result += converted
    }
    return result
  }
}
