import ColourEngine
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Formats")
  struct Formats {
    /// How far a sample may be off after one lossy step.
    static func tolerance(_ type: UniformType) -> Int {
      type == .png || type == .tiff || type == .gif ? 0 : 14
    }

    static let readable: [UniformType] = [.jpeg, .png, .webP, .tiff, .avif, .gif]

    /// Four quadrants: red, green over blue, white.
    static func quadrants(_ type: UniformType) throws -> TemporaryFile {
      func index(_ x: Int, _ y: Int) -> Int { (x >= 32 ? 1 : 0) + (y >= 24 ? 2 : 0) }
      if type == .gif {
        return try TemporaryFile(
          HandMade.gif(width: 64, height: 48, frames: 1) { x, y, _ in [1, 0, 2, 3][index(x, y)] })
      }
      let colours = [[255, 0, 0], [0, 0, 0], [0, 0, 255], [255, 255, 255]]
      return try Drawing.picture(64, 48) { x, y, band in colours[index(x, y)][band] }
        .file(type, quality: 95)
    }

    @Test(
      "every readable type becomes every writable one", arguments: readable, UniformType.writable)
    func pairs(input: UniformType, output: UniformType) throws {
      let file = try Self.quadrants(input)
      let render = try Render(file, [Rendition(name: "r", type: output, quality: 95)])
      let entry = render.result.outputs[0]
      #expect(entry.type == output)
      #expect(entry.bytes == render.files[0].bytes.count)
      #expect((entry.width, entry.height) == (64, 48))
      #expect(render.result.losses.isEmpty)
      guard UniformType.readable.contains(output) else { return }
      let picture = try render.decoded()
      #expect(picture.size == PixelSize(width: 64, height: 48))
      let bound = Self.tolerance(input) + Self.tolerance(output)
      for (x, y, wanted) in [
        (16, 12, [255, 0, 0]), (48, 12, [0, 0, 0]), (16, 36, [0, 0, 255]),
        (48, 36, [255, 255, 255]),
      ] {
        for band in 0..<3 { #expect(abs(picture[x, y, band] - wanted[band]) <= bound) }
      }
    }

    @Test("all renditions come from one decode")
    func oneDecode() throws {
      let file = try Drawing.scene(200, 150).file(.jpeg)
      let renditions = UniformType.writable.enumerated().map { index, type in
        Rendition(
          name: "\(index)", type: type, targetSize: .init(width: 20 * (index + 1), height: 500))
      }
      let render = try Render(file, renditions, filters: [.exposure(0.2), .straighten(2)])
      #expect(render.decodes == 1)
      #expect(render.result.outputs.map(\.name) == renditions.map(\.name))
      #expect(
        render.result.outputs.map(\.width) == renditions.map { $0.targetSize?.width })
      // Each is what it would be alone.
      for (index, rendition) in renditions.enumerated() {
        let alone = try Render(file, [rendition], filters: [.exposure(0.2), .straighten(2)])
        #expect(alone.files[0].bytes == render.files[index].bytes)
      }
    }

    @Test("the first frame of an animation is rendered, and the rest named as lost")
    func animation() throws {
      let file = try TemporaryFile(
        HandMade.gif(width: 16, height: 8, frames: 3) { _, _, frame in frame + 1 })
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      #expect(render.result.losses == ["animation"])
      #expect(try render.decoded().pixel(3, 3).prefix(3) == [255, 0, 0])
      let opened = try file.opened(limits: RenderLimits(), tolerant: false).get()
      #expect(opened.header.pages == 3)
    }

    @Test("a fast rendition is filtered after a reduction and says so")
    func fast() throws {
      let file = try Drawing.scene(640, 480).file(.jpeg)
      func rendition(_ mode: Rendition.DeliveryMode) -> Rendition {
        Rendition(
          name: "r", type: .png, targetSize: .init(width: 60, height: 60), deliveryMode: mode)
      }
      let fast = try Render(file, [rendition(.fast)], filters: [.crop(0.25, 0, 0.5, 1)])
      let slow = try Render(file, [rendition(.highQuality)], filters: [.crop(0.25, 0, 0.5, 1)])
      #expect(fast.result.losses == ["fullResolutionFiltering"])
      #expect(slow.result.losses.isEmpty)
      let (a, b) = (try fast.decoded(), try slow.decoded())
      #expect(a.size == b.size)
      #expect(a.size == PixelSize(width: 40, height: 60))
      let far = zip(a.samples, b.samples).map { abs(Int($0) - Int($1)) }.reduce(0, +)
      #expect(Double(far) / Double(a.samples.count) < 3)
    }

    @Test("the header says what the file is")
    func header() throws {
      var drawing = Drawing.deepPicture(30, 20, bands: 4) { x, _, _ in x * 1000 }
      drawing.orientation = 6
      let file = try drawing.file(.tiff)
      let header = try file.opened(limits: RenderLimits(), tolerant: false).get().header
      #expect(header.type == .tiff)
      #expect((header.width, header.height) == (30, 20))
      #expect((header.bands, header.bitDepth, header.orientation) == (4, 16, 6))
      #expect(header.hasAlpha)
      #expect(header.profile == "untagged")
    }

    @Test("a number of outputs that does not match is our own fault")
    func mismatch() throws {
      let file = try Drawing.scene(8, 8).file(.png)
      let picture = try file.opened(limits: RenderLimits(), tolerant: false).get()
      let result = picture.render(RenderPlan(renditions: [Rendition(name: "r")]), outputs: [])
      guard case .failure(let failure) = result else {
        Issue.record("it rendered")
        return
      }
      #expect(failure.code == .internal)
    }

    @Test("what stood in an output before is gone")
    func replaces() throws {
      let file = try Drawing.scene(8, 8).file(.png)
      let output = try TemporaryFile([UInt8](repeating: 7, count: 100_000))
      let result = try file.opened(limits: RenderLimits(), tolerant: false).get().render(
        RenderPlan(renditions: [Rendition(name: "r")]), outputs: [output.descriptor]
      ).get()
      #expect(output.bytes.count == result.outputs[0].bytes)
      #expect(output.bytes.count < 100_000)
    }
  }
}
