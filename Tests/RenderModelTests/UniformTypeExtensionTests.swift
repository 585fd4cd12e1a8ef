import RenderModel
import Testing

@Suite("Names that say another type")
struct UniformTypeExtensionTests {
  @Test(
    "an extension of another type is noted",
    arguments: [
      (UniformType.jpeg, "HEIC"), (.png, "jpg"), (.heic, "jpg"), (.avif, "heic"), (.tiff, "cr2"),
      (.jpegXL, "png"), (.jpeg, "txt"), (.jpeg, "kdc"), (.tiff, "mov"),
    ])
  func noted(type: UniformType, name: String) {
    let note = type.note(onExtension: name)
    #expect(note?.contains(".\(name)") == true)
    #expect(note?.contains(type.rawValue) == true)
  }

  @Test(
    "its own, none, and one that nobody knows are not",
    arguments: [
      (UniformType.jpeg, "JPG"), (.jpeg, "mpo"), (.png, ""), (.heic, "hif"), (.tiff, "orig"),
      (.rawImage, "nef"), (.movie, "jpg"),
    ])
  func fine(type: UniformType, name: String) {
    #expect(type.note(onExtension: name) == nil)
  }
}
