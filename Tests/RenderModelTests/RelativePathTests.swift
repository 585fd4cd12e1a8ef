import RenderModel
import Testing

@Suite struct RelativePathTests {
  @Test(
    "a path that would leave its folder is refused",
    arguments: [
      ("", RelativePath.Fault.empty), ("/etc/passwd", .absolute), ("../a", .parent),
      ("a/../b", .parent), ("a/..", .parent), ("./a", .dot), ("a/./b", .dot),
      ("a//b", .emptyComponent),
      ("a/", .emptyComponent), ("a\0b", .nul), ("..", .parent), (".", .dot), ("/", .absolute),
    ])
  func refused(text: String, fault: RelativePath.Fault) {
    #expect(RelativePath.fault(in: Array(text.utf8)) == fault)
  }

  @Test(
    "a name that only looks dangerous is a name",
    arguments: [
      "a", "a/b", "..a", "a..", "...", ".hidden", "a/.b", "double..dots.jpg", "new\nline.jpg",
      "back\\slash.jpg", "~tilde", "-dash", "colon:name.jpg",
    ])
  func accepted(text: String) {
    #expect(RelativePath.fault(in: Array(text.utf8)) == nil)
  }

  @Test("bytes that are no UTF-8 are a path, shown escaped")
  func invalidUTF8() {
    let path = RelativePath(bytes: Array("a/caf".utf8) + [0xE9] + Array(".jpg".utf8))
    #expect(RelativePath.fault(in: path.bytes) == nil)
    #expect(path.string == nil)
    #expect(path.displayed == "a/caf\\xE9.jpg")
    #expect(path.stem == Array("caf".utf8) + [0xE9])
  }

  @Test(
    "a path is taken apart into folder, stem and extension",
    arguments: [
      ("2024/IMG_1.JPG", "2024", "IMG_1", "JPG"), ("a", "", "a", ""),
      ("a/b/c.tar.gz", "a/b", "c.tar", "gz"),
      (".hidden", "", ".hidden", ""), ("x/.hidden.jpg", "x", ".hidden", "jpg"),
      ("a.b/c", "a.b", "c", ""),
      ("dot.", "", "dot", ""),
    ])
  func parts(path: String, folder: String, stem: String, suffix: String) {
    let path = RelativePath(path)
    #expect(path.directory == RelativePath(folder))
    #expect(path.stem == Array(stem.utf8))
    #expect(path.pathExtension == Array(suffix.utf8))
  }

  @Test("every fault has words of its own")
  func words() {
    let messages = Set(RelativePath.Fault.allCases.map(\.message))
    #expect(messages.count == RelativePath.Fault.allCases.count)
  }
}
