import RenderModel
import Testing

@Suite struct OutputTemplateTests {
  private static let values = OutputTemplate.Values(
    job: "2024/a b", asset: RelativePath("2024/trip/IMG_1.JPG"), rendition: "full", type: .jpeg,
    width: 640, height: 480, captured: "2024-03-09T07:05:01.12+01:00",
    sha256: String(repeating: "0123456789abcdef", count: 4))

  private func path(_ template: String, _ values: OutputTemplate.Values = Self.values) throws
    -> Result<String, OutputTemplate.Failure>
  {
    try OutputTemplate.parse(template).path(values).map { $0.displayed }
  }

  @Test(
    "every field gives its value",
    arguments: [
      ("{directory}/{stem}.{rendition}.{extension}", "2024/trip/IMG_1.full.jpg"),
      ("{job}", "2024_a b"), ("{stem}.{sourceExtension}", "IMG_1.JPG"), ("{type}", "public.jpeg"),
      ("{width}x{height}", "640x480"), ("{sha256:4}", "0123"),
      ("{sha256}", String(repeating: "0123456789abcdef", count: 4)),
      ("{captured:%Y-%m-%d %H.%M.%S.%f}", "2024-03-09 07.05.01.120"),
      ("{captured:%Y/%m}/x", "2024/03/x"),
      ("{captured:%y%%}", "24%"), ("{{{stem}}}", "{IMG_1}"), ("a/{directory}/b", "a/2024/trip/b"),
      ("plain.jpg", "plain.jpg"), ("é/{stem}", "é/IMG_1"),
    ])
  func fields(template: String, name: String) throws {
    #expect(try path(template) == .success(name))
  }

  @Test(
    "an asset in the library itself has no folder",
    arguments: [
      ("{directory}/{stem}", "a"), ("x/{directory}/{stem}", "x/a"), ("x{directory}/{stem}", "x/a"),
      ("{directory}{stem}", "a"),
    ])
  func noFolder(template: String, name: String) throws {
    let values = OutputTemplate.Values(
      job: "j", asset: RelativePath("a.jpg"), rendition: "r", type: .jpeg)
    #expect(try path(template, values) == .success(name))
  }

  @Test("only {directory} and the template make folders, never another value")
  func slashes() throws {
    var values = Self.values
    values.job = "2019-10/11 Paris"
    values.rendition = "a/b"
    #expect(try path("{job}/{rendition}.jpg", values) == .success("2019-10_11 Paris/a_b.jpg"))
  }

  @Test(
    "a value cannot lead out of the output folder",
    arguments: [
      ("..", RelativePath.Fault.parent), (".", .dot), ("", .empty),
    ])
  func escape(job: String, fault: RelativePath.Fault) throws {
    var values = Self.values
    values.job = job
    #expect(try path("{job}", values) == .failure(.badComponent(fault)))
  }

  @Test("a value of nothing between slashes is refused")
  func emptyPart() throws {
    var values = Self.values
    values.job = ""
    #expect(try path("a/{job}/b", values) == .failure(.badComponent(.emptyComponent)))
    values.job = "a\0b"
    #expect(try path("{job}", values) == .failure(.badComponent(.nul)))
  }

  @Test("a name of 255 bytes works and a longer one is this job's failure")
  func length() throws {
    var values = Self.values
    values.job = String(repeating: "x", count: 251)
    #expect(try path("{job}.jpg", values) == .success(values.job + ".jpg"))
    values.job = String(repeating: "é", count: 130)
    #expect(try path("{job}.jpg", values) == .failure(.nameTooLong(bytes: 264)))
    #expect(OutputTemplate.Failure.nameTooLong(bytes: 264).message.contains("255"))
  }

  @Test("a path longer than the system takes is this job's failure")
  func pathLength() {
    var values = Self.values
    values.asset = RelativePath(
      String(repeating: String(repeating: "d", count: 200) + "/", count: 21) + "a.jpg")
    guard case .failure(.pathTooLong(let bytes)) = OutputTemplate.standard.path(values) else {
      Issue.record("accepted")
      return
    }
    #expect(bytes == 21 * 201 + "a.full.jpg".utf8.count)
  }

  @Test(
    "Minilab's own folder is not for outputs", arguments: [".minilab/x", ".MiniLab/x", ".minilab"])
  func stateFolder(template: String) throws {
    #expect(try path(template) == .failure(.stateFolder))
    #expect(try path("a/.minilab/x") == .success("a/.minilab/x"))
    #expect(try path(".minilabel") == .success(".minilabel"))
  }

  @Test("bytes that are not UTF-8 pass through")
  func bytes() throws {
    let asset = RelativePath(bytes: [0xFF, 0xFE] + Array(".jpg".utf8))
    let values = OutputTemplate.Values(job: "j", asset: asset, rendition: "r", type: .png)
    let path = try OutputTemplate.parse("{stem}.{extension}").path(values).get()
    #expect(path.bytes == [0xFF, 0xFE] + Array(".png".utf8))
  }

  @Test("a value that is not known yet is said to be unknown")
  func unknown() throws {
    let values = OutputTemplate.Values(
      job: "j", asset: RelativePath("a"), rendition: "r", type: .jpeg)
    #expect(try path("{width}", values) == .failure(.unknown(.width)))
    #expect(try path("{sha256:8}", values) == .failure(.unknown(.sha256(digits: 8))))
    #expect(try path("{captured:%Y}", values) == .success("undated"))
    #expect(try !OutputTemplate.parse("{width}").isKnownBefore)
    #expect(try !OutputTemplate.parse("{captured:%Y}/x").isKnownBefore)
    #expect(OutputTemplate.standard.isKnownBefore)
  }

