import ColourEngine
import FoundationEssentials
import Imaging
import JSONText
import RenderModel
import Testing

/// Profiles that the project draws, by name.
enum DrawnProfiles {
  static let usable = read("usable")
  static let useless = read("useless")

  private static func read(_ group: String) -> [String: [UInt8]] {
    let root = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    guard let data = FileManager.default.contents(atPath: "\(root)/Reference/profiles.json"),
      let members = try? JSONParser.parse([UInt8](data)).value[group]?.object
    else { return [:] }
    var profiles: [String: [UInt8]] = [:]
    for member in members {
      profiles[member.key] = member.value.string.flatMap(Base64.decode)
    }
    return profiles
  }
}

/// Patches of a profile's device through a render, against Little CMS.
enum ProfilePatches {
  static func channels(_ profile: [UInt8]) -> Int? {
    switch ICCProfile.colorModel(of: profile) {
    case .grey: 1
    case .rgb: 3
    case .cmyk: 4
    default: nil
    }
  }

  /// Every combination of a few levels.
  static func levels(_ channels: Int) -> [UInt16] {
    let count = channels == 1 ? 65 : channels == 3 ? 7 : 5
    var result: [UInt16] = []
    var total = 1
    for _ in 0..<channels { total *= count }
    for index in 0..<total {
      var rest = index
      for _ in 0..<channels {
        result.append(UInt16(rest % count * 65_535 / (count - 1)))
        rest /= count
      }
    }
    return result
  }

  static func file(_ samples: [UInt16], _ channels: Int, _ profile: [UInt8]?) throws
    -> TemporaryFile
  {
    try TemporaryFile(
      HandMade.deepTIFF(
        width: samples.count / channels, channels: channels, samples: samples, profile: profile))
  }

  static func samples(_ picture: PixelBuffer) -> [UInt16] {
    stride(from: 0, to: picture.samples.count, by: 2).map {
      UInt16(picture.samples[$0]) | UInt16(picture.samples[$0 + 1]) << 8
    }
  }

  /// Median and greatest CIEDE2000 of a render to that space.
  static func difference(_ profile: [UInt8], _ space: Rendition.ColorSpace) throws
    -> (median: Double, greatest: Double)
  {
    let channels = try #require(Self.channels(profile))
    let patches = levels(channels)
    let pixels = patches.count / channels
    let render = try Render(
      file(patches, channels, profile),
      [Rendition(name: "r", type: .png, bitDepth: 16, colorSpace: space)])
    #expect(render.result.notes.allSatisfy { !$0.contains("is not used") })
    let picture = try render.decoded()
    let target = try #require(picture.profile)
    let rendered = samples(picture).map { Float($0) / 65_535 }
    let wanted = try #require(
      LittleCMS.Transform(profile, .deep(channels), to: target, .float(3))
    ).run(patches, pixels, channels: 3, Float.self).map { min(max($0, 0), 1) }
    let toLab = try #require(LittleCMS.Transform(target, .float(3), to: nil, .lab))
    let differences = LittleCMS.differences(
      toLab.run(rendered, pixels, channels: 3, Double.self),
      toLab.run(wanted, pixels, channels: 3, Double.self)
    ).sorted()
    return (differences[pixels / 2], differences[pixels - 1])
  }

  static let spaces = [Rendition.ColorSpace.sRGB, .displayP3, .adobeRGB, .rec2020]
}

extension ImagingTests {
  @Suite("Profiles against Little CMS")
  struct ProfilePatchTests {
    @Test("the profiles that the project draws are there")
    func areThere() {
      #expect(DrawnProfiles.usable.count >= 16 && DrawnProfiles.useless.count >= 5)
    }

    @Test(
      "every kind of profile is read as Little CMS reads it, into every space",
      arguments: DrawnProfiles.usable.keys.sorted())
    func drawn(name: String) throws {
      let profile = try #require(DrawnProfiles.usable[name])
      for space in ProfilePatches.spaces {
        let (median, greatest) = try ProfilePatches.difference(profile, space)
        #expect(median <= 0.3 && greatest <= 1, "\(name) \(space): \(median), \(greatest)")
      }
    }

