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

    @Test("the narrow range of video is widened", arguments: [8, 16])
    func narrow(bits: Int) throws {
      let unit = bits == 16 ? 256 : 1
      let drawing =
        bits == 16
        ? Drawing.deepPicture(220, 2, bands: 4) { x, _, band in band == 3 ? 30_000 : (16 + x) * 256
        }
        : Drawing.picture(220, 2, bands: 4) { x, _, band in band == 3 ? 100 : 16 + x }
      let file = try TemporaryFile(
        HandMade.png(try drawing.file(.png).bytes, adding: [("cICP", [1, 13, 0, 0])]))
      let (result, picture) = try render(file)
      #expect(result.outputs[0].profile == "sRGB")
      for x in [0, 1, 50, 110, 218, 219] {
        let wanted = Double(x) / 219 * 255
        #expect(abs(Double(picture[x, 1, 1]) - wanted) <= 1, "\(x)")
      }
      #expect(abs(picture[5, 0, 3] - (unit == 1 ? 100 : 117)) <= 1)
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

    @Test("Exif's word for Adobe RGB counts in a TIFF and beside code points that say nothing")
    func interoperabilityElsewhere() throws {
      // The main directory points to the Exif one, and that to the one of interoperability.
      func exif(_ space: Int, _ rule: String?) -> [UInt8] {
        var block: [UInt8] = Array("MM".utf8) + [0, 42] + HandMade.big(8, 4)
        block += HandMade.big(1, 2) + HandMade.big(0x8769, 2) + HandMade.big(4, 2)
        block += HandMade.big(1, 4) + HandMade.big(26, 4) + HandMade.big(0, 4)
        block += HandMade.big(rule == nil ? 1 : 2, 2)
        block += HandMade.big(0xA001, 2) + HandMade.big(3, 2) + HandMade.big(1, 4)
        block += HandMade.big(space, 2) + [0, 0]
        guard let rule else { return block + HandMade.big(0, 4) }
        block += HandMade.big(0xA005, 2) + HandMade.big(4, 2) + HandMade.big(1, 4)
        block += HandMade.big(56, 4) + HandMade.big(0, 4)
        block += HandMade.big(1, 2) + HandMade.big(1, 2) + HandMade.big(2, 2)
        // Without the offset of a next directory, as some write it.
        return block + HandMade.big(4, 4) + Array(rule.utf8) + [0]
      }
      var assembly = try HEIFFiles.picture(
        [Box.codePoints(2, 2, 6, isFullRange: true)],
        drawing: Drawing.picture(64, 64) { _, _, band in [100, 200, 100][band] })
      assembly.items.append(
        .init(
          id: 2, type: "Exif",
          data: Box.number(6, 4) + Array("Exif\0\0".utf8) + exif(0xFFFF, "R03")))
      assembly.references = [("cdsc", 2, [1])]
      let (result, picture) = try render(TemporaryFile(assembly.bytes))
      #expect(picture[4, 4, 0] < 20, "\(picture.pixel(4, 4))")
      #expect(result.losses.contains("wideGamut"))
      for (space, rule, isAdobe) in [(0xFFFF, "R03", true), (2, nil, true), (1, "R98", false)] {
        let block = exif(space, rule)
        let tiff = try Self.tiff(exif: block)
        #expect((try render(tiff).picture[4, 4, 0] < 10) == isAdobe, "TIFF \(space)")
      }
    }

    /// The directories of an Exif block that has nothing else, with those of a picture of 16 x 16.
    private static func tiff(exif: [UInt8]) throws -> TemporaryFile {
      let pixels = [[UInt8]](repeating: [100, 200, 100], count: 256).flatMap { $0 }
      let start = exif.count + exif.count % 2
      let directory = start + pixels.count + 6
      var bytes = exif + [UInt8](repeating: 0, count: start - exif.count) + pixels
      bytes += [0, 8, 0, 8, 0, 8]
      let fields = [
        (256, 16, 1), (257, 16, 1), (258, start + pixels.count, 3), (259, 1, 1), (262, 2, 1),
        (273, start, 1), (277, 3, 1), (278, 16, 1), (279, pixels.count, 1), (0x8769, 26, 1),
      ]
      bytes += HandMade.big(fields.count, 2)
      for (tag, value, count) in fields {
        bytes += HandMade.big(tag, 2) + HandMade.big(tag == 258 ? 3 : 4, 2)
        bytes += HandMade.big(count, 4) + HandMade.big(value, 4)
      }
      bytes += HandMade.big(0, 4)
      bytes.replaceSubrange(4..<8, with: HandMade.big(directory, 4))
      return try TemporaryFile(bytes)
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