  @Test(
    "a mistake is found at its byte",
    arguments: [
      ("", 0, "empty"), ("{stem", 0, "never closed"), ("a{", 1, "never closed"),
      ("a}b", 1, "has no {"),
      ("x{stm}", 1, "did you mean {stem}"), ("{Stem}", 0, "did you mean {stem}"),
      ("{zzzzzz}", 0, "the fields are"),
      ("{}", 0, "no field"), ("{stem:3}", 5, "nothing after a colon"),
      ("é{sha256:0}", 10, "1 to 64"),
      ("{sha256:65}", 8, "1 to 64"), ("{sha256:x}", 8, "1 to 64"),
      ("{captured}", 0, "needs a format"),
      ("{captured:}", 10, "needs a format"), ("{captured:%Q}", 10, "no part of a date"),
      ("{captured:%Y%}", 12, "no part of a date"), ("/abs", 0, "slash"), ("../x", 0, "'..'"),
      ("a/../{stem}", 0, "'..'"),
      ("./x", 0, "'.'"), ("a//b", 0, "single slashes"), ("a/", 0, "single slashes"),
      ("{stem}/", 0, "single slashes"),
      ("{captured:%Y/}", 0, "single slashes"), ("a\0b", 1, "NUL"), ("{captured:\0}", 10, "NUL"),
    ])
  func mistakes(template: String, offset: Int, words: String) {
    let error = #expect(throws: OutputTemplate.ParseError.self) {
      try OutputTemplate.parse(template)
    }
    #expect(error?.offset == offset)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(
    "a report's template has no fields of one rendition",
    arguments: ["rendition", "extension", "type", "width", "height"])
  func report(field: String) throws {
    let error = #expect(throws: OutputTemplate.ParseError.self) {
      try OutputTemplate.parse("{stem}.{\(field)}", for: .report)
    }
    #expect(error?.message.contains("one rendition") == true)
    #expect(throws: Never.self) {
      try OutputTemplate.parse("{directory}/{stem}.json", for: .report)
    }
  }

  @Test("the standard template with one field more")
  func standardWithField() throws {
    #expect(
      OutputTemplate.standard(with: .sourceExtension).path(Self.values).map(\.displayed)
        == .success("2024/trip/IMG_1.JPG.full.jpg"))
    #expect(try OutputTemplate.parse("{directory}/{stem}.{rendition}.{extension}") == .standard)
  }
}

@Suite struct CaptureDateTests {
  @Test("sub-seconds and offset are kept as recorded")
  func parts() {
    let date = CaptureDate("2019-12-31T23:59:60.0123-08:00")
    #expect(date?.fraction == "0123")
    #expect(date?.offset == "-08:00")
    #expect(date?.formatted("%Y %f") == "2019 0123")
    #expect(CaptureDate("2019-12-31T23:59:59Z")?.formatted("%f") == "000")
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "2019", "2019:12:31 23:59:59", "2019-13-01T00:00:00", "2019-00-01T00:00:00",
      "2019-01-32T00:00:00",
      "2019-01-01T24:00:00", "2019-01-01T00:60:00", "2019-01-01T00:00:00.", "2019-01-01T00:00:00+1",
      "2019-01-01T00:00:00x", "    -  -  T  :  :  ",
    ])
  func refused(text: String) {
    #expect(CaptureDate(text) == nil)
  }
}

@Suite struct OutputNameTests {
  private func areOne(_ left: String, _ right: String, caseInsensitive: Bool) -> Bool {
    OutputName.collisionKey(RelativePath(left), caseInsensitive: caseInsensitive)
      == OutputName.collisionKey(RelativePath(right), caseInsensitive: caseInsensitive)
  }

  @Test("composed and decomposed letters are one name everywhere")
  func normalization() {
    #expect(areOne("Fr\u{ED}test.jpg", "Fri\u{301}test.jpg", caseInsensitive: false))
    #expect(areOne("\u{212B}", "\u{C5}", caseInsensitive: false))
    #expect(!areOne("\u{ED}", "i", caseInsensitive: true))
  }

  @Test("upper and lower case are one name only where the target says so")
  func letterCase() {
    #expect(!areOne("A.jpg", "a.jpg", caseInsensitive: false))
    #expect(areOne("A.jpg", "a.jpg", caseInsensitive: true))
    #expect(areOne("FR\u{CD}TEST.jpg", "fri\u{301}test.JPG", caseInsensitive: true))
    #expect(areOne("STRASSE", "stra\u{DF}e", caseInsensitive: true))
    #expect(areOne("\u{3A3}", "\u{3C2}", caseInsensitive: true))
  }

  @Test("bytes that are not UTF-8 are compared as bytes")
  func bytes() {
    let key = { OutputName.collisionKey(RelativePath(bytes: $0), caseInsensitive: true) }
    #expect(key([0xFF, 0x41]) == key([0xFF, 0x41]))
    #expect(key([0xFF, 0x41]) != key([0xFF, 0x61]))
  }

  @Test("a target that keeps every byte apart")
  func exact() {
    let key = {
      OutputName.collisionKey(
        RelativePath($0), caseInsensitive: false, normalizationInsensitive: false)
    }
    #expect(key("\u{ED}") != key("i\u{301}"))
    #expect(key("a") == key("a"))
  }
}
