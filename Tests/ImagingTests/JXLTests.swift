import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("JPEG XL")
  struct JXLFiles {
    @Test("lossless samples come out as they were drawn")
    func exact() throws {
      let file = try TemporaryFile(CodedDrawing.jpegXL(1))
      let header = try file.opened().get().header
      #expect(header.type == .jpegXL)
      #expect((header.bands, header.bitDepth, header.hasAlpha) == (3, 8, false))
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      #expect(try render.decoded().samples == OrientationMatrix.drawing.samples)
      #expect(render.result.losses.isEmpty)
    }

    @Test("a codestream in boxes is the same picture, with its metadata")
    func boxed() throws {
      let signature = Box.make("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
      let type = Box.make("ftyp", Array("jxl ".utf8) + Box.number(0, 4) + Array("jxl ".utf8))
      let bytes =
        signature + type
        + Box.make("Exif", Box.number(0, 4) + OrientationMatrix.exif(6).dropFirst(10))
        + Box.make("jxlc", CodedDrawing.jpegXL(3))
        + Box.make("xml ", Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8))
      let file = try TemporaryFile(bytes)
      let render = try Render(file, [Rendition(name: "r", type: .jpeg, quality: 98)])
      let picture = try render.decoded()
      // The codestream decides; what EXIF says of the orientation does not count.
      #expect(picture.size == PixelSize(width: 64, height: 48))
      #expect(picture.orientation == 1)
      OrientationMatrix.expectNear(
        picture, 5, 6, OrientationMatrix.colour(3, 5, 6), 6, "in boxes")
      #expect(picture.metadata["xmp-data"] != nil)
      for length in [bytes.count - 1, bytes.count - 60, bytes.count - 120, 60] {
        let cut = try TemporaryFile(Array(bytes[..<length]))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(cut, [Rendition(name: "r", type: .png)])
        }
        #expect(failure?.code == .truncated, "\(length): \(failure?.detail ?? "")")
      }
    }

    @Test("a codestream that is cut off anywhere is no success")
    func cutOff() throws {
      let bytes = CodedDrawing.jpegXL(6)
      for length in 12..<bytes.count {
        let file = try TemporaryFile(Array(bytes[..<length]))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(file, [Rendition(name: "r", type: .png)])
        }
        #expect([.truncated, .unreadable].contains(failure?.code), "\(length)")
      }
    }
  }
}
