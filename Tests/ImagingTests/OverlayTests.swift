import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Overlay")
  struct Overlay {
    static let rendition = Rendition(name: "r", type: .png)
    static let grey = Drawing.picture(60, 40) { _, _, _ in 128 }

    /// 12 × 8, each corner of another colour.
    static let mark = Drawing.picture(12, 8) { x, y, band in
      [[250, 0, 0], [0, 250, 0], [0, 0, 250], [250, 250, 0]][(y / 4) * 2 + x / 6][band]
    }

    static func render(
      _ steps: [FilterStep], on picture: PixelBuffer = grey, mark: PixelBuffer = mark,
      type: UniformType = .png
    ) throws -> PixelBuffer {
      try ResourceRender(
        picture.file(.tiff), [rendition], filters: steps,
        resources: [("mark.png", mark.file(type))]
      ).decoded()
    }

    /// The part of a grey picture that is not grey.
    static func extent(_ picture: PixelBuffer) -> PixelRect? {
      var columns: [Int] = []
      var rows: [Int] = []
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width
        where picture.pixel(x, y).contains(where: { abs($0 - 128) > 1 }) {
          columns.append(x)
          rows.append(y)
        }
      }
      guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
        let bottom = rows.max()
      else { return nil }
      return PixelRect(left: left, top: top, width: right - left + 1, height: bottom - top + 1)
    }

    @Test(
      "nine anchors, offsets to the right and down in short sides",
      arguments: [
        ("topLeft", 0, 0), ("top", 24, 0), ("topRight", 48, 0), ("left", 0, 16),
        ("center", 24, 16), ("right", 48, 16), ("bottomLeft", 0, 32), ("bottom", 24, 32),
        ("bottomRight", 48, 32),
      ])
    func anchors(anchor: String, left: Int, top: Int) throws {
      let plain = try Self.render([.overlay(anchor: anchor, scale: 0.2)])
      #expect(
        Self.extent(plain) == PixelRect(left: left, top: top, width: 12, height: 8))
      // Unscaled pixels are the overlay's own.
      #expect(zip(plain.pixel(left, top), [250, 0, 0]).allSatisfy { abs($0 - $1) <= 1 })
      #expect(zip(plain.pixel(left + 11, top + 7), [250, 250, 0]).allSatisfy { abs($0 - $1) <= 1 })
      // 40 × 0.05 is 2 and 40 × 0.1 is 4, towards the middle.
      let (x, y) = (left > 24 ? -0.05 : 0.05, top > 16 ? -0.1 : 0.1)
      let moved = try Self.render([.overlay(anchor: anchor, x: x, y: y, scale: 0.2)])
      #expect(
        Self.extent(moved)
          == PixelRect(
            left: left + (left > 24 ? -2 : 2), top: top + (top > 16 ? -4 : 4), width: 12, height: 8)
      )
    }

    @Test("it is as wide as it is told, at its own aspect", arguments: [0.1, 0.5, 1])
    func scale(scale: Double) throws {
      let picture = try Self.render([.overlay(anchor: "topLeft", scale: scale)])
      let width = Int(60 * scale)
      #expect(
        Self.extent(picture)
          == PixelRect(left: 0, top: 0, width: width, height: min(40, width * 2 / 3)))
    }

    @Test("it lies upright and unmirrored on every picture", arguments: 1...8)
    func underOrientation(orientation: Int) throws {
      var picture = Drawing.scene(60, 40)
      picture.orientation = orientation
      let upright = try Render(picture.file(.tiff), [Self.rendition]).decoded()
      for scale in [0.2, 0.13, 0.5] {
        let steps = [FilterStep.overlay(anchor: "topRight", x: -0.1, y: 0.05, scale: scale)]
        let turned = try Self.render(steps, on: picture)
        let wanted = try Self.render(steps, on: upright)
        #expect(worstDifference(turned, wanted) <= 1)
      }
    }

    @Test("turns that come after it turn it too; those before do not", arguments: 2...8)
    func turns(number: Int) throws {
      let scene = Drawing.scene(60, 40)
      let step = FilterStep.overlay(anchor: "topLeft", x: 0.1, scale: 0.3)
      let after = try Self.render([step, .orient(number)], on: scene)
      let turnedAfter = try Render.png(
        try Self.render([step], on: scene), filters: [.orient(number)])
      #expect(worstDifference(after, turnedAfter) <= 1)
      let before = try Self.render([.orient(number), step], on: scene)
      let turnedBefore = try Self.render([step], on: Render.png(scene, filters: [.orient(number)]))
      #expect(worstDifference(before, turnedBefore) <= 1)
    }

    @Test("its own orientation is honoured", arguments: 1...8)
    func ownOrientation(orientation: Int) throws {
      var mark = Self.mark
      mark.orientation = orientation
      let upright = try Render(mark.file(.tiff), [Self.rendition]).decoded()
      for step in [FilterStep.overlay(scale: 0.2), .overlay(scale: 0.37, opacity: 0.6)] {
        let lying = try Self.render([step], mark: mark, type: .tiff)
        let wanted = try Self.render([step], mark: upright)
        #expect(worstDifference(lying, wanted) <= 1)
      }
    }

    @Test("its own colour space is honoured")
    func colour() throws {
      var mark = Drawing.picture(12, 8) { _, _, band in [200, 60, 60][band] }
      mark.profile = EmbeddedProfile.displayP3
      let picture = try Self.render([.overlay(anchor: "center", scale: 0.2)], mark: mark)
      let wanted = Colour.sRGB(fromP3: [200, 60, 60])
      for (got, wanted) in zip(picture.pixel(30, 20), wanted) {
        #expect(abs(Double(got) - wanted) <= 1)
      }
    }

    @Test(
      "alpha and opacity mix in linear light",
      arguments: [(255, 1.0), (255, 0.5), (128, 1), (64, 0.3)])
    func mixing(alpha: Int, opacity: Double) throws {
      let mark = Drawing.picture(12, 8, bands: 4) { _, _, band in [240, 30, 100, alpha][band] }
      let picture = try Self.render(
        [.overlay(anchor: "center", scale: 0.2, opacity: opacity)], mark: mark)
      let cover = Double(alpha) / 255 * opacity
      for (band, code) in [240, 30, 100].enumerated() {
        let light =
          cover * StandardRGB.decode(Double(code) / 255)
          + (1 - cover) * StandardRGB.decode(128.0 / 255)
        #expect(abs(Double(picture[30, 20, band]) - StandardRGB.code(light)) <= 1)
      }
      #expect(picture.pixel(2, 2).allSatisfy { abs($0 - 128) <= 1 })
    }

    @Test("on a transparent picture it brings its own cover")
    func transparent() throws {
      let clear = Drawing.picture(60, 40, bands: 4) { _, _, _ in 0 }
      let mark = Drawing.picture(12, 8, bands: 4) { _, _, band in [240, 30, 100, 128][band] }
      let picture = try Self.render([.overlay(anchor: "center", scale: 0.2)], on: clear, mark: mark)
      #expect(picture[2, 2, 3] == 0)
      let pixel = picture.pixel(30, 20)
      #expect(zip(pixel, [240, 30, 100, 128]).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test("opacity 0 changes no byte, and an overlay beside the picture nothing that is seen")
    func unseen() throws {
      let scene = Drawing.scene(60, 40)
      #expect(try Self.render([.overlay(opacity: 0)], on: scene).samples == scene.samples)
      let beside = try Self.render([.overlay(anchor: "topLeft", x: -5)], on: scene)
      #expect(beside.samples == scene.samples)
    }

    @Test("a mark with transparent surroundings has no rim when it is made smaller")
    func rim() throws {
      let disc = Drawing.picture(200, 200, bands: 4) { x, y, band in
        (x - 100) * (x - 100) + (y - 100) * (y - 100) < 6400 ? 255 : 0
      }
      let white = Drawing.picture(80, 80) { _, _, _ in 255 }
      let picture = try Self.render([.overlay(anchor: "center", scale: 0.4)], on: white, mark: disc)
      #expect(picture.samples.allSatisfy { $0 >= 254 })
    }

    @Test("points before it change what lies below, points after it also what lies above")
    func order() throws {
      let step = FilterStep.overlay(anchor: "topLeft", scale: 0.2)
      let before = try Self.render([.exposure(1), step])
      #expect(zip(before.pixel(1, 1), [250, 0, 0]).allSatisfy { abs($0 - $1) <= 1 })
      #expect(before[40, 20, 0] > 150)
      let after = try Self.render([step, .exposure(-1)])
      #expect(after[1, 1, 0] < 200)
    }

    @Test("several renditions and a stream give the same bytes")
    func renditions() throws {
      let file = try Drawing.scene(300, 200).file(.jpeg)
      let mark = try Self.mark.file(.png)
      let steps: [FilterStep] = [.crop(0.1, 0, 0.8, 1), .overlay(scale: 0.3, opacity: 0.7)]
      let one = try ResourceRender(
        file, [Self.rendition], filters: steps, resources: [("mark.png", mark)])
      let two = try ResourceRender(
        file, [Self.rendition, Self.rendition], filters: steps, resources: [("mark.png", mark)],
        threads: 2)
      #expect(one.files[0].bytes == two.files[0].bytes)
      #expect(one.files[0].bytes == two.files[1].bytes)
    }

    @Test("a file that is no picture, is cut off or too large is an invalid adjustment")
    func broken() throws {
      let jpeg = try Drawing.scene(120, 90).file(.jpeg).bytes
      let png = try Drawing.scene(120, 90).file(.png).bytes
      for bytes in [
        Array("no picture".utf8), [], Array(jpeg.prefix(jpeg.count / 2)),
        Array(png.prefix(png.count / 2)),
      ] {
        let failure = #expect(throws: RenderFailure.self) {
          try ResourceRender(
            Self.grey.file(.png), filters: [.overlay()],
            resources: [("mark.png", TemporaryFile(bytes))])
        }
        #expect(failure?.code == .invalidAdjustment)
        #expect(failure?.detail.contains("mark.png") == true)
      }
      let sliver = Drawing.picture(1, 101) { _, _, _ in 0 }
      let refusal = #expect(throws: RenderFailure.self) {
        try Self.render([.overlay()], mark: sliver)
      }
      #expect(refusal?.code == .invalidAdjustment)
      #expect(refusal?.detail.contains("1 and 101 pixels") == true)
      let failure = #expect(throws: RenderFailure.self) {
        try ResourceRender(
          Self.grey.file(.png), filters: [.overlay()],
          resources: [("mark.png", Drawing.scene(120, 90).file(.png))],
          limits: RenderLimits(pixels: 5000))
      }
      #expect(failure?.detail.contains("limits.pixels") == true)
    }

    @Test(
      "parameters out of range are an invalid adjustment",
      arguments: [
        FilterStep.overlay(anchor: "middle"), .overlay(scale: 0), .overlay(scale: .nan),
        .overlay(x: .infinity), .overlay(opacity: 2), .overlay(opacity: .nan),
      ])
    func invalid(step: FilterStep) throws {
      let failure = #expect(throws: RenderFailure.self) { try Self.render([step]) }
      #expect(failure?.code == .invalidAdjustment)
    }
  }
}
