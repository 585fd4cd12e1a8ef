import Testing

@testable import Imaging

@Suite("Sequence headers of AV1")
struct AV1SequenceHeaderTests {
  /// A unit with a size, of bits as the AV1 specification orders them (5.3.2, 5.5.1); spaces don't count.
  private static func unit(_ bits: String) -> [UInt8] {
    var digits = bits.filter { $0 != " " }.map { $0 == "1" ? UInt8(1) : 0 }
    while !digits.count.isMultiple(of: 8) { digits.append(0) }
    let bytes = stride(from: 0, to: digits.count, by: 8).map { start in
      digits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | $1 }
    }
    return [0x0A, UInt8(bytes.count)] + bytes
  }

  /// Level 0, then 64 x 48 pixels in six bits each, no tools.
  private static let picture = "00000 0101 0101 111111 101111 000000 "
  /// Profile 0, a still picture, reduced header.
  private static let plain = "000 1 1 " + picture

  @Test(
    "the range is that of the colour configuration",
    arguments: [
      // Eight bits, colours, no description.
      (plain + "0 0 0 1", true), (plain + "0 0 0 0", false),
      // Described as BT.709 with the matrix of BT.601.
      (plain + "0 0 1 00000001 00001101 00000110 1", true),
      (plain + "0 0 1 00000001 00001101 00000110 0", false),
      // sRGB as it is: always the full range, and no bit says so.
      (plain + "0 0 1 00000001 00001101 00000000", true),
      // Grey.
      (plain + "0 1 0 0", false), (plain + "0 1 0 1", true),
      // Profile 1 has no bit for grey.
      ("001 1 1 " + picture + "0 0 1", true), ("001 1 1 " + picture + "1 0 0", false),
      // Profile 2 with twelve bits.
      ("010 1 1 " + picture + "1 1 0 0 1", true), ("010 1 1 " + picture + "0 0 0 0", false),
    ])
  func range(bits: String, isFull: Bool) throws {
    #expect(try #require(AV1SequenceHeader(Self.unit(bits))).isFullRange == isFull)
  }

  @Test("a header that is not reduced, another unit and none say nothing")
  func unreadable() {
    #expect(AV1SequenceHeader(Self.unit("000 1 0 " + Self.picture + "0 0 0 1")) == nil)
    var other = Self.unit(Self.plain + "0 0 0 1")
    other[0] = 0x12
    #expect(AV1SequenceHeader(other) == nil)
    other[0] = 0x08
    #expect(AV1SequenceHeader(other) == nil)
    #expect(AV1SequenceHeader([]) == nil)
  }

  @Test("a header that ends early says nothing")
  func cut() {
    let whole = Self.unit(Self.plain + "0 0 1 00000001 00001101 00000110 1")
    for length in whole.indices {
      #expect(AV1SequenceHeader(whole.prefix(length)) == nil, "\(length)")
    }
  }

  @Test("an extension of the unit's header is passed over")
  func extended() throws {
    var bytes = Self.unit(Self.plain + "0 0 0 1")
    bytes[0] = 0x0E
    bytes.insert(0, at: 1)
    #expect(try #require(AV1SequenceHeader(bytes)).isFullRange)
  }
}
