import Imaging
import RenderModel
import Testing

extension FilterStep {
  static func detail(
    _ name: String, _ numbers: KeyValuePairs<String, Double>, opacity: Double = 1,
    mask: FilterMask? = nil
  ) -> FilterStep {
    FilterStep(
      name: name, version: 1,
      parameters: numbers.map { .init(name: $0.key, value: .number($0.value)) },
      opacity: opacity, mask: mask)
  }

  static func blur(_ radius: Double, opacity: Double = 1, mask: FilterMask? = nil) -> FilterStep {
    detail("blur", ["radius": radius], opacity: opacity, mask: mask)
  }
}

extension ImagingTests {
  @Suite("Blur")
  struct Blur {
    @Test("an even picture stays as it is", arguments: [0.1, 1.0, 7.3, 16, 33.3, 100, 250])
    func even(radius: Double) throws {
      let picture = Drawing.picture(70, 45) { _, _, band in [200, 90, 17][band] }
      #expect(try Render.png(picture, filters: [.blur(radius)]).samples == picture.samples)
    }

    @Test(
      "a picture of one row, column or pixel is blurred along what there is",
      arguments: [(1, 1), (40, 1), (1, 40), (2, 3)], [0.5, 3.0, 20, 250])
    func thin(size: (Int, Int), radius: Double) throws {
      let picture = Drawing.picture(size.0, size.1) { x, y, _ in (x + y) % 2 == 0 ? 255 : 0 }
      let blurred = try Render.png(picture, filters: [.blur(radius)])
      #expect(blurred.size == picture.size)
      if size.0 * size.1 == 1 { #expect(blurred.samples == picture.samples) }
      // Half of the light, encoded, is code 188.
      if size.0 * size.1 == 40, radius == 3 {
        #expect(abs(blurred[size.0 / 2, size.1 / 2, 1] - 188) <= 1)
      }
    }

    @Test("what is transparent gives no colour")
    func transparency() throws {
      let picture = Drawing.picture(60, 40, bands: 4) { x, _, band in
        band == 3 ? (x < 30 ? 255 : 0) : (x < 30 ? [180, 90, 40][band] : 255)
      }
      let blurred = try Render.png(picture, filters: [.blur(3)])
      for x in 0..<34 {
        for band in 0..<3 { #expect(abs(blurred[x, 20, band] - [180, 90, 40][band]) <= 2) }
      }
      #expect(abs(blurred[29, 20, 3] - 144) <= 2 && abs(blurred[30, 20, 3] - 111) <= 2)
      #expect(blurred[45, 20, 3] == 0)
    }

    @Test("bands of columns and strips of rows meet without a seam", arguments: [2.0, 9, 40])
    func seams(radius: Double) throws {
      // Wider than a band; every row of the picture is the same, so is every row of the result.
      let picture = Drawing.picture(1400, 70) { x, _, _ in (x * x / 50) % 256 }
      let blurred = try Render.png(picture, filters: [.blur(radius)])
      let row = Array(blurred.samples[..<(1400 * 3)])
      for y in 1..<70 {
        #expect(Array(blurred.samples[(y * 4200)..<((y + 1) * 4200)]) == row, "row \(y)")
      }
      let turned = try Render.png(picture, filters: [.orient(6), .blur(radius), .orient(8)])
      #expect(turned.samples == blurred.samples)
    }

    @Test("several threads and a turn, which asks for tiles, give what one thread gives")
    func order() throws {
      let picture = Drawing.scene(700, 300)
      let rendition = [Rendition(name: "r", type: .png)]
      let steps: [FilterStep] = [
        .detail("noiseReduction", ["luminance": 0.6, "colour": 0.4, "radius": 3]), .blur(3),
        .sharpen(amount: 1, radius: 2), .blur(18),
      ]
      let one = try Render(picture.file(.png), rendition, filters: steps).decoded()
      let two = try Render(picture.file(.png), rendition, filters: steps, threads: 3).decoded()
      #expect(one.samples == two.samples)
      let turned = try Render.png(picture, filters: steps + [.straighten(1e-9)])
      let cut = zip(turned.samples, one.samples).filter { abs(Int($0) - Int($1)) > 1 }
      #expect(turned.size == one.size ? cut.isEmpty : turned.size.pixels > 0)
    }

    @Test("a fast rendition blurs as far as one of full quality")
    func reduced() throws {
      let picture = Drawing.picture(640, 480) { x, y, _ in x < 320 ? 40 : 220 }
      let file = try picture.file(.jpeg, quality: 98)
      func render(_ mode: Rendition.DeliveryMode) throws -> PixelBuffer {
        let rendition = Rendition(
          name: "r", type: .png, targetSize: Rendition.TargetSize(width: 80, height: 60),
          deliveryMode: mode)
        return try Render(file, [rendition], filters: [.blur(24)]).decoded()
      }
      let (full, fast) = (try render(.highQuality), try render(.fast))
      for x in 0..<80 { #expect(abs(full[x, 30, 0] - fast[x, 30, 0]) <= 3, "column \(x)") }
    }

    @Test("parameters out of range are an invalid adjustment", arguments: [0, -1, .nan, 1e9])
    func outOfRange(radius: Double) throws {
      let failure = #expect(throws: RenderFailure.self) {
        try Render.png(Drawing.scene(8, 8), filters: [.blur(radius)])
      }
      #expect(failure?.code == .invalidAdjustment)
    }
  }
}
