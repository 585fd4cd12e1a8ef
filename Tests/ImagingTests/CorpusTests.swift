import Glibc
import Imaging
import RenderModel
import Testing

/// Inputs recreated from public bug reports, where they lie beside the checkout.
let reportedInputs = SharedFolder("corpus/reports", of: "the corpus")

extension ImagingTests {
  @Suite(
    "Public reports",
    .enabled(if: reportedInputs.path != nil, "the corpus is not beside the checkout"))
  struct PublicReports {
    static func png(
      _ name: String, _ target: Rendition.TargetSize? = nil,
      colorSpace: Rendition.ColorSpace = .source, bitDepth: Int? = nil
    ) throws -> (PixelBuffer, RenderResult) {
      let rendition = Rendition(
        name: "r", type: .png, targetSize: target, bitDepth: bitDepth, colorSpace: colorSpace)
      let render = try Render(reportedInputs.file(name), [rendition])
      return (try render.decoded(), render.result)
    }

    static func failure(_ name: String) throws -> RenderFailure? {
      do {
        _ = try Render(reportedInputs.file(name), [Rendition(name: "r")])
        return nil
      } catch let failure as RenderFailure {
        return failure
      }
    }

    static func near(_ picture: PixelBuffer, _ x: Int, _ y: Int, _ wanted: [Int], _ bound: Int)
      -> Bool
    {
      zip(picture.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= bound }
    }

    static func isQuadrants(_ picture: PixelBuffer) -> Bool {
      let (w, h) = (picture.size.width, picture.size.height)
      func hue(_ x: Int, _ y: Int) -> [Bool] { picture.pixel(x, y).prefix(3).map { $0 > 128 } }
      return hue(w / 4, h / 4) == [true, false, false]
        && [[false, true, false], [false, false, false]].contains(hue(3 * w / 4, h / 4))
        && hue(w / 4, 3 * h / 4) == [false, false, true]
        && hue(3 * w / 4, 3 * h / 4) == [true, true, false]
    }

    @Test("01: turned once")
    func turnedOnce() throws {
      let (picture, _) = try Self.png("01-rotated-twice/in.jpg")
      #expect(picture.size == PixelSize(width: 600, height: 400))
      #expect(Self.isQuadrants(picture))
      #expect(picture.orientation == 1)
      #expect(picture.metadata["jpeg-thumbnail-data"] == nil)
    }

    @Test("03: Display P3 is converted, or kept with its profile")
    func p3() throws {
      let wanted = [
        [255, 0, 0], [0, 255, 0], [217, 42, 52], [0, 183, 57], [128, 128, 128], [238, 188, 144],
      ]
      let (png, _) = try Self.png("03-p3-washed-out/p3-patches.png", colorSpace: .sRGB)
      let (jpeg, _) = try Self.png("03-p3-washed-out/p3-patches.jpg", colorSpace: .sRGB)
      for (index, patch) in wanted.enumerated() {
        #expect(Self.near(png, 64 * index + 32, 32, patch, 2))
        #expect(Self.near(jpeg, 64 * index + 32, 32, patch, 5))
      }
      let (kept, _) = try Self.png("03-p3-washed-out/p3-patches.png")
      #expect(kept.pixel(160, 32) == [200, 60, 60])
      #expect(kept.profile != nil)
    }

    @Test(
      "04 and 05: CMYK is no negative, whatever is attached",
      arguments: [
        "04-cmyk-inverted/adobe.jpg", "04-cmyk-inverted/no-adobe-marker.jpg",
        "05-cmyk-with-rgb-profile/in.jpg",
      ])
    func inks(name: String) throws {
      let (picture, result) = try Self.png(name)
      #expect(result.notes.contains { $0.contains("is not used") } == name.hasPrefix("05"))
      let seen = (0..<5).map { picture.pixel(64 * $0 + 32, 32) }
      #expect(seen[0].allSatisfy { $0 > 240 })
      #expect(seen[1].allSatisfy { $0 < 70 })
      #expect(seen[2][0] > 180 && seen[2][1] < 100 && seen[2][2] < 100)
      #expect(seen[3][0] == seen[3].min())
      #expect(seen[4][2] == seen[4].min())
    }

