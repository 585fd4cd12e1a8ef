import Adjustments
import FoundationEssentials
import Testing

@Suite struct MaskReferenceTests {
  @Test("docs/adjustments.md says what the catalogue of masks says")
  func documentation() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(root)/docs/adjustments.md"))
    let page = String(decoding: data, as: UTF8.self)
    #expect(page.contains(MaskReference.markdown), "\(MaskReference.markdown)")
  }
}
