/// The sequence header of an AV1 stream (AV1 specification, 5.5), as far as to its colours.
struct AV1SequenceHeader: Hashable, Sendable {
  let isFullRange: Bool
  let matrix: Int

  /// From the units that follow a decoder's configuration; nil when there is none, or one with timing.
  init?(_ units: some Sequence<UInt8>) {
    var bits = BitReader(Array(units))
    // One unit: its type is 1, and it has a size that is below 128 here.
    guard let head = bits.read(8), head >> 3 & 15 == 1, head & 2 != 0 else { return nil }
    if head & 4 != 0 { _ = bits.read(8) }
    guard let size = bits.read(8), size < 128, let profile = bits.read(3), bits.read(1) != nil,
      let isReduced = bits.read(1)
    else { return nil }
    if isReduced == 1 {
      guard bits.read(5) != nil else { return nil }
    } else {
      // Timing is for video.
      guard bits.read(1) == 0, let hasDelay = bits.read(1), hasDelay == 0,
        let points = bits.read(5)
      else { return nil }
      for _ in 0...points {
        guard bits.read(12) != nil, let level = bits.read(5) else { return nil }
        if level > 7 { _ = bits.read(1) }
      }
    }
    guard let widthBits = bits.read(4), let heightBits = bits.read(4),
      bits.read(widthBits + 1) != nil, bits.read(heightBits + 1) != nil
    else { return nil }
    if isReduced == 0, bits.read(1) == 1 { _ = bits.read(7) }
    _ = bits.read(3)
    if isReduced == 0 {
      _ = bits.read(4)
      let hasOrderHint = bits.read(1) == 1
      if hasOrderHint { _ = bits.read(2) }
      var forcesScreen = 2
      if bits.read(1) == 0 { forcesScreen = bits.read(1) ?? 0 }
      if forcesScreen > 0, bits.read(1) == 0 { _ = bits.read(1) }
      if hasOrderHint { _ = bits.read(3) }
    }
    _ = bits.read(3)
    guard let colours = Self.colours(&bits, profile) else { return nil }
    (matrix, isFullRange) = colours
  }

  /// The colour configuration (5.5.2).
  private static func colours(
    _ bits: inout BitReader, _ profile: Int
  ) -> (matrix: Int, isFullRange: Bool)? {
    guard let isDeep = bits.read(1) else { return nil }
    if profile == 2 && isDeep == 1 { _ = bits.read(1) }
    let isMonochrome = profile == 1 ? 0 : bits.read(1) ?? 0
    var codes = (2, 2, 2)
    if bits.read(1) == 1 {
      guard let first = bits.read(8), let second = bits.read(8), let third = bits.read(8)
      else { return nil }
      codes = (first, second, third)
    }
    if isMonochrome == 0 && codes == (1, 13, 0) { return (0, true) }
    return bits.read(1).map { (codes.2, $0 == 1) }
  }
}

/// Bits from the high one down.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// nil beyond the end.
  mutating func read(_ count: Int) -> Int? {
    guard count >= 0, count <= 32, position + count <= bytes.count * 8 else { return nil }
    var value = 0
    for index in position..<(position + count) {
      value = value << 1 | Int(bytes[index / 8] >> (7 - UInt8(index % 8)) & 1)
    }
    position += count
    return value
  }
}
