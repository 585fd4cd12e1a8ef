import ColourEngine
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Colour")
  struct Colour {
    /// Display P3 to sRGB in linear light, from the matrices of CSS Color Module Level 4, 11.2:
    /// XYZ (D65) from P3, and sRGB from XYZ.
    static func sRGB(fromP3 code: [Int]) -> [Double] {
      let light = code.map { StandardRGB.decode(Double($0) / 255) }
      let toXYZ: [[Double]] = [
        [608311.0 / 1_250_200, 189793.0 / 714_400, 198249.0 / 1_000_160],
        [35783.0 / 156_275, 247089.0 / 357_200, 198249.0 / 2_500_400],
        [0, 32229.0 / 714_400, 5_220_557.0 / 5_000_800],
      ]
      let toRGB: [[Double]] = [
        [12831.0 / 3959, -329.0 / 214, -1974.0 / 3959],
        [-851781.0 / 878_810, 1_648_619.0 / 878_810, 36519.0 / 878_810],
        [705.0 / 12673, -2585.0 / 12673, 705.0 / 667],
      ]
      func apply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { zip($0, vector).map(*).reduce(0, +) }
      }
      return apply(toRGB, apply(toXYZ, light)).map { StandardRGB.code($0) }
    }

    static let patches = [
      [255, 0, 0], [0, 255, 0], [200, 60, 60], [60, 180, 75], [128, 128, 128], [230, 190, 150],
      [1, 2, 3], [255, 255, 255], [0, 0, 0],
    ]

    static func patchwork(_ profile: [UInt8]?) -> PixelBuffer {
      var drawing = Drawing.picture(16 * patches.count, 16) { x, _, band in
        patches[x / 16][band]
      }
      drawing.profile = profile
      return drawing
    }

    @Test("Display P3 becomes sRGB by the published matrices", arguments: [nil, 24])
    func p3ToSRGB(height: Int?) throws {
      let profile = EmbeddedProfile.displayP3
      let rendition = Rendition(
        name: "r", type: .png,
        targetSize: height.map { .init(width: 16 * Self.patches.count, height: $0 / 3) },
        contentMode: .exact, colorSpace: .sRGB)
      let render = try Render(Self.patchwork(profile).file(.png), [rendition])
      let picture = try render.decoded()
      for (index, patch) in Self.patches.enumerated() {
        let wanted = Self.sRGB(fromP3: patch)
        for band in 0..<3 {
          let got = Double(picture[16 * index + 8, picture.size.height / 2, band])
          #expect(abs(got - wanted[band]) <= 1, "\(patch)")
        }
      }
      #expect(render.result.losses.contains("wideGamut"))
      #expect(render.result.outputs[0].profile == "sRGB")
    }

    @Test("a source that keeps its space keeps its numbers and its profile")
    func keepsSpace() throws {
      let profile = EmbeddedProfile.displayP3
      let drawing = Self.patchwork(profile)
      let render = try Render(drawing.file(.png), [Rendition(name: "r", type: .png)])
      let picture = try render.decoded()
      #expect(picture.samples == drawing.samples)
      #expect(picture.profile == profile)
      #expect(render.result.losses.isEmpty)
    }

    @Test(
      "untagged means sRGB, and the profile is embedded",
      arguments: UniformType.writable.filter(UniformType.readable.contains))
    func untagged(type: UniformType) throws {
      let render = try Render(Self.patchwork(nil).file(.png), [Rendition(name: "r", type: type)])
      let picture = try render.decoded()
      let profile = try #require(picture.profile)
      #expect(RGBSpace(iccProfile: profile) == .sRGB)
    }

    @Test("sRGB to Display P3 and back is where it was")
    func toP3() throws {
      let drawing = Self.patchwork(nil)
      let wide = Rendition(name: "r", type: .png, bitDepth: 16, colorSpace: .displayP3)
      let there = try Render(drawing.file(.png), [wide])
      #expect(there.result.outputs[0].profile == "Display P3")
      let back = try Render(
        there.decoded().file(.png), [Rendition(name: "r", type: .png, colorSpace: .sRGB)]
      ).decoded()
      let worst = zip(back.samples, drawing.samples).map { abs(Int($0) - Int($1)) }.max()
      #expect((worst ?? 255) <= 1)
    }

    @Test("sixteen bits stay sixteen bits", arguments: [UniformType.png, .tiff])
    func deep(type: UniformType) throws {
      let ramp = Drawing.deepPicture(1024, 4) { x, _, _ in 61 * x }
      let rendition = Rendition(name: "r", type: type, bitDepth: 16)
      let render = try Render(ramp.file(type), [rendition])
      let picture = try render.decoded()
      #expect(render.result.outputs[0].bitDepth == 16)
      var worst = 0
      for x in 0..<1024 { worst = max(worst, abs(picture.deep(x, 1, 0) - 61 * x)) }
      #expect(worst <= 1)

      let brighter = try Render(ramp.file(type), [rendition], filters: [.exposure(0.5)]).decoded()
      #expect(Set((0..<1024).map { brighter.deep($0, 1, 0) }).count > 512)
    }

    @Test("losses are named", arguments: [UniformType.jpeg, .webP, .avif, .png])
    func losses(type: UniformType) throws {
      let deep = Drawing.deepPicture(20, 20, bands: 4) { x, _, _ in 3000 * x }
      let render = try Render(deep.file(.png), [Rendition(name: "r", type: type, bitDepth: 16)])
      let expected: Set<String> =
        switch type {
        case .jpeg: ["alpha", "bitDepth"]
        case .png: []
        default: ["bitDepth"]
        }
      #expect(Set(render.result.losses) == expected)
    }

    @Test("alpha in a JPEG lies on white, mixed in light")
    func flattened() throws {
      let half = Drawing.picture(32, 32, bands: 4) { _, _, band in [0, 0, 0, 128][band] }
      let picture = try Render(half.file(.png), [Rendition(name: "r", type: .jpeg)]).decoded()
      let wanted = StandardRGB.code(1 - 128.0 / 255)
      #expect(picture.bands == 3)
      for band in 0..<3 { #expect(abs(Double(picture[16, 16, band]) - wanted) <= 2) }
    }

    @Test("grey is read by its own curve and written as equal channels", arguments: [1, 2])
    func grey(bands: Int) throws {
      let ramp = Drawing.picture(256, 4, bands: bands) { x, _, band in band == 0 ? x : 255 }
      let picture = try Render(ramp.file(.png), [Rendition(name: "r", type: .png)]).decoded()
      for x in 0..<256 {
        #expect(picture.pixel(x, 2).prefix(3).allSatisfy { abs($0 - x) <= 1 })
      }
    }

    @Test("a profile that does not fit the picture is not used")
    func misfit() throws {
      var ramp = Drawing.picture(64, 4, bands: 1) { x, _, _ in 4 * x }
      let wide = EmbeddedProfile.displayP3
      ramp.profile = wide
      let picture = try Render(ramp.file(.tiff), [Rendition(name: "r", type: .png)]).decoded()
      for x in 0..<64 { #expect(picture.pixel(x, 2).allSatisfy { abs($0 - 4 * x) <= 1 }) }

      var broken = Self.patchwork([UInt8](repeating: 0x41, count: 300))
      broken.orientation = 1
      let plain = try Render(broken.file(.tiff), [Rendition(name: "r", type: .png)]).decoded()
      #expect(plain.samples == broken.samples)
    }

    @Test("CMYK becomes colours that its inks make")
    func inks() throws {
      let inks = [
        [0, 0, 0, 0], [0, 0, 0, 255], [0, 255, 255, 0], [255, 0, 0, 0], [0, 0, 255, 0],
      ]
      let file = try TemporaryFile(
        HandMade.cmykTIFF(width: 80, height: 8) { x, _, band in UInt8(inks[x / 16][band]) })
      let render = try Render(file, [Rendition(name: "r", type: .png)])
      let picture = try render.decoded()
      let seen = (0..<5).map { picture.pixel(16 * $0 + 8, 4) }
      #expect(seen[0].allSatisfy { $0 > 240 })
      #expect(seen[1].allSatisfy { $0 < 70 })
      #expect(seen[2][0] > 180 && seen[2][1] < 100 && seen[2][2] < 100)
      #expect(seen[3][0] < seen[3][1] && seen[3][0] < seen[3][2])
      #expect(seen[4][2] < seen[4][0] && seen[4][2] < seen[4][1])
      #expect(render.result.losses.contains("cmyk"))
    }

    @Test("exposure doubles the light, before and after a reduction", arguments: [64, 16])
    func exposure(side: Int) throws {
      let plane = Drawing.picture(64, 64) { _, _, _ in 100 }
      let picture = try Render.png(
        plane, filters: [.exposure(1)], target: .init(width: side, height: side))
      let wanted = StandardRGB.code(2 * StandardRGB.decode(100.0 / 255))
      #expect(abs(Double(picture[side / 2, side / 2, 0]) - wanted) <= 1)
    }
  }
}