    @Test("a profile that cannot be used is passed over, and the report says so")
    func useless() throws {
      for (name, profile) in DrawnProfiles.useless {
        let patches = ProfilePatches.levels(3)
        let render = try Render(
          ProfilePatches.file(patches, 3, profile),
          [Rendition(name: "r", type: .png, bitDepth: 16, colorSpace: .sRGB)])
        #expect(ProfilePatches.samples(try render.decoded()) == patches, "\(name)")
        #expect(
          render.result.notes.filter { $0.contains("is not used") }.count == 1,
          "\(name): \(render.result.notes)")
      }
    }

    @Test(
      "a profile of another colour model is passed over, and the report says so",
      arguments: ["grey-v2-gamma", "matrix-v2-gamma", "rgb-v2-lut16", "cmyk-v2-lut16"], [1, 3, 4])
    func misfit(name: String, channels: Int) throws {
      let profile = try #require(DrawnProfiles.usable[name])
      guard ProfilePatches.channels(profile) != channels else { return }
      let patches = ProfilePatches.levels(channels)
      let rendition = Rendition(name: "r", type: .png, bitDepth: 16)
      let with = try Render(ProfilePatches.file(patches, channels, profile), [rendition])
      let without = try Render(ProfilePatches.file(patches, channels, nil), [rendition])
      #expect(try with.decoded() == without.decoded())
      #expect(with.result.notes.contains { $0.contains("and this is a") })
    }

