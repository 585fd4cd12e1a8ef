/// The index of a JPEG that holds several pictures, as CIPA DC-007 has it.
struct MultiPictureIndex: Hashable, Sendable {
  /// Type codes of all pictures but the first.
  private(set) var others: [Int] = []
  /// Where each picture lies in the file, the first as well.
  private(set) var places: [Range<Int>] = []

  private enum Tag { static let entries = 0xB002 }
  private static let entryLength = 16

  /// From the bytes after `MPF` and its zero; nil when they make no sense.
  ///
  /// `start`: where they stand in the file, which is what the index counts from.
  init?(_ bytes: [UInt8], at start: Int) {
    let base = start
    let isLittle = bytes.starts(with: Array("II*\0".utf8))
    guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - count else { return nil }
      let piece = Array(bytes[offset..<(offset + count)])
      return (isLittle ? piece.reversed() : piece).reduce(0) { $0 << 8 | Int($1) }
    }

    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<count {
      let offset = directory + 2 + 12 * entry
      guard number(offset, 2) == Tag.entries, let length = number(offset + 4, 4),
        let start = number(offset + 8, 4)
      else { continue }
      let attributes = (0..<min(256, length / Self.entryLength)).compactMap {
        number(start + Self.entryLength * $0, 4)
      }
      others = attributes.dropFirst().map { $0 & 0xFF_FFFF }
      places = attributes.indices.compactMap { index in
        let entry = start + Self.entryLength * index
        guard let length = number(entry + 4, 4), let offset = number(entry + 8, 4) else {
          return nil
        }
        let place = index == 0 ? 0 : base + offset
        return place..<(place + length)
      }
      return
    }
    return nil
  }

  /// Whether pictures follow that a viewer would show beside the first: a panorama's, another eye's.
  var hasViews: Bool { others.contains { $0 >> 16 == 2 } }
  var hasThumbnail: Bool { others.contains { $0 >> 16 == 1 } }
  /// Pictures of no stated kind: gain maps, depth maps and whatever makers add.
  var hasUnnamed: Bool { others.contains { $0 >> 16 == 0 } }
}

extension JPEGStructure {
  /// Whether pictures that the index announces are not there, or not all of them.
  ///
  /// An index that fits nothing else either was left over by a program that has written the first picture
  /// anew, and announces nothing.
  mutating func lookForPictures(_ bytes: borrowing FileBytes, firstEnd: Int) {
    guard let places = index?.places, let first = places.first else { return }
    func begins(_ place: Range<Int>) -> Bool {
      place.lowerBound + 2 <= bytes.count && bytes[place.lowerBound] == 0xFF
        && bytes[place.lowerBound + 1] == 0xD8
    }
    let others = places.dropFirst().filter { !$0.isEmpty }
    guard first.upperBound == firstEnd || others.contains(where: begins) else { return }
    lacksPictures = others.contains { $0.upperBound > bytes.count }
  }

  /// What a rendition of the first picture lacks.
  package var losses: [String] {
    var losses: [String] = []
    if hasGainMap { losses.append("gainMap") }
    if hasDepth { losses.append("depth") }
    if let index {
      if index.hasViews { losses.append("pages") }
      if index.hasThumbnail { losses.append("thumbnail") }
      if index.hasUnnamed && !hasGainMap && !hasDepth { losses.append("auxiliaryImages") }
    }
    if hasVideo { losses.append("motionVideo") }
    if !pixelsAreSquare { losses.append("pixelAspect") }
    return losses
  }

  /// What it is beside a JPEG.
  var notes: [String] {
    if index?.hasViews == true { return ["a multi-picture file (MPO), of which the first is used"] }
    return hasGainMap ? ["a JPEG with a gain map (Ultra HDR)"] : []
  }
}
