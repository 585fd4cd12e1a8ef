import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Limits")
  struct Limits {
    static func failure(
      _ file: TemporaryFile, _ limits: RenderLimits
    ) -> RenderFailure? {
      switch file.opened(limits: limits, tolerant: true) {
      case .success: nil
      case .failure(let failure): failure
      }
    }

    @Test(
      "a picture beyond a limit is refused from its header, the limit named",
      arguments: [
        (RenderLimits(pixels: 1199), "limits.pixels"), (RenderLimits(side: 39), "limits.side"),
        (RenderLimits(inputBytes: 100), "limits.inputBytes"),
      ])
    func header(limits: RenderLimits, name: String) throws {
      let file = try Drawing.scene(40, 30).file(.png)
      let failure = try #require(Self.failure(file, limits))
      #expect(failure.code == .limitExceeded)
      #expect(failure.stage == .header)
      #expect(failure.detail.contains(name))
      #expect(Self.failure(file, RenderLimits(pixels: 1200, side: 40)) == nil)
    }

    @Test("pages count")
    func pages() throws {
      let file = try TemporaryFile(
        HandMade.gif(width: 8, height: 8, frames: 4) { _, _, frame in frame % 4 })
      #expect(Self.failure(file, RenderLimits(pages: 3))?.code == .limitExceeded)
      #expect(Self.failure(file, RenderLimits(pages: 4)) == nil)
    }

    @Test("a header that claims four gigapixels costs nothing")
    func bomb() throws {
      // A PNG of 65,535 x 65,535 pixels: its header and nothing else.
      var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      bytes +=
        [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 8, 2, 0, 0, 0]
      bytes += HandMade.crc(bytes[12...])
      bytes += [0, 0, 0, 0] + Array("IDAT".utf8) + HandMade.crc(Array("IDAT".utf8)[...])
      let failure = try #require(Self.failure(TemporaryFile(bytes), RenderLimits()))
      #expect(failure.code == .limitExceeded)
    }

    @Test("a size that the format cannot hold is refused before decoding, with formats that can")
    func outputSide() throws {
      let file = try Drawing.picture(4, 17_000) { _, y, _ in y % 256 }.file(.png)
      let picture = try file.opened(limits: RenderLimits(), tolerant: false).get()
      let output = try TemporaryFile()
      func render(_ type: UniformType, _ side: Int?) -> Result<RenderResult, RenderFailure> {
        let size = side.map { Rendition.TargetSize(width: $0, height: $0) }
        return picture.render(
          RenderPlan(renditions: [Rendition(name: "w", type: type, targetSize: size)]),
          outputs: [output.descriptor])
      }
      guard case .failure(let failure) = render(.webP, nil) else {
        Issue.record("it rendered")
        return
      }
      #expect(failure.code == .limitExceeded)
      #expect(failure.detail.contains("16383"))
      #expect(failure.detail.contains("public.png"))
      #expect(picture.decodes == 0)
      #expect(try render(.webP, 2000).get().outputs[0].height == 2000)
      #expect(try render(.jpeg, nil).get().outputs[0].height == 17_000)
    }

    @Test("enlarging does not get past the pixel limit")
    func enlarging() throws {
      let file = try Drawing.scene(10, 10).file(.png)
      let rendition = Rendition(
        name: "r", type: .png, targetSize: .init(width: 40_000, height: 40_000), enlarge: true)
      let failure = #expect(throws: RenderFailure.self) { try Render(file, [rendition]) }
      #expect(failure?.code == .limitExceeded)
    }
  }
}
