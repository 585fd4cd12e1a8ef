import ColourEngine
import Glibc
import Testing

@Suite struct ICCProfileTests {
  static func sRGBTable(_ x: Double) -> Double { Reference.decode(x) }

  @Test(
    "a profile that means sRGB becomes exactly sRGB",
    arguments: [
      ProfileBuilder.sRGBCurve, ProfileBuilder.samples(1024, sRGBTable),
      ProfileBuilder.samples(4096, sRGBTable),
    ])
  func sRGB(curve: [UInt8]) {
    let profile = ProfileBuilder.rgb(ProfileBuilder.sRGBColourants, curve: curve)
    #expect(RGBSpace(iccProfile: profile.bytes) == .sRGB)
  }

  @Test("Apple's Display P3 becomes exactly Display P3")
  func displayP3() {
    let profile = ProfileBuilder.rgb(
      ProfileBuilder.displayP3Colourants, curve: ProfileBuilder.sRGBCurve)
    #expect(RGBSpace(iccProfile: profile.bytes) == .displayP3)
  }

  @Test("Adobe RGB keeps its own gamma and primaries")
  func adobeRGB() throws {
    let profile = ProfileBuilder.rgb(
      ProfileBuilder.adobeRGBColourants, curve: ProfileBuilder.gamma(563 / 256.0),
      name: "Adobe RGB (1998)")
    let space = try #require(RGBSpace(iccProfile: profile.bytes))
    #expect(space.name == "Adobe RGB (1998)")
    #expect(space.curves == Array(repeating: .gamma(563 / 256.0), count: 3))
    // The specification's matrix: primaries (.64 .33) (.21 .71) (.15 .06), white D65.
    let published = Primaries(
      red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.21, y: 0.71),
      blue: Chromaticity(x: 0.15, y: 0.06), white: .d65)
    let toXYZ = Primaries.rec2020.toXYZ * space.toWorking
    #expect(toXYZ.distance(to: published.toXYZ) < 1e-3)
    let white = space.toWorking.apply([1, 1, 1])
    #expect(abs(white.x - 1) + abs(white.y - 1) + abs(white.z - 1) < 1e-12)
  }

  @Test("gamma 2.2 on sRGB primaries is not taken for sRGB")
  func notSRGB() throws {
    let profile = ProfileBuilder.rgb(
      ProfileBuilder.sRGBColourants, curve: ProfileBuilder.gamma(2.2))
    let space = try #require(RGBSpace(iccProfile: profile.bytes))
    #expect(space != .sRGB)
    #expect(abs(space.curves[0].decode(0.5) - pow(0.5, 563 / 256.0)) < 1e-9)
  }

  @Test("three different curves stay three")
  func curves() throws {
    var profile = ProfileBuilder(tags: ProfileBuilder.sRGBColourants)
    profile.tags += [
      ("rTRC", ProfileBuilder.gamma(1)), ("gTRC", ProfileBuilder.type("curv") + [0, 0, 0, 0]),
      ("bTRC", ProfileBuilder.parametric(4, [2, 1, 0, 0.1, 0.1, 0, 0])),
    ]
    let space = try #require(RGBSpace(iccProfile: profile.bytes))
    #expect(space.curves[0] == .linear)
    #expect(space.curves[1] == .linear)
    let tenth = 6554 / 65_536.0
    #expect(space.curves[2] == .parametric(type: 4, [2, 1, 0, tenth, tenth, 0, 0]))
    #expect(space.name == "unnamed profile")
  }

  @Test("a grey profile spreads its curve to all channels")
  func grey() throws {
    var profile = ProfileBuilder(model: "GRAY")
    profile.tags = [
      ("desc", ProfileBuilder.description("Grey 1.8")), ("kTRC", ProfileBuilder.gamma(1.8)),
    ]
    let space = try #require(RGBSpace(iccProfile: profile.bytes))
    #expect(space.name == "Grey 1.8")
    #expect(ICCProfile.colorModel(of: profile.bytes) == .grey)
    let white = space.toWorking.apply([1, 1, 1])
    #expect(abs(white.x - 1) + abs(white.y - 1) + abs(white.z - 1) < 1e-9)
  }

  static let refused: [(String, ProfileBuilder)] = {
    let good = ProfileBuilder.rgb(ProfileBuilder.sRGBColourants, curve: ProfileBuilder.sRGBCurve)
    func changed(_ change: (inout ProfileBuilder) -> Void) -> ProfileBuilder {
      var copy = good
      change(&copy)
      return copy
    }
    func curve(_ bytes: [UInt8]) -> ProfileBuilder {
      ProfileBuilder.rgb(ProfileBuilder.sRGBColourants, curve: bytes)
    }
    let p = ProfileBuilder.self
    return [
      ("CMYK", changed { $0.model = "CMYK" }),
      ("Lab connection", changed { $0.connection = "Lab " }),
      ("device link", changed { $0.deviceClass = "link" }),
      ("lookup table", changed { $0.tags.append(("A2B0", [])) }),
      ("no red curve", changed { $0.tags.removeAll { $0.0 == "rTRC" } }),
      ("no blue colourant", changed { $0.tags.removeAll { $0.0 == "bXYZ" } }),
      ("no tags", changed { $0.tags = [] }),
      ("curve of unknown type", curve(p.type("abcd") + p.word(0))),
      ("curve longer than its tag", curve(p.type("curv") + p.word(1000) + [0, 1])),
      ("curve of four billion samples", curve(p.type("curv") + p.word(-1) + [0, 1])),
      ("falling curve", curve(p.samples(64) { 1 - $0 })),
      ("level curve", curve(p.samples(64) { _ in 0.5 })),
      ("gamma 0", curve(p.gamma(0))), ("gamma 100", curve(p.gamma(100))),
      ("parametric function 9", curve(p.parametric(9, [1]))),
      ("parametric cut off", curve(p.parametric(4, [2.4, 1]))),
      ("parametric with a slope of 0", curve(p.parametric(1, [2, 0, 0]))),
      ("parametric falling", curve(p.parametric(3, [2.4, 1, 0, -1, 0.9]))),
      (
        "colourants on one line",
        ProfileBuilder.rgb(
          ["rXYZ", "gXYZ", "bXYZ"].map { ($0, p.xyz(0.3, 0.3, 0.3)) }, curve: p.sRGBCurve)
      ),
    ]
  }()

  @Test("what a matrix cannot stand for gives nil", arguments: refused)
  func gives(what: String, profile: ProfileBuilder) {
    #expect(RGBSpace(iccProfile: profile.bytes) == nil, "\(what)")
    #expect(!ICCProfile.isMatrixShaper(profile.bytes))
  }

  @Test(
    "the colour model is told from the header",
    arguments: [
      ("RGB ", ICCProfile.ColorModel.rgb), ("GRAY", .grey), ("CMYK", .cmyk), ("Lab ", .lab),
      ("XYZ ", .xyz), ("6CLR", .other),
    ])
  func models(signature: String, model: ICCProfile.ColorModel) {
    #expect(ICCProfile.colorModel(of: ProfileBuilder(model: signature).bytes) == model)
    #expect(ICCProfile.colorModel(of: Array("no profile".utf8)) == nil)
  }

  @Test("a description is read in both forms, English first, and made safe to show")
  func descriptions() {
    func description(_ tag: [UInt8]) -> String? {
      ICCProfile.description(of: ProfileBuilder(tags: [("desc", tag)]).bytes)
    }
    #expect(description(ProfileBuilder.description("sRGB IEC61966-2.1")) == "sRGB IEC61966-2.1")
    #expect(
      description(ProfileBuilder.localised([("deDE", "Grün"), ("enGB", "Green")])) == "Green")
    #expect(description(ProfileBuilder.localised([("deDE", "Grün 😀")])) == "Grün 😀")
    #expect(
      description(ProfileBuilder.description("a\u{1B}[2Jb\nc")) == "a\\u{1B}[2Jb\\u{A}c")
    #expect(description(ProfileBuilder.description("padded  ")) == "padded")
    #expect(description(ProfileBuilder.description("")) == nil)
    #expect(
      (description(ProfileBuilder.description(String(repeating: "x", count: 9000))) ?? "").count
        == 256)
    #expect(description([]) == nil)
  }
}