    @Test(
      "06 and 07: grey stays grey and white stays white",
      arguments: [
        ("06-grey-with-rgb-profile/in.png", 2), ("06-grey-with-rgb-profile/in.jpg", 4),
        ("07-grey-icc-white-turns-grey/in.jpg", 4),
      ])
    func grey(name: String, bound: Int) throws {
      let (picture, result) = try Self.png(name)
      #expect(
        result.notes.contains { $0.contains("is not used") }
          == name.hasPrefix("06"))
      for x in 0..<256 { #expect(Self.near(picture, x, 32, [x, x, x], bound), "column \(x)") }
      #expect(picture[255, 32, 0] >= 253)
    }

    @Test("08: sixteen bits", arguments: ["in.png", "in.tif"])
    func deep(name: String) throws {
      let (picture, _) = try Self.png("08-16-bit-turns-8/" + name, bitDepth: 16)
      for x in 0..<1024 { #expect(abs(picture.deep(x, 8, 0) - 61 * x) <= 1) }
    }

    @Test("09: no fringe around what is cut out")
    func fringe() throws {
      let (picture, _) = try Self.png(
        "09-alpha-fringe/white-disc.png", .init(width: 128, height: 128))
      for y in 0..<128 {
        for x in 0..<128 where picture[x, y, 3] > 8 {
          #expect(picture.pixel(x, y).prefix(3).allSatisfy { $0 >= 250 })
        }
      }
    }

    @Test("10: no thumbnail of what was cropped away")
    func thumbnail() throws {
      let render = try Render(
        reportedInputs.file("10-exif-thumbnail-keeps-old-picture/in.jpg"), [Rendition(name: "r")])
      #expect(try render.decoded().metadata["jpeg-thumbnail-data"] == nil)
    }

    @Test(
      "16 and 17: what is broken has a named reason",
      arguments: [
        ("16-bad-file-blocks-queue/cut.jpg", [FailureCode.truncated]),
        ("16-bad-file-blocks-queue/noise.jpg", [.truncated, .unreadable]),
        ("16-bad-file-blocks-queue/text.heic", [.unsupportedType]),
        ("16-bad-file-blocks-queue/zero.jpg", [.unreadable]),
        ("17-truncated-passes-silently/cut-at-60-percent.jpg", [.truncated]),
      ])
    func broken(name: String, codes: [FailureCode]) throws {
      let failure = try #require(try Self.failure(name))
      #expect(codes.contains(failure.code))
    }

    @Test(
      "17 and 18: what only looks broken is the whole picture",
      arguments: [
        "17-truncated-passes-silently/last-2-bytes-missing.jpg",
        "18-harmless-warning-must-not-fail/bad-sos-parameters.jpg",
        "18-harmless-warning-must-not-fail/trailing-garbage.jpg",
      ])
    func harmless(name: String) throws {
      let (whole, _) = try Self.png("17-truncated-passes-silently/complete.jpg")
      #expect(try Self.png(name).0.samples == whole.samples)
    }

    @Test("19: a side that WebP cannot hold")
    func tall() throws {
      let file = try reportedInputs.file("19-webp-size-limit/tall.jpg")
      let failure = #expect(throws: RenderFailure.self) {
        try Render(file, [Rendition(name: "w", type: .webP)])
      }
      #expect(failure?.code == .limitExceeded)
      let small = Rendition(name: "s", type: .webP, targetSize: .init(width: 2000, height: 2000))
      let result = try Render(file, [small, Rendition(name: "j")]).result
      #expect(result.outputs.map(\.width) == [4, 40])
      #expect(result.outputs.map(\.height) == [2000, 20_000])
    }

    @Test(
      "20: types come from the bytes",
      arguments: [
        ("20-wrong-extension/jpeg-inside.HEIC", UniformType.jpeg),
        ("20-wrong-extension/no_extension", .jpeg), ("20-wrong-extension/png-inside.jpg", .png),
      ])
    func type(name: String, type: UniformType) throws {
      let file = try reportedInputs.file(name)
      let picture = try file.opened(limits: RenderLimits(), tolerant: false).get()
      #expect(picture.header.type == type)
    }
  }
}
