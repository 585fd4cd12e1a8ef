import ColourEngine
import Glibc
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Local filters in renders")
  struct LocalFilters {
    static let filters: [FilterStep] = [
      .local("highlightsShadows", [("highlights", -0.8), ("shadows", 0.9)]),
      .local("localContrast", [("amount", 0.8), ("radius", 0.03)]),
      .local("dehaze", [("amount", 0.7)]),
    ]

    /// Light and shade in large shapes, with texture.
    static func picture(_ width: Int, _ height: Int, bands: Int = 3) -> PixelBuffer {
      Drawing.picture(width, height, bands: bands) { x, y, band in
        if band == 3 { return 255 }
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
        let shape = u + 0.4 * v > 0.6 ? 150.0 : 25
        let wave = 40 * sin(u * 23 + Double(band)) * cos(v * 17)
        return Int(shape + wave + Double((x * 7 + y * 5) % 13) + 25 * v)
      }
    }

    static let png = Rendition(name: "r", type: .png)

    /// The largest and the mean difference of two pictures.
    static func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> (worst: Int, mean: Double) {
      guard one.samples.count == other.samples.count else { return (.max, .infinity) }
      let all = zip(one.samples, other.samples).map { abs(Int($0) - Int($1)) }
      return (all.max() ?? 0, Double(all.reduce(0, +)) / Double(all.count))
    }

    @Test(
      "one rendition from a stream and several from memory are the same picture",
      arguments: [
        [], [.crop(0.2, 0.1, 0.6, 0.7)], [.orient(6), .exposure(0.3)],
        [.sharpen(amount: 1, radius: 1)],
      ] as [[FilterStep]])
    func streamed(before: [FilterStep]) throws {
      let file = try Self.picture(1500, 900).file(.png)
      let filters = before + Self.filters
      let one = try Render(file, [Self.png], filters: filters)
      let two = try Render(file, [Self.png, Self.png], filters: filters)
      let found = Self.difference(try one.decoded(), try two.decoded(1))
      #expect(found.worst <= 1)
      #expect(one.decodes == 2 && two.decodes == 1)
      #expect(
        Self.difference(try one.decoded(), try Render(file, [Self.png], filters: before).decoded())
          .mean > 2)
    }

    @Test("filters at their identity cost no decode and change nothing")
    func identity() throws {
      let file = try Self.picture(120, 80).file(.png)
      let idle = FilterStep.local("dehaze", [("amount", 0)])
      let render = try Render(file, [Self.png], filters: [idle])
      #expect(try render.decoded().samples == file.decoded().samples)
      #expect(render.decodes == 1)
    }

    @Test("a crop before is as if the picture had always been that part")
    func cropped() throws {
      let whole = Self.picture(600, 400)
      let part = Drawing.picture(300, 200) { x, y, band in whole[x + 150, y + 100, band] }
      let cropped = try Render.png(whole, filters: [.crop(0.25, 0.25, 0.5, 0.5)] + Self.filters)
      let alone = try Render.png(part, filters: Self.filters)
      #expect(Self.difference(cropped, alone).worst <= 1)
    }

    @Test("an upside down picture becomes the same upside down")
    func turned() throws {
      let whole = Self.picture(300, 200)
      let turned = Drawing.picture(300, 200) { x, y, band in whole[299 - x, 199 - y, band] }
      let straight = try Render.png(whole, filters: Self.filters)
      let back = try Render.png(turned, filters: [.orient(3)] + Self.filters)
      #expect(Self.difference(straight, back).worst <= 1)
    }

    @Test("exposure before is seen by the analysis")
    func order() throws {
      let dark = Drawing.picture(200, 150) { x, y, _ in 10 + (x + y) % 20 }
      // Made 6 stops brighter nothing is a shadow any more.
      let lifted: [FilterStep] = [
        .exposure(6), .local("highlightsShadows", [("highlights", 0), ("shadows", 1)]),
      ]
      let plain = try Render.png(dark, filters: [.exposure(6)])
      #expect(Self.difference(plain, try Render.png(dark, filters: lifted)).worst <= 2)
      let after: [FilterStep] = [lifted[1], .exposure(6)]
      #expect(Self.difference(plain, try Render.png(dark, filters: after)).mean > 20)
    }

    @Test("filters after a straightening fit the turned picture")
    func straightened() throws {
      // Without detail of single pixels, which interpolation of the small picture softens.
      let picture = Drawing.picture(600, 400) { x, y, band in
        let wave = 70 * sin(Double(x) / 31 + Double(band)) * cos(Double(y) / 23)
        return Int(100 + wave + Double(x) / 10)
      }
      let turn = FilterStep.straighten(7)
      let direct = try Render.png(picture, filters: [turn] + Self.filters)
      // The same in two steps through a file.
      let halfway = try Render.png(picture, filters: [turn])
      let staged = try Render.png(halfway, filters: Self.filters)
      let found = Self.difference(direct, staged)
      #expect(found.mean < 0.5)
      #expect(found.worst <= 4)
    }

    @Test("a crop after one local filter and before another is followed")
    func twice() throws {
      let picture = Self.picture(600, 400)
      let crop = FilterStep.crop(0.1, 0.3, 0.5, 0.5)
      let direct = try Render.png(picture, filters: [Self.filters[0], crop, Self.filters[1]])
      let halfway = try Render.png(picture, filters: [Self.filters[0], crop])
      let staged = try Render.png(halfway, filters: [Self.filters[1]])
      #expect(Self.difference(direct, staged).worst <= 2)
    }

    @Test("a picture that the decoder has reduced looks the same")
    func fast() throws {
      let file = try Self.picture(2400, 1600).file(.jpeg)
      var rendition = Rendition(
        name: "r", type: .png, targetSize: Rendition.TargetSize(width: 300, height: 200))
      let best = try Render(file, [rendition], filters: Self.filters)
      rendition.deliveryMode = .fast
      let fast = try Render(file, [rendition], filters: Self.filters)
      #expect(fast.result.losses.contains("fullResolutionFiltering"))
      #expect(Self.difference(try best.decoded(), try fast.decoded()).mean < 2)
    }

    @Test(
      "a file cut off fails as it does without", arguments: [UniformType.jpeg, .png, .tiff, .webP],
      [30, 75, 97])
    func cut(type: UniformType, percent: Int) throws {
      let whole = try Self.picture(200, 150).file(type).bytes
      let bytes = Array(whole.prefix(whole.count * percent / 100))
      func code(_ filters: [FilterStep]) throws -> FailureCode? {
        switch try Damage.outcome(bytes, filters: filters) {
        case .success: nil
        case .failure(let failure): failure.code
        }
      }
      let plain = try code([])
      #expect(plain != nil)
      #expect(try code(Self.filters) == plain)
      #expect(try code([.crop(0, 0, 1, 0.2)] + Self.filters) == plain)
    }

    @Test("damage is tolerated where it is to be", arguments: [UniformType.jpeg, .png])
    func tolerant(type: UniformType) throws {
      let whole = try Self.picture(200, 150).file(type).bytes
      let bytes = Array(whole.prefix(whole.count * 3 / 4))
      let render = try Damage.outcome(bytes, tolerant: true, filters: Self.filters).get()
      #expect(render.result.damage.count == 1)
    }

    @Test("pictures of one pixel, one row and one column, and with alpha, render")
    func shapes() throws {
      for (width, height) in [(1, 1), (1, 90), (700, 1), (3, 2000)] {
        for bands in [1, 2, 3, 4] {
          let result = try Render.png(
            Drawing.picture(width, height, bands: bands) { x, y, band in (x + y * 3 + band) % 256 },
            filters: Self.filters)
          #expect(result.size == PixelSize(width: width, height: height))
        }
      }
    }
  }
}

extension FilterStep {
  static func local(_ name: String, _ numbers: [(String, Double)]) -> FilterStep {
    FilterStep(
      name: name, version: 1,
      parameters: numbers.map { Parameter(name: $0.0, value: .number($0.1)) })
  }
}
