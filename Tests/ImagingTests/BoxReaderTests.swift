import Testing

@testable import Imaging

/// Boxes as ISO/IEC 14496-12 has them in 4.2: four bytes of size, the type, and eight of size after a 1.
@Suite("Boxes")
struct BoxReaderTests {
  private static func box(_ size: Int, _ type: String, large: Int? = nil) -> [UInt8] {
    Blocks.big(size, 4) + Array(type.utf8) + (large.map { Blocks.big($0, 8) } ?? [])
  }

  @Test("a box is its head and what follows, in every form of its size")
  func forms() throws {
    let bytes =
      Self.box(11, "abcd") + [1, 2, 3] + Self.box(1, "long", large: 18) + [4, 5]
      + Self.box(0, "rest") + [6, 7, 8]
    var reader = BoxReader(bytes)
    let found = [reader.box(), reader.box(), reader.box(), reader.box()]
    let first = try #require(found[0])
    #expect((first.type, first.whole, first.body) == ("abcd", 0..<11, 8..<11))
    let second = try #require(found[1])
    #expect((second.type, second.whole, second.body) == ("long", 11..<29, 27..<29))
    #expect(!second.isOpen)
    let third = try #require(found[2])
    #expect((third.type, third.whole, third.body) == ("rest", 29..<40, 37..<40))
    #expect(third.isOpen)
    #expect(found[3] == nil)
    #expect(BoxReader(bytes).boxes() == [first, second, third])
    #expect(BoxReader(bytes).onlyBoxes() == [first, second, third])
    var inner = BoxReader(bytes).inside(second)
    let numbers = [inner.number(2), inner.number(1)]
    #expect(numbers == [0x0405, nil])
  }

  @Test(
    "what is no box ends the boxes",
    arguments: [
      // Shorter than its head, also than a long one; longer than what it is in; nothing but a size.
      box(7, "tiny"), box(1, "long", large: 15), box(9, "over"), box(1, "cut "),
      box(1, "vast", large: .max), [0, 0, 0, 8, 0x61, 0x62, 0x63],
    ])
  func others(bytes: [UInt8]) {
    #expect(BoxReader(bytes).boxes().isEmpty)
    let whole = Self.box(8, "free")
    #expect(BoxReader(whole + bytes).boxes().map(\.type) == ["free"])
    // A rest that is too short for a head is no fault.
    #expect((BoxReader(whole + bytes).onlyBoxes() == nil) == (bytes.count >= 8))
  }

  @Test("in a file a box may reach beyond the end, and is cut there")
  func beyond() throws {
    let stored = try TemporaryFile(Self.box(100, "mdat") + [1, 2])
    let file = try FileBytes.whole(stored.descriptor)
    let found = [file.box(at: 0), file.box(at: 3), file.box(at: 10)]
    var box = try #require(found[0])
    #expect(box.whole == 0..<100)
    let isCut = box.cut(to: file.count)
    #expect(isCut)
    #expect((box.whole, box.body) == (0..<10, 8..<10))
    #expect(found.dropFirst() == [nil, nil])

    let half = try TemporaryFile(Self.box(8, "free") + Self.box(1, "mdat") + [0, 0, 0])
    let cut = try FileBytes.whole(half.descriptor)
    let end = cut.box(at: 8)
    var last = try #require(end)
    #expect(last.whole.upperBound == .max)
    let isCutToo = last.cut(to: cut.count)
    #expect(!isCutToo)
  }

  @Test("a number or a code that has to be there is missed aloud")
  func required() throws {
    var reader = BoxReader([1, 2, 3])
    let first = try reader.required(2)
    #expect(first == 0x0102)
    #expect(throws: LibraryError.self) { _ = try reader.required(2) }
    #expect(throws: LibraryError.self) { _ = try reader.requiredCode() }
    let last = try reader.required(1)
    #expect(last == 3)
  }
}
