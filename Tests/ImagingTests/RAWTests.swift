import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("RAW")
  struct RAW {
    static let sensors: [HandMadeDNG.Sensor] = [
      .mosaic([0, 1, 1, 2]), .mosaic([2, 1, 1, 0]), .mosaic([1, 0, 2, 1]), .mosaic([1, 2, 0, 1]),
      .linear,
    ]

    @Test("known colours come out as the specification's mathematics says", arguments: sensors)
    func colours(sensor: HandMadeDNG.Sensor) throws {
      let (picture, result) = try RAWReference.chart(sensor).rendered()
      #expect(picture.size == PixelSize(width: 60, height: 40))
      for (index, patch) in RAWReference.patches.enumerated() {
        let (x, y) = RAWReference.centre(index)
        for (seen, light) in zip(picture.fractions(x, y), patch) {
          #expect(abs(seen - StandardRGB.encode(light)) < 0.004, "patch \(index)")
        }
      }
      #expect(result.notes.contains { $0.contains("white balance as shot") })
    }

    @Test("RAW becomes Display P3 unless something else is asked for")
    func displayP3() throws {
      let (picture, result) = try RAWReference.chart(.linear).rendered(.source)
      #expect(result.outputs.map(\.profile) == ["Display P3"])
      for (index, patch) in RAWReference.patches.enumerated() {
        let (x, y) = RAWReference.centre(index)
        for (seen, code) in zip(picture.fractions(x, y), RAWReference.encodedP3(patch)) {
          #expect(abs(seen - code) < 0.004, "patch \(index)")
        }
      }
    }

    @Test("what the camera called grey is grey, whatever the light", arguments: sensors)
    func whiteBalance(sensor: HandMadeDNG.Sensor) throws {
      var dng = HandMadeDNG()
      dng.sensor = sensor
      let neutral = [0.9, 1, 0.35]
      dng.neutral = neutral
      dng.light = { x, _ in neutral.map { $0 * (x < 32 ? 0.1 : 0.5) } }
      let (picture, _) = try dng.rendered()
      for (x, light) in [(16, 0.1), (48, 0.5)] {
        for seen in picture.fractions(x, 24) {
          #expect(abs(seen - StandardRGB.encode(light)) < 0.004)
        }
      }
    }

    @Test("without a white balance of the camera's own, daylight serves, and the report says so")
    func daylight() throws {
      var dng = RAWReference.chart(.mosaic([0, 1, 1, 2]))
      dng.neutral = nil
      let (picture, result) = try dng.rendered()
      let grey = picture.fractions(10, 10)
      #expect((grey.max() ?? 1) - (grey.min() ?? 0) < 0.01)
      #expect(result.notes.contains { $0.contains("daylight") })
    }

    @Test("a sensor without colours gives grey")
    func monochrome() throws {
      var dng = HandMadeDNG()
      dng.sensor = .monochrome
      dng.light = { x, _ in [x < 32 ? 0.05 : 0.6] }
      let (picture, _) = try dng.rendered()
      for (x, light) in [(16, 0.05), (48, 0.6)] {
        for seen in picture.fractions(x, 24) {
          #expect(abs(seen - StandardRGB.encode(light)) < 0.004)
        }
      }
    }

    @Test("full channels become white, and no pixel among them black")
    func highlights() throws {
      var dng = HandMadeDNG()
      let neutral = RAWReference.neutral(dng.matrix)
      dng.neutral = neutral
      // Twice as much light from column to column, past what each channel holds.
      dng.light = { x, _ in neutral.map { min($0 * Double(x + 1) / 32, 1) } }
      let (picture, _) = try dng.rendered()
      for x in 36..<60 { #expect(picture.fractions(x, 24).allSatisfy { $0 > 0.97 }, "column \(x)") }
      // What lies above white is still there for a filter.
      let (darker, _) = try dng.rendered(filters: [.exposure(-1)])
      let light = darker.fractions(50, 24).map(StandardRGB.decode)
      #expect(light.allSatisfy { $0 > 0.51 })
      #expect((light.max() ?? 1) - (light.min() ?? 0) < 0.02)
    }

    @Test("the picture is turned once", arguments: 1...8)
    func orientation(number: Int) throws {
      var dng = RAWReference.chart(.linear)
      dng.orientation = number
      let (picture, _) = try dng.rendered()
      let swaps = number >= 5
      #expect(
        picture.size == PixelSize(width: swaps ? 40 : 60, height: swaps ? 60 : 40))
      #expect(picture.orientation == 1)
      for (index, patch) in RAWReference.patches.enumerated() {
        let (x, y) = RAWReference.centre(index)
        let shown = OrientationTests.shown(number, x, y, 60, 40)
        for (seen, light) in zip(picture.fractions(shown.0, shown.1), patch) {
          #expect(abs(seen - StandardRGB.encode(light)) < 0.004, "patch \(index)")
        }
      }
    }

    @Test("the part of the sensor that sees no light is cut off")
    func margins() throws {
      var dng = RAWReference.chart(.mosaic([0, 1, 1, 2]))
      dng.margin = (left: 8, top: 4)
      let (picture, _) = try dng.rendered()
      #expect(picture.size == PixelSize(width: 60, height: 40))
      for (index, patch) in RAWReference.patches.enumerated() {
        let (x, y) = RAWReference.centre(index)
        for (seen, light) in zip(picture.fractions(x, y), patch) {
          #expect(abs(seen - StandardRGB.encode(light)) < 0.004, "patch \(index)")
        }
      }
    }

    @Test("several renditions and local filters come from one development")
    func once() throws {
      let file = try TemporaryFile(RAWReference.chart(.linear).bytes)
      let names = ["a", "b"].map { Rendition(name: $0, type: .png) }
      let local = FilterStep(
        name: "dehaze", version: 1, parameters: [.init(name: "amount", value: .number(0.2))])
      #expect(try Render(file, names, filters: [local]).decodes == 1)
      #expect(try Render(file, [names[0]], filters: [local]).decodes == 1)
    }

    @Test("the header says what is known before anything is decoded")
    func header() throws {
      var dng = RAWReference.chart(.mosaic([0, 1, 1, 2]))
      dng.orientation = 6
      let header = try TemporaryFile(dng.bytes).opened().get().header
      #expect(header.type == .dng)
      #expect([header.width, header.height, header.bands, header.bitDepth] == [60, 40, 3, 16])
      #expect(header.orientation == 6)
      #expect(header.captured == "2021-03-04T05:06:07.25+02:00")
      #expect(header.needsWholePicture)
    }

    @Test("EXIF goes into the renditions")
    func metadata() throws {
      let (picture, _) = try RAWReference.chart(.linear).rendered()
      for (field, value) in [
        ("exif-ifd0-Make", "Minilab"), ("exif-ifd0-Model", "Test Camera"),
        ("exif-ifd0-Copyright", "Nobody"), ("exif-ifd2-DateTimeOriginal", "2021:03:04 05:06:07"),
        ("exif-ifd2-ISOSpeedRatings", "400"), ("exif-ifd2-ExposureTime", "1/125"),
      ] {
        let bytes = try #require(picture.metadata[field], "\(field)")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix(value) || text.contains("(\(value)"), "\(field): \(text)")
      }
    }

    @Test("limits are held against the header")
    func limits() throws {
      let file = try TemporaryFile(RAWReference.chart(.linear).bytes)
      guard case .failure(let failure) = file.opened(limits: RenderLimits(pixels: 2399)) else {
        Issue.record("it was opened")
        return
      }
      #expect(failure.code == .limitExceeded)
      #expect(throws: Never.self) { try file.opened(limits: RenderLimits(pixels: 2400)).get() }
    }

    @Test("a RAW file is no mask and no overlay")
    func onlyOriginals() throws {
      let file = try TemporaryFile(RAWReference.chart(.linear).bytes)
      guard
        case .failure(let failure) = OpenedPicture.open(
          descriptor: file.descriptor, limits: RenderLimits(), tolerant: false, rawSource: nil)
      else {
        Issue.record("it was opened")
        return
      }
      #expect(failure.code == .unsupportedType)
    }
  }
}
