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

    @Test("of an animation the first frame that is shown is used")
    func animation() throws {
      let file = try TemporaryFile(CodedDrawing.animatedJPEGXL)
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      let picture = try render.decoded()
      #expect(render.result.losses == ["animation"])
      // What is shown for no time is only drawn upon.
      #expect(picture.pixel(0, 0) == [255, 255, 255] && picture.pixel(7, 7) == [255, 255, 255])
      #expect(picture.pixel(8, 7) == [76, 81, 128] && picture.pixel(63, 47) == [186, 201, 128])
    }

    @Test("an animation that is cut off in a later frame is no success, and tolerated it is whole")
    func cutAnimation() throws {
      let bytes = CodedDrawing.animatedJPEGXL
      let whole = try Render(TemporaryFile(bytes), [Rendition(name: "r", type: .png)]).decoded()
      for missing in [1, 30, 120] {
        let cut = try TemporaryFile(bytes.dropLast(missing))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(cut, [Rendition(name: "r", type: .png)])
        }
        #expect(failure?.code == .truncated, "\(missing): \(failure?.detail ?? "")")
        let render = try Render(cut, [Rendition(name: "r", type: .png)], tolerant: true)
        #expect(render.result.damage.count == 1)
        #expect(try render.decoded().samples == whole.samples)
      }
    }

    @Test("a codestream that is cut off anywhere is cut off and nothing else")
    func cutOff() throws {
      let bytes = CodedDrawing.jpegXL(6)
      for length in 12..<bytes.count {
        let file = try TemporaryFile(Array(bytes[..<length]))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(file, [Rendition(name: "r", type: .png)])
        }
        #expect(failure?.code == .truncated, "\(length)")
      }
    }

    @Test("what is there of a codestream is used where damage is tolerated", arguments: [60, 95])
    func tolerated(percent: Int) throws {
      // Hard to compress, and of several groups of 256 x 256.
      let scene = Drawing.picture(600, 500) { x, y, band in
        128 + (x * x * 31 + y * y * 17 + x * y * 13 + band * 71) % 97
      }
      let rendition = Rendition(
        name: "r", type: .jpegXL, options: OutputOptions([.lossless: .flag(true)]))
      let bytes = try Render(scene.file(.png), [rendition]).files[0].bytes
      let cut = try TemporaryFile(Array(bytes.prefix(bytes.count * percent / 100)))
      let failure = #expect(throws: RenderFailure.self) {
        try Render(cut, [Rendition(name: "r", type: .png)])
      }
      #expect(failure?.code == .truncated, "\(failure?.detail ?? "")")
      let render = try Render(cut, [Rendition(name: "r", type: .png)], tolerant: true)
      #expect(render.result.damage.first?.contains("cut off") == true)
      #expect(try render.decoded().pixel(20, 20) == scene.pixel(20, 20))
      #expect(try render.decoded().pixel(590, 490) == [0, 0, 0])
    }
  }
}
