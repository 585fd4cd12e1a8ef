import RenderModel
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(
    "the vectors of the standard",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test("all bytes come back")
  func allBytes() {
    let bytes = Array(UInt8.min...UInt8.max)
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
  }

  @Test(
    "what is no padded base64 is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "====", "Zg==Zg==", "Z=g=", "Zm9v\n", "Zm 9", "Zm9-", "é",
    ])
  func refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("one name has one spelling: left-over bits must be 0", arguments: ["Zh==", "Zm9="])
  func leftOver(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

@Suite struct DisplayTextTests {
  @Test(
    "what could fool a terminal is escaped",
    arguments: [
      ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("new\nline", "new\\u{A}line"), ("\u{85}", "\\u{85}"),
      ("\u{202E}gpj", "\\u{202E}gpj"), ("\u{2028}", "\\u{2028}"), ("\u{7F}", "\\u{7F}"),
      ("写真 é", "写真 é"),
    ])
  func escaped(text: String, shown: String) {
    #expect(DisplayText.escaped(text) == shown)
    #expect(DisplayText.escaped(Array(text.utf8)) == shown)
  }

  @Test(
    "bytes that are not UTF-8 are shown one by one",
    arguments: [
      ([0xFF, 0xFE, 0x41], "\\xFF\\xFEA"), ([0xC3], "\\xC3"), ([0xC3, 0x41], "\\xC3A"),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xC0, 0xAF], "\\xC0\\xAF"), ([], ""),
    ] as [([UInt8], String)])
  func invalid(bytes: [UInt8], shown: String) {
    #expect(DisplayText.escaped(bytes) == shown)
  }
}

@Suite struct SpellingTests {
  private let keys = ["quality", "targetSize", "contentMode", "type", "name", "public.jpeg"]

  @Test(
    "the nearest name is offered",
    arguments: [
      ("qualty", "quality"), ("Quality", "quality"), ("qaulity", "quality"),
      ("target_size", "targetSize"),
      ("tpye", "type"), ("jpeg", "public.jpeg"), ("public.jpg", "public.jpeg"),
    ])
  func near(name: String, known: String) {
    #expect(Spelling.nearest(to: name, among: keys) == known)
  }

  @Test(
    "nothing is offered for what is like no name",
    arguments: ["", "x", "colour", "zzzzzzzz", String(repeating: "q", count: 100)])
  func far(name: String) {
    #expect(Spelling.nearest(to: name, among: keys) == nil)
    #expect(Spelling.hint(name, among: keys) == "")
  }

  @Test(
    "distances count slips of the finger",
    arguments: [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3)])
  func distances(left: String, right: String, distance: Int) {
    #expect(Spelling.distance(left, right) == distance)
    #expect(Spelling.distance(right, left) == distance)
  }
}
