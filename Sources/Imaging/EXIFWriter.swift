/// One entry of a directory; its bytes in little-endian order.
struct EXIFEntry: Hashable, Sendable {
  static let main = 0
  static let exif = 2
  static let gps = 3

  /// `main`, `exif` or `gps`.
  var group: Int
  var tag: Int
  /// 1 byte, 2 text, 3 short, 4 long, 5 rational … as TIFF numbers them.
  var type: Int
  var count: Int
  var bytes: [UInt8]

  /// The text without what follows its end; nil when it is no text or empty.
  var text: String? {
    guard type == 2 else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}

extension [EXIFEntry] {
  func text(_ tag: Int, in group: Int) -> String? {
    first { $0.group == group && $0.tag == tag }?.text
  }

  /// A block as JPEG holds it, without the sign before it; nil when there is nothing to say.
  var block: [UInt8]? {
    guard !isEmpty else { return nil }
    var writer = EXIFWriter()
    writer.write(self)
    return [UInt8]("Exif\0\0".utf8) + writer.bytes
  }
}

/// A little-endian TIFF of a main directory and what it points to.
private struct EXIFWriter {
  private(set) var bytes: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
  private static let pointers = [EXIFEntry.exif: 0x8769, EXIFEntry.gps: 0x8825]

  mutating func write(_ entries: [EXIFEntry]) {
    var main = entries.filter { $0.group == EXIFEntry.main }
    let parts = Self.pointers.filter { part in entries.contains { $0.group == part.key } }
    for pointer in parts.values {
      main.append(
        EXIFEntry(group: EXIFEntry.main, tag: pointer, type: 4, count: 1, bytes: [0, 0, 0, 0]))
    }
    let places = directory(main)
    for (group, pointer) in parts.sorted(by: { $0.value < $1.value }) {
      if let place = places[pointer] { put(bytes.count, at: place) }
      _ = directory(entries.filter { $0.group == group })
    }
  }

  /// Gives where the value of each entry, or the offset of it, lies.
  private mutating func directory(_ entries: [EXIFEntry]) -> [Int: Int] {
    var places: [Int: Int] = [:]
    let sorted = entries.sorted { $0.tag < $1.tag }
    append(sorted.count, 2)
    for entry in sorted {
      append(entry.tag, 2)
      append(entry.type, 2)
      append(entry.count, 4)
      places[entry.tag] = bytes.count
      bytes += (entry.bytes + [0, 0, 0, 0]).prefix(4)
    }
    append(0, 4)
    for entry in sorted where entry.bytes.count > 4 {
      if let place = places[entry.tag] { put(bytes.count, at: place) }
      bytes += entry.bytes
      if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
    }
    return places
  }

  private mutating func append(_ value: Int, _ count: Int) {
    bytes += (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private mutating func put(_ value: Int, at place: Int) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}
