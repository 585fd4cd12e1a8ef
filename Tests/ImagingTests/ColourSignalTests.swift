import ColourEngine
import Glibc
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  /// What files say of their colours without a profile.
  @Suite("Colour without a profile")
  struct ColourSignalTests {
    private static let srgbPrimaries = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
    private static let p3Primaries = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000]

    private func render(_ file: TemporaryFile, _ space: Rendition.ColorSpace = .sRGB) throws
      -> (result: RenderResult, picture: PixelBuffer)
    {
      let render = try Render(file, [Rendition(name: "r", type: .png, colorSpace: space)])
      return (render.result, try render.decoded())
    }

    private func ramp(_ chunks: [(String, [UInt8])], profile: [UInt8]? = nil) throws
      -> TemporaryFile
    {
      var drawing = Drawing.picture(256, 2) { x, _, _ in x }
      drawing.profile = profile
      return try TemporaryFile(HandMade.png(try drawing.file(.png).bytes, adding: chunks))
    }

    @Test("a gamma is decoded by its exponent", arguments: [(100_000, 1.0), (62_500, 1.6)])
    func gamma(stored: Int, exponent: Double) throws {
      let (result, picture) = try render(ramp([("gAMA", HandMade.big(stored, 4))]))
      for x in stride(from: 0, through: 255, by: 5) {
        let wanted = StandardRGB.code(pow(Double(x) / 255, exponent))
        #expect(abs(Double(picture[x, 1, 0]) - wanted) <= 1, "\(x)")
      }
      #expect(!result.losses.contains("wideGamut"))
    }

    @Test("the chunk sRGB counts more than gamma and chromaticities")
    func standard() throws {
      let corners = Self.p3Primaries.flatMap { HandMade.big($0, 4) }
      let (_, picture) = try render(
        ramp([("gAMA", HandMade.big(100_000, 4)), ("cHRM", corners), ("sRGB", [0])]))
      for x in 0..<256 { #expect(picture.pixel(x, 1) == [x, x, x]) }
    }

    @Test("nonsense in gamma and chromaticities is passed over")
    func nonsense() throws {
      for chunks in [
        [("gAMA", HandMade.big(0, 4))], [("gAMA", HandMade.big(45455, 4)), ("cHRM", zeros)],
        [("cICP", [9, 200, 0, 1])], [("cICP", [9, 16])],
      ] {
        let (_, picture) = try render(ramp(chunks))
        for x in 0..<256 { #expect(picture.pixel(x, 1) == [x, x, x]) }
      }
    }

    private let zeros = [UInt8](repeating: 0, count: 32)

    @Test("chromaticities of Display P3 move colours as the profile would")
    func chromaticities() throws {
      let drawing = Drawing.picture(2, 1) { x, _, band in [[200, 60, 60], [60, 180, 75]][x][band] }
      let file = try HandMade.png(
        drawing.file(.png).bytes,
        adding: [
          ("gAMA", HandMade.big(45455, 4)),
          ("cHRM", Self.p3Primaries.flatMap { HandMade.big($0, 4) }),
        ])
      let (_, picture) = try render(TemporaryFile(file))
      // The values of Display P3 to sRGB by gamma 2.2, worked out with colour-science.
      for (x, wanted) in [[217, 40, 51], [0, 183, 56]].enumerated() {
        #expect(zip(picture.pixel(x, 0), wanted).allSatisfy { abs($0 - $1) <= 3 })
      }
    }

    @Test("the blue of ProPhoto, which is nearly nothing, is one that counts")
    func proPhoto() throws {
      let corners = [34567, 35850, 73470, 26530, 15960, 84040, 3660, 10].flatMap {
        HandMade.big($0, 4)
      }
      let drawing = Drawing.picture(2, 1) { x, _, band in
        [[90, 120, 60], [150, 140, 130]][x][band]
      }
      let file = try HandMade.png(
        drawing.file(.png).bytes, adding: [("gAMA", HandMade.big(55_556, 4)), ("cHRM", corners)])
      let (_, picture) = try render(TemporaryFile(file))
      // Light by the power of 1.8, primaries of ROMM and Bradford from D50 to D65: with NumPy.
      for (x, wanted) in [[89.9, 144.7, 60], [177.8, 155.4, 146.6]].enumerated() {
        for band in 0..<3 { #expect(abs(Double(picture[x, 0, band]) - wanted[band]) <= 2) }
      }
    }

    @Test("cICP counts more than a profile, and PQ is shown rolled off and listed")
    func coded() throws {
      let file = try ramp([("cICP", [12, 13, 0, 1])], profile: EmbeddedProfile.sRGB)
      #expect(try render(file, .displayP3).result.outputs[0].profile == "Display P3")
      #expect(try render(file, .source).result.outputs[0].profile == "Display P3")

      let pq = try ramp([("cICP", [9, 16, 0, 1])])
      let (result, picture) = try render(pq)
      #expect(result.losses.contains("hdr"))
      // 203 cd/m² has the code 148 in 8 bits; 1000 cd/m² and all above are white.
      #expect((200...240).contains(picture[148, 0, 0]))
      #expect(picture[192, 0, 0] >= 254 && picture[255, 0, 0] == 255)
      #expect(picture[80, 0, 0] > 60 && picture[80, 0, 0] < 120)
      #expect(try render(pq, .source).result.outputs[0].profile == "Display P3")
    }

    @Test("EXIF's word for Adobe RGB counts where there is no profile")
    func interoperability() throws {
      var drawing = Drawing.picture(8, 8) { _, _, band in [100, 200, 100][band] }
      drawing.metadata = [
        "exif-ifd4-InteroperabilityIndex": Array("R03".utf8),
        "exif-ifd2-ColorSpace": Array("65535".utf8),
      ]
      let (result, picture) = try render(drawing.file(.jpeg, quality: 100))
      // Adobe RGB (100, 200, 100) lies outside sRGB: red falls to nothing.
      #expect(picture[4, 4, 0] < 10 && picture[4, 4, 1] >= 200)
      #expect(result.losses.contains("wideGamut"))
    }
  }
}
