import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Canvas")
  struct Canvas {
    /// 20 × 12 pixels; the short side is 12.
    static let scene = Drawing.scene(20, 12)
    static let colour = [51.0 / 255, 102.0 / 255, 204.0 / 255]
    static let code = [51, 102, 204]

    /// Whether a picture is the scene at a place and the colour around it, to a code.
    static func expect(
      _ picture: PixelBuffer, _ size: PixelSize, left: Int, top: Int,
      _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(picture.size == size, sourceLocation: sourceLocation)
      guard picture.size == size else { return }
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (u, v) = (x - left, y - top)
          let inside = (0..<scene.size.width).contains(u) && (0..<scene.size.height).contains(v)
          let wanted = inside ? scene.pixel(u, v) : code
          let near = zip(picture.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= 1 }
          #expect(near, "\(x), \(y)", sourceLocation: sourceLocation)
        }
      }
    }

    @Test("margins are fractions of the short side, halves rounded up")
    func margins() throws {
      // 12 × 0.25 = 3, 12 × 0.125 = 1.5, 12 × 0.1 = 1.2, none.
      let picture = try Render.png(
        Self.scene,
        filters: [.pad(top: 0.25, right: 0.125, bottom: 0.1, colour: Self.colour)])
      Self.expect(picture, PixelSize(width: 22, height: 16), left: 0, top: 3)
    }

    @Test("an aspect widens the side that is short of it, the picture in the middle")
    func aspect() throws {
      let square = try Render.png(
        Self.scene, filters: [.pad(aspect: 1, colour: Self.colour)])
      Self.expect(square, PixelSize(width: 20, height: 20), left: 0, top: 4)
      // 12 × 2.1 = 25.2 columns; the odd one is at the right.
      let wide = try Render.png(Self.scene, filters: [.pad(aspect: 2.1, colour: Self.colour)])
      Self.expect(wide, PixelSize(width: 25, height: 12), left: 2, top: 0)
      // Margins first: 24 × 12 with the picture at the right, then 24 rows.
      let both = try Render.png(
        Self.scene, filters: [.pad(left: 1.0 / 3, aspect: 1, colour: Self.colour)])
      Self.expect(both, PixelSize(width: 24, height: 24), left: 4, top: 6)
    }

    @Test("a border is as wide on all sides, and never less than a pixel")
    func border() throws {
      let picture = try Render.png(Self.scene, filters: [.border(0.25, colour: Self.colour)])
      Self.expect(picture, PixelSize(width: 26, height: 18), left: 3, top: 3)
      let thin = try Render.png(Self.scene, filters: [.border(0.001, colour: Self.colour)])
      Self.expect(thin, PixelSize(width: 22, height: 14), left: 1, top: 1)
    }

    @Test("a border inside covers the edges and keeps the size", arguments: [0.25, 0.4, 0.5])
    func inside(width: Double) throws {
      let picture = try Render.png(
        Self.scene, filters: [.border(width, inside: true, colour: Self.colour)])
      #expect(picture.size == Self.scene.size)
      let edge = Int((12 * width + 0.5).rounded(.down))
      for y in 0..<12 {
        for x in 0..<20 {
          let isPicture = x >= edge && x < 20 - edge && y >= edge && y < 12 - edge
          let wanted = isPicture ? Self.scene.pixel(x, y) : Self.code
          #expect(zip(picture.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= 1 })
        }
      }
    }

    @Test("no margin and no border change no byte")
    func nothing() throws {
      let picture = try Render.png(
        Self.scene, filters: [.pad(), .border(0), .border(0, inside: true)])
      #expect(picture.samples == Self.scene.samples)
    }

    @Test("filters before it leave the canvas alone, filters after it do not")
    func order() throws {
      let pad = FilterStep.pad(left: 0.5, colour: Self.colour)
      let before = try Render.png(Self.scene, filters: [.exposure(1), pad])
      let plain = try Render.png(Self.scene, filters: [.exposure(1)])
      #expect(zip(before.pixel(2, 5), Self.code).allSatisfy { abs($0 - $1) <= 1 })
      for x in 0..<20 {
        let near = zip(before.pixel(x + 6, 5), plain.pixel(x, 5)).allSatisfy { abs($0 - $1) <= 1 }
        #expect(near)
      }
      let after = try Render.png(Self.scene, filters: [pad, .exposure(1)])
      let brighter = Self.colour.map { StandardRGB.code(2 * StandardRGB.decode($0)) }
      for (got, wanted) in zip(after.pixel(2, 5), brighter) {
        #expect(abs(Double(got) - wanted) <= 1)
      }
      #expect(worstDifference(before, after) > 20)
    }

    @Test("a canvas is opaque under a transparent picture, which stays so")
    func alpha() throws {
      let clear = Drawing.picture(20, 12, bands: 4) { _, _, band in band == 3 ? 0 : 128 }
      let picture = try Render.png(clear, filters: [.border(0.25, colour: Self.colour)])
      #expect(picture.pixel(1, 1) == Self.code + [255])
      #expect(picture[10, 9, 3] == 0)
    }

    @Test("a grey picture can have a coloured canvas")
    func grey() throws {
      let grey = Drawing.picture(20, 12, bands: 1) { _, _, _ in 90 }
      let picture = try Render.png(grey, filters: [.border(0.25, colour: Self.colour)])
      #expect(zip(picture.pixel(0, 0), Self.code).allSatisfy { abs($0 - $1) <= 1 })
      #expect(zip(picture.pixel(9, 9), [90, 90, 90]).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test("wide canvases above and below stream, on any number of threads", arguments: [1, 4])
    func streams(threads: Int) throws {
      let file = try Drawing.scene(400, 300).file(.jpeg)
      let filters: [FilterStep] = [.pad(top: 4, right: 1, bottom: 6, left: 1, colour: Self.colour)]
      let rendition = Rendition(name: "r", type: .png)
      let one = try Render(file, [rendition], filters: filters, threads: threads).decoded()
      #expect(one.size == PixelSize(width: 1000, height: 3300))
      let plain = try Render(file, [rendition]).decoded()
      for (x, y) in [(0, 0), (399, 0), (200, 150), (0, 299), (399, 299)] {
        let near = zip(one.pixel(300 + x, 1200 + y), plain.pixel(x, y)).allSatisfy {
          abs($0 - $1) <= 1
        }
        #expect(near)
      }
      #expect(one.pixel(500, 1199) == Self.code && one.pixel(500, 1500) == Self.code)
      let two = try Render(file, [rendition, rendition], filters: filters).decoded(1)
      #expect(two.samples == one.samples)
    }

    @Test(
      "a canvas beyond the pixel limit is refused before anything is decoded, however small the target",
      arguments: [
        [FilterStep.pad(top: 10)], [.pad(aspect: 100)], [.border(0.5), .border(0.5), .border(0.5)],
        [FilterStep](repeating: .pad(top: 10, right: 10, bottom: 10, left: 10), count: 60),
      ])
    func limit(filters: [FilterStep]) throws {
      let file = try Drawing.scene(40, 30).file(.png)
      let limits = RenderLimits(pixels: 9000)
      let picture = try file.opened(limits: limits).get()
      let output = try TemporaryFile()
      let result = picture.render(
        RenderPlan(
          filters: filters,
          renditions: [
            Rendition(name: "r", type: .png, targetSize: .init(width: 8, height: 8))
          ], limits: limits), outputs: [output.descriptor])
      guard case .failure(let failure) = result else {
        Issue.record("it rendered")
        return
      }
      #expect(failure.code == .limitExceeded)
      #expect(failure.detail.contains("limits.pixels"))
      #expect(picture.decodes == 0)
      #expect(throws: Never.self) {
        try Render(file, [Rendition(name: "r", type: .png)], filters: [.pad(top: 2)])
      }
    }

    @Test(
      "parameters out of range are an invalid adjustment",
      arguments: [
        FilterStep.pad(top: -1), .pad(left: .nan), .pad(aspect: 1e-9), .pad(aspect: .infinity),
        .pad(colour: [1, 1]), .pad(colour: [2, 0, 0]), .border(-0.1), .border(.nan),
        FilterStep(name: "pad", version: 1, parameters: []),
        FilterStep(name: "border", version: 1, parameters: []),
      ])
    func invalid(step: FilterStep) throws {
      let failure = #expect(throws: RenderFailure.self) {
        try Render.png(Self.scene, filters: [step])
      }
      #expect(failure?.code == .invalidAdjustment)
    }
  }
}
