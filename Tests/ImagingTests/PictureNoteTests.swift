import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("What else a file is")
  struct PictureNotes {
    /// A JPEG with an index of pictures of these kinds behind the first, as CIPA DC-007 has it.
    static func multiPicture(_ kinds: [Int], trailer: [UInt8] = []) throws -> TemporaryFile {
      let bytes = try Drawing.scene(32, 24).file(.jpeg).bytes
      let entries = ([0x030000] + kinds).flatMap { kind in
        Box.number(kind, 4) + Box.number(100, 4) + Box.number(0, 4) + Box.number(0, 4)
      }
      let body =
        Array("MPF\0MM".utf8) + [0, 42] + Box.number(8, 4) + Box.number(1, 2)
        + Box.number(0xB002, 2) + Box.number(7, 2) + Box.number(entries.count, 4)
        + Box.number(26, 4) + Box.number(0, 4) + entries
      let segment = [0xFF, 0xE2] + Box.number(body.count + 2, 2) + body
      return try TemporaryFile(Array(bytes[..<2]) + segment + bytes[2...] + trailer)
    }

    static let kinds: [(kind: Int, losses: [String], isMany: Bool)] = [
      (0x020001, ["pages"], true), (0x020002, ["pages"], true), (0x020003, ["pages"], true),
      (0x010001, ["thumbnail"], false), (0x010002, ["thumbnail"], false),
      (0x000000, ["auxiliaryImages"], false),
    ]

    @Test("further pictures of a JPEG are named as lost by their kind", arguments: kinds)
    func multiPictures(kind: Int, losses: [String], isMany: Bool) throws {
      let file = try Self.multiPicture([kind])
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      #expect(render.result.losses == losses)
      let header = try file.opened().get().header
      #expect(header.type == .jpeg)
      #expect(header.notes.contains { $0.contains("MPO") } == isMany)
    }

    @Test("a gain map and a video behind the picture")
    func trailers() throws {
      let gainMap = try Self.multiPicture([0], trailer: Array("\u{1}hdrgm:Version".utf8))
      #expect(
        try Render(gainMap, [Rendition(name: "r", type: .png)]).result.losses == ["gainMap"])
      let video = try Drawing.scene(32, 24).file(.jpeg).bytes
      let file = try TemporaryFile(video + Box.make("ftyp", Array("mp42".utf8) + Box.number(0, 4)))
      #expect(
        try Render(file, [Rendition(name: "r", type: .png)]).result.losses == ["motionVideo"])
    }

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
      let checked = Array(type.utf8) + body
      return Box.number(body.count, 4) + checked + HandMade.crc(checked[...])
    }

    @Test("an animated PNG is its first frame, and says so", arguments: [1, 3])
    func animated(frames: Int) throws {
      let bytes = try Drawing.scene(32, 24).file(.png).bytes
      let control = Self.chunk("acTL", Box.number(frames, 4) + Box.number(0, 4))
      let file = try TemporaryFile(Array(bytes[..<33]) + control + bytes[33...])
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      #expect(render.result.losses == (frames > 1 ? ["animation"] : []))
      #expect(try render.decoded().samples == Drawing.scene(32, 24).samples)
      #expect(try file.opened().get().header.notes.isEmpty == (frames == 1))
    }

    @Test("a PNG that Xcode has changed is refused by name")
    func forPhones() throws {
      let bytes = try Drawing.scene(32, 24).file(.png).bytes
      let file = try TemporaryFile(
        Array(bytes[..<8]) + Self.chunk("CgBI", [0x50, 0, 0x20, 2]) + bytes[8...])
      guard case .failure(let failure) = file.opened() else {
        Issue.record("it opened")
        return
      }
      #expect(failure.code == .unsupportedType)
      #expect(failure.detail.contains("CgBI"))
    }
  }
}
