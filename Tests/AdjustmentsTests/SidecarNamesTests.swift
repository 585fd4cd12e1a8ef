import Adjustments
import RenderModel
import Testing

@Suite struct SidecarNamesTests {
  private func names(_ asset: String) -> [String] {
    SidecarNames.candidates(for: RelativePath(asset)).map(\.path.displayed)
  }

  @Test("candidates come in a fixed order: ours, Apple's edits before the camera's, XMP, PP3")
  func order() {
    #expect(
      names("2024/IMG_1234.HEIC") == [
        "2024/IMG_1234.HEIC.minilab.json", "2024/IMG_1234.minilab.json", "2024/IMG_1234.AAE",
        "2024/IMG_1234.aae", "2024/IMG_O1234.AAE", "2024/IMG_O1234.aae", "2024/IMG_1234O.AAE",
        "2024/IMG_1234O.aae", "2024/IMG_1234_O.AAE", "2024/IMG_1234_O.aae",
        "2024/IMG_1234.HEIC.xmp", "2024/IMG_1234.HEIC.XMP", "2024/IMG_1234.xmp",
        "2024/IMG_1234.XMP", "2024/IMG_1234.HEIC.pp3",
      ])
    let formats = SidecarNames.candidates(for: RelativePath("2024/IMG_1234.HEIC")).map(\.format)
    #expect(
      formats == [.native, .native] + Array(repeating: .apple, count: 8)
        + Array(repeating: .xmp, count: 4) + [.rawTherapee])
  }

  @Test("a name without a number has no O inside")
  func noNumber() {
    #expect(!names("sea.jpg").contains { $0.hasPrefix("O") || $0.contains("_Osea") })
    #expect(names("sea.jpg").contains("seaO.AAE"))
    #expect(names("1234.jpg").allSatisfy { !$0.hasPrefix("O1234") })
  }

  @Test("nothing is listed twice, and never the asset itself")
  func unique() {
    for asset in ["a", "a.xmp", "b/a.AAE", "IMG_1.minilab.json"] {
      let names = names(asset)
      #expect(Set(names).count == names.count)
      #expect(!names.contains(asset))
    }
    #expect(names("").isEmpty)
  }

  @Test("names too long for a file system are left out, odd bytes stay as they are")
  func odd() {
    let long = String(repeating: "x", count: 250) + ".jpg"
    #expect(names(long).allSatisfy { $0.utf8.count <= 255 })
    #expect(names(long).contains(String(repeating: "x", count: 250) + ".AAE"))
    let bytes: [UInt8] = [0xFF, 0x0A, 0x2E, 0x6A]
    let candidates = SidecarNames.candidates(for: RelativePath(bytes: bytes))
    #expect(candidates[0].path.bytes == bytes + Array(".minilab.json".utf8))
  }
}
