import Imaging
import RenderModel
import Testing

/// RAW files of cameras, where they lie beside the checkout.
let cameraFiles = SharedFolder("corpus/raw", of: "RAW files of cameras")

extension ImagingTests {
  @Suite(
    "RAW of cameras",
    .enabled(if: cameraFiles.path != nil, "the corpus is not beside the checkout"))
  struct RAWOfCameras {
    @Test(
      "the sensor's picture comes out in its size, never a preview's",
      arguments: [("colorchart.dng", 1734, 1156), ("canon_eos_6d.dng", 1224, 816)])
    func size(name: String, width: Int, height: Int) throws {
      let render = try Render(cameraFiles.file(name), [Rendition(name: "r", type: .png)])
      #expect(try render.decoded().size == PixelSize(width: width, height: height))
      #expect(render.result.outputs.map(\.profile) == ["Display P3"])
    }

    @Test("the preview is rendered where it is asked for")
    func preview() throws {
      let render = try Render(
        cameraFiles.file("canon_eos_6d.dng"), [Rendition(name: "r", type: .png)],
        rawSource: .embeddedPreview)
      #expect(try render.decoded().size == PixelSize(width: 1024, height: 683))
    }

    @Test("capture dates are read", arguments: [("canon_eos_6d.dng", "2019-06-06T07:29:51.00")])
    func captured(name: String, date: String) throws {
      #expect(try cameraFiles.file(name).opened().get().header.captured == date)
    }

    @Test(
      "headers without their sensor data fail with a reason",
      arguments: [
        ("IMG_1361.dng", FailureCode.truncated), ("Nikon.nef", .unreadable),
        ("Panasonic.rw2", .truncated), ("CanonRaw.cr2", .unsupportedType),
        ("CanonRaw.cr3", .unreadable),
      ])
    func headerOnly(name: String, code: FailureCode) throws {
      let file = try cameraFiles.file(name)
      let failure = #expect(throws: RenderFailure.self) {
        try Render(file, [Rendition(name: "r")])
      }
      #expect(failure?.code == code)
    }

    @Test("whole files that are cut never pass", arguments: ["colorchart.dng", "canon_eos_6d.dng"])
    func cut(name: String) throws {
      let whole = try cameraFiles.file(name).bytes
      for share in [0.4, 0.7, 0.95, 0.9999] {
        let file = try TemporaryFile(Array(whole.prefix(Int(Double(whole.count) * share))))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(file, [Rendition(name: "r")])
        }
        #expect(failure?.code == .truncated, "\(share)")
      }
    }
  }
}
