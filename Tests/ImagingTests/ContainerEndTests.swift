import Imaging
import RenderModel
import Testing

extension ImagingTests {
  /// Files whose first picture is whole and of which something later is missing.
  @Suite("Containers that are cut off")
  struct ContainerEnds {
    static func failure(_ bytes: [UInt8]) throws -> RenderFailure? {
      #expect(throws: RenderFailure.self) {
        try Render(TemporaryFile(bytes), [Rendition(name: "r", type: .png)])
      }
    }

    static func expectCut(_ bytes: [UInt8], missing: Int) throws {
      let cut = Array(bytes.dropLast(missing))
      #expect(try failure(cut)?.code == .truncated, "\(missing) bytes are missing")
      let tolerant = try Render(
        TemporaryFile(cut), [Rendition(name: "r", type: .png)], tolerant: true)
      #expect(tolerant.result.damage.first?.contains("cut off") == true)
    }

    @Test("a GIF without its end, or with half a frame", arguments: [1, 2, 30, 60])
    func gif(missing: Int) throws {
      let bytes = HandMade.gif(width: 16, height: 8, frames: 2) { x, _, _ in x % 4 }
      try Self.expectCut(bytes, missing: missing)
    }

    @Test("what follows the end of a GIF, and zeros between its blocks, are nobody's")
    func gifTrailer() throws {
      let bytes = HandMade.gif(width: 16, height: 8, frames: 1) { x, _, _ in x % 4 }
      for file in [bytes + [1, 2, 3], bytes.dropLast() + [0, 0, 0x3B]] {
        let render = try Render(TemporaryFile(file), [Rendition(name: "r", type: .png)])
        #expect(render.result.losses.isEmpty)
      }
    }

    @Test("a PNG without its end, or with half a later frame", arguments: [1, 4, 12, 14, 40])
    func png(missing: Int) throws {
      let still = try Drawing.scene(16, 8).file(.png).bytes
      let control = Containers.pngChunk("acTL", Blocks.big(2, 4) + Blocks.big(0, 4))
      let frame = Containers.pngChunk(
        "fcTL",
        Blocks.big(0, 4) + Blocks.big(16, 4) + Blocks.big(8, 4) + Blocks.big(0, 8)
          + [0, 1, 0, 10, 0, 0])
      let data = Containers.pngChunk("fdAT", [UInt8](repeating: 7, count: 60))
      let bytes = PNGChunkTests.trailing(Containers.png(still, [control]), [frame, data])
      try Self.expectCut(bytes, missing: missing)
    }

    /// Two pictures with an index, as CIPA DC-007 has it.
    static func pair(firstSize: Int? = nil, gap: Int = 0) throws -> [UInt8] {
      let picture = try Drawing.scene(32, 24).file(.jpeg).bytes
      let length = 4 + 4 + 82
      let first = picture.count + length
      let places = [
        (0x030000, firstSize ?? first, 0),
        (0x020002, picture.count, first + gap - 10),
      ]
      let entries = places.flatMap { kind, size, offset in
        Box.number(kind, 4) + Box.number(size, 4) + Box.number(offset, 4) + Box.number(0, 4)
      }
      var body =
        Array("MPF\0MM".utf8) + [0, 42] + Box.number(8, 4) + Box.number(1, 2)
        + Box.number(0xB002, 2) + Box.number(7, 2) + Box.number(entries.count, 4)
        + Box.number(26, 4) + Box.number(0, 4) + entries
      body += [UInt8](repeating: 0, count: length - 4 - body.count)
      let segment = [0xFF, 0xE2] + Box.number(body.count + 2, 2) + body
      return Array(picture[..<2]) + segment + picture[2...] + [UInt8](repeating: 0, count: gap)
        + picture
    }

    @Test("a JPEG of several pictures with half of the second", arguments: [1, 50, 200])
    func multiPicture(missing: Int) throws {
      for gap in [0, 300] {
        let bytes = try Self.pair(gap: gap)
        let whole = try Render(TemporaryFile(bytes), [Rendition(name: "r", type: .png)])
        #expect(whole.result.losses == ["pages"])
        try Self.expectCut(bytes, missing: missing)
      }
    }

    @Test("an index that a program has left over announces nothing")
    func leftOver() throws {
      let bytes = try Self.pair(firstSize: 12_345)
      let first = try bytes.count - Drawing.scene(32, 24).file(.jpeg).bytes.count
      let alone = try Render(
        TemporaryFile(Array(bytes.prefix(first))), [Rendition(name: "r", type: .png)])
      #expect(alone.result.damage.isEmpty)
      // Nothing but the second picture is missing from a file whose index is right.
      let right = try Self.pair()
      #expect(try Self.failure(Array(right.prefix(first)))?.code == .truncated)
    }

    @Test("XMP of a GIF is kept")
    func packet() throws {
      let bytes = HandMade.gif(width: 16, height: 8, frames: 1) { x, _, _ in x % 4 }
      let trailer = [1] + (0...255).reversed().map(UInt8.init) + [0]
      let block = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + LadenPhoto.xmp + trailer
      let file = bytes.dropLast() + block + [0x3B]
      let render = try Render(TemporaryFile(Array(file)), [Rendition(name: "r", type: .jpeg)])
      #expect(render.result.losses.isEmpty)
      #expect(render.files[0].bytes.holds("Agency"))
    }
  }
}