    @Test(
      "a given profile is written to as Little CMS does it",
      arguments: ["grey-v2-gamma", "matrix-v2-three-tables", "rgb-v2-lut16", "cmyk-v2-lut16"],
      [Rendition.RenderingIntent.relative, .perceptual, .absolute])
    func given(name: String, intent: Rendition.RenderingIntent) throws {
      let profile = try #require(DrawnProfiles.usable[name])
      let channels = try #require(ProfilePatches.channels(profile))
      for compensates in [false, true] {
        let patches = ProfilePatches.levels(3)
        let (result, picture) = try Self.render(
          patches, to: profile,
          Rendition(
            name: "r", type: .tiff, bitDepth: 16, profile: "p.icc", renderingIntent: intent,
            blackPointCompensation: compensates))
        #expect(picture.bands == channels && picture.profile == profile)
        #expect(result.outputs[0].profile == "drawn")
        let pixels = patches.count / 3
        let code: UInt32 = intent == .perceptual ? 0 : intent == .relative ? 1 : 3
        let way = try #require(
          LittleCMS.Transform(
            EmbeddedProfile.sRGB, .float(3), to: profile, .deep(channels), intent: code,
            flags: compensates ? 0x2000 : 0))
        let wanted = way.run(
          patches.map { Float($0) / 65_535 }, pixels, channels: channels, UInt16.self)
        let toLab = try #require(
          LittleCMS.Transform(profile, .deep(channels), to: nil, .lab))
        let differences = LittleCMS.differences(
          toLab.run(ProfilePatches.samples(picture), pixels, channels: 3, Double.self),
          toLab.run(wanted, pixels, channels: 3, Double.self)
        ).sorted()
        #expect(
          differences[pixels / 2] <= 0.3 && differences[pixels - 1] <= 1, "\(differences.last ?? 0)"
        )
      }
    }

    static func render(
      _ patches: [UInt16], to profile: [UInt8], _ rendition: Rendition
    ) throws -> (result: RenderResult, picture: PixelBuffer) {
      let (result, file) = try written(patches, to: profile, rendition)
      return (result, try file.decoded())
    }

    static func written(
      _ patches: [UInt16], to profile: [UInt8], _ rendition: Rendition
    ) throws -> (result: RenderResult, file: TemporaryFile) {
      let file = try ProfilePatches.file(patches, 3, EmbeddedProfile.sRGB)
      let given = try TemporaryFile(profile)
      let output = try TemporaryFile()
      let picture = try file.opened().get()
      let result = try withExtendedLifetime((file, given)) {
        picture.render(
          RenderPlan(renditions: [rendition], resources: ["p.icc"]),
          outputs: [output.descriptor], resources: [given.descriptor])
      }.get()
      return (result, output)
    }

    /// Both ways are CIEDE2000 below 1 apart on smooth profiles, and a code is about that.
    @Test(
      "a large picture through a table has the colours of a small one",
      arguments: ["rgb-v2-lut16", "rgb-v2-lut8", "rgb-v4-mab"])
    func tabled(name: String) throws {
      let profile = try #require(DrawnProfiles.usable[name])
      func render(_ height: Int) throws -> PixelBuffer {
        var drawing = Drawing.picture(1024, height) { x, _, band in
          [x % 32 * 8, x / 32 * 8, (x * 37) % 256][band]
        }
        drawing.profile = profile
        return try Render(
          drawing.file(.png), [Rendition(name: "r", type: .png, colorSpace: .displayP3)]
        ).decoded()
      }
      let (small, large) = (try render(2), try render(1025))
      for x in 0..<1024 {
        let differences = zip(small.pixel(x, 1), large.pixel(x, 1000)).map { abs($0 - $1) }
        #expect((differences.max() ?? 255) <= 2, "\(x)")
      }
    }

    @Test("inks in a JPEG are read back as they were meant")
    func inkJPEG() throws {
      let profile = try #require(DrawnProfiles.usable["cmyk-v2-lut16"])
      let colours: [UInt16] = [
        60_000, 60_000, 60_000, 12_000, 12_000, 12_000, 40_000, 20_000, 9000,
      ]
      let patches = colours.indices.flatMap { index in
        index % 3 == 0
          ? (0..<16).flatMap { _ in [colours[index], colours[index + 1], colours[index + 2]] } : []
      }
      let written = try Self.written(
        patches, to: profile, Rendition(name: "r", type: .jpeg, quality: 100, profile: "p.icc"))
      #expect(try written.file.decoded().bands == 4)
      let back = try Render(
        written.file, [Rendition(name: "r", type: .png, colorSpace: .sRGB)]
      ).decoded()
      let light = (0..<3).map { back.pixel(16 * $0 + 8, 0).reduce(0, +) }
      #expect(light[0] > light[2] && light[2] > light[1] && light[0] > 450, "\(light)")
    }

    @Test("alpha stays beside colours that Little CMS works out", arguments: [8, 16])
    func alpha(bits: Int) throws {
      let profile = try #require(DrawnProfiles.usable["rgb-v2-lut16"])
      var drawing =
        bits == 8
        ? Drawing.picture(64, 4, bands: 4) { x, _, band in band == 3 ? 4 * x : 100 }
        : Drawing.deepPicture(64, 4, bands: 4) { x, _, band in band == 3 ? 1000 * x : 30_000 }
      drawing.profile = profile
      let picture = try Render(
        drawing.file(.png), [Rendition(name: "r", type: .png, bitDepth: bits, colorSpace: .sRGB)]
      ).decoded()
      for x in 0..<64 {
        let alpha = bits == 8 ? picture[x, 1, 3] - 4 * x : picture.deep(x, 1, 3) - 1000 * x
        #expect(abs(alpha) <= 1)
      }
    }

    @Test(
      "a given profile that cannot be written to fails the job with its reason",
      arguments: [
        ("link", UniformType.tiff, "link"), ("no-table", .tiff, "no table"),
        ("rgb-v4-mab", .tiff, "no table"), ("cmyk-v2-lut16", .png, "public.tiff can hold"),
        ("grey-v2-gamma", .webP, "can hold"),
      ])
    func refused(name: String, type: UniformType, words: String) throws {
      let profile = try #require(DrawnProfiles.usable[name] ?? DrawnProfiles.useless[name])
      #expect {
        try Self.render(
          ProfilePatches.levels(3), to: profile,
          Rendition(name: "r", type: type, profile: "p.icc"))
      } throws: { error in
        guard let failure = error as? RenderFailure else { return false }
        return failure.code == .invalidJob && failure.detail.contains(words)
      }
    }

    @Test(
      "sixteen bits go through every space and back",
      arguments: [RGBSpace.sRGB, .displayP3, .adobeRGB, .rec2020, .proPhotoRGB])
    func roundTrip(space: RGBSpace) throws {
      let patches = ProfilePatches.levels(3)
      let profile = EmbeddedProfile.profile(of: space)
      let (_, there) = try Self.render(
        patches, to: profile, Rendition(name: "r", type: .tiff, bitDepth: 16, profile: "p.icc"))
      #expect(there.profile == profile)
      let back = try Render(
        ProfilePatches.file(ProfilePatches.samples(there), 3, profile),
        [Rendition(name: "r", type: .tiff, bitDepth: 16, colorSpace: .sRGB)]
      ).decoded()
      let worst = zip(ProfilePatches.samples(back), patches).map { abs(Int($0) - Int($1)) }.max()
      // Near black a code of ProPhoto's slow curve is several of sRGB's steep one.
      #expect((worst ?? 65_535) <= 24, "\(space.name): \(worst ?? 0)")
    }
  }
}
