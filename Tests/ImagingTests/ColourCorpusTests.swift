import ColourEngine
import Glibc
import Imaging
import RenderModel
import Testing

/// Pictures with profiles of every kind, where they lie beside the checkout.
let profiledPictures = SharedFolder("corpus/icc", holding: "profiles", of: "pictures with profiles")

extension ImagingTests {
  @Suite(
    "Pictures with profiles",
    .enabled(if: profiledPictures.path != nil, "the pictures are not beside the checkout"))
  struct ProfiledPictures {
    private func sRGB(_ name: String) throws -> (picture: PixelBuffer, result: RenderResult) {
      let render = try Render(
        profiledPictures.file(name), [Rendition(name: "r", type: .png, colorSpace: .sRGB)])
      return (try render.decoded(), render.result)
    }

    private func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> (mean: Double, max: Int) {
      let differences = zip(one.samples, other.samples).map { abs(Int($0) - Int($1)) }
      return (
        Double(differences.reduce(0, +)) / Double(max(1, differences.count)), differences.max() ?? 0
      )
    }

    @Test("patches of every profile in the folder come out as Little CMS has them")
    func profiles() throws {
      let names = try FolderNames.read(try #require(profiledPictures.path) + "/profiles")
      #expect(!names.isEmpty)
      for name in names where name.hasSuffix(".icc") {
        let profile = try profiledPictures.file("profiles/" + name).bytes
        for space in ProfilePatches.spaces {
          let (median, greatest) = try ProfilePatches.difference(profile, space)
          #expect(median <= 0.3 && greatest <= 1, "\(name) \(space): \(median), \(greatest)")
        }
      }
    }

    /// The bounds are a little above what their source measured.
    @Test(
      "twins in linear light and in sRGB are the same picture",
      arguments: [
        ("DJI-FC6310-16bit_709_v4_krita.png", "DJI-FC6310-16bit_srgb8_v4_krita.png", 0.01, 1),
        (
          "Google-Pixel2XL-16bit_acescg_g1_v4_krita.png",
          "Google-Pixel2XL-16bit_srgb8_v4_krita.png", 0.01, 1
        ),
        ("q3a0b3_d17ws_709_g1.png", "q3a0b3_d17ws_srgb8.png", 0.35, 1),
        ("Iceland-P3.jpg", "Iceland-sRGB.jpg", 5.0, 255),
        ("paris_exif_xmp_icc.jpg", "paris_icc_exif_xmp.png", 0.01, 1),
      ])
    func twins(one: String, other: String, mean: Double, greatest: Int) throws {
      let found = difference(try sRGB(one).picture, try sRGB(other).picture)
      #expect(found.mean <= mean && found.max <= greatest, "\(found)")
    }

    @Test(
      "single colours are what their source says",
      arguments: [
        ("fogra-0-100-100-0.tif", [228, 31, 37], 2), ("prophoto.png", [117, 160, 210], 2),
        ("p3.png", [255, 0, 0], 0), ("lab-green.tif", [0, 150, 117], 2),
        ("lab-red.tif", [255, 0, 123], 2),
      ])
    func single(name: String, wanted: [Int], bound: Int) throws {
      let (picture, _) = try sRGB(name)
      let pixel = picture.pixel(picture.size.width / 2, picture.size.height / 2)
      #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= bound }, "\(pixel)")
    }

    @Test("what only a wide space shows is clipped in sRGB, and that is said")
    func hidden() throws {
      let (picture, result) = try sRGB("P3-sRGB-red.png")
      let seen = Set((0..<1000).map { picture.pixel($0, 500).prefix(3).map { $0 } })
      #expect(seen.count <= 3)
      #expect(result.losses.contains("wideGamut"))
      #expect(result.notes.contains { $0.contains("% of the pixels") })
    }

    @Test("a stump of a profile is passed over, with a note")
    func stump() throws {
      let (_, result) = try sRGB("icc-after-SOF.jpg")
      #expect(result.notes.contains { $0.contains("is not used") })
    }

    @Test("a gamma alone is honoured")
    func gamma() throws {
      let name = "kodim03_grayscale_gamma1.6.png"
      let plain = try profiledPictures.file(name).decoded()
      let (picture, _) = try sRGB(name)
      for x in stride(from: 0, to: 768, by: 16) {
        let wanted = StandardRGB.code(pow(Double(plain[x, 200, 0]) / 255, 1.6))
        #expect(abs(Double(picture[x, 200, 0]) - wanted) <= 1)
      }
    }
  }
}

/// The names in a folder.
enum FolderNames {
  static func read(_ path: String) throws -> [String] {
    guard let folder = unsafe opendir(path) else { throw TemporaryFile.Failure(errno: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }
}
