import Adjustments
import RenderModel
import Testing

@Suite struct AdjustmentFileTests {
  private func content(_ text: String, named name: String = "a.json") -> AdjustmentFile.Content {
    AdjustmentFile.decode(Array(text.utf8), named: RelativePath(name))
  }

  @Test("a record's data is kept byte for byte")
  func record() {
    let text = #"""
      {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
       "data": { "filters" : [ ] } }
      """#
    #expect(
      content(text)
        == .record(
          AdjustmentRecord(
            formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0",
            data: Array(#"{ "filters" : [ ] }"#.utf8))))
  }

  @Test("a record of a format that is not ours is still a record")
  func foreign() {
    let text = #"{"formatIdentifier": "com.example", "formatVersion": "x", "data": "AAEC"}"#
    guard case .record(let record) = content(text) else {
      Issue.record("\(content(text))")
      return
    }
    #expect(record.formatIdentifier == "com.example")
    #expect(AdjustmentDecoding.decode(record: record) == .unknownFormat)
  }

  @Test(
    "foreign sidecars are known by name and never parsed",
    arguments: [
      ("IMG_1.AAE", "com.apple.photo (.AAE)"), ("a/IMG_1.aae", "com.apple.photo (.AAE)"),
      ("x.CR2.xmp", "com.adobe.xmp (.xmp)"), ("x.jpg.pp3", "com.rawtherapee.pp3 (.pp3)"),
      ("look.CUBE", "com.adobe.cube (.cube)"),
    ])
  func byName(name: String, format: String) {
    #expect(content("{not json", named: name) == .unknownFormat(format))
  }

  @Test("an .aae that holds our record is still not opened")
  func disguised() {
    #expect(AdjustmentFile.foreignFormat(of: RelativePath("a.json")) == nil)
    #expect(AdjustmentFile.foreignFormat(of: RelativePath(".aae")) == nil)
    #expect(AdjustmentFile.foreignFormat(of: RelativePath(bytes: [0xFF, 0x2E, 0xFF])) == nil)
  }

  static let mistakes: [(String, [String])] = [
    ("", [""]), ("[1]", [""]), ("{}", ["formatIdentifier", "formatVersion", "data"]),
    (
      #"{"formatIdentifier": 1, "formatVersion": 1.0, "data": 1}"#,
      ["formatIdentifier", "formatVersion"]
    ),
    (#"{"formatIdentifier": "", "formatVersion": "1", "data": 1}"#, ["formatIdentifier"]),
    (
      #"{"formatIdentifer": "a", "formatIdentifier": "a", "formatVersion": "1", "data": 1}"#,
      ["formatIdentifer"]
    ),
    (#"{"data": 2, "formatIdentifier": "a", "formatVersion": "1", "data": 1}"#, ["data"]),
  ]

  @Test("what is no record is told field by field", arguments: mistakes)
  func invalid(text: String, fields: [String]) {
    guard case .invalid(let problems) = content(text) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(problems.map(\.field) == fields)
    #expect(problems.allSatisfy { !$0.message.isEmpty })
  }

  @Test("a file too large to be a record is not parsed")
  func large() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: AdjustmentFile.maximumBytes + 1)
    guard case .invalid(let problems) = AdjustmentFile.decode(bytes) else {
      Issue.record("it was taken")
      return
    }
    #expect(problems.first?.message.contains("too many") == true)
  }

  private func record(_ data: String, _ identifier: String = "org.minilab.adjustments")
    -> AdjustmentRecord
  {
    AdjustmentRecord(formatIdentifier: identifier, formatVersion: "1.0", data: Array(data.utf8))
  }

  @Test("a native record's digest is that of what it says, not of how it is written")
  func digest() {
    let one = record(#"{"filters":[{"filter":"exposure","ev":1.0}]}"#)
    let other = record(#"{ "filters": [ {"ev": 1, "filter": "exposure"} ] }"#)
    #expect(one.digest == other.digest)
    #expect(one.digest != record(#"{"filters":[{"filter":"exposure","ev":1.1}]}"#).digest)
    // sha256sum of {"filters":[]}
    #expect(
      "\(record(#"{ "filters": [] }"#).digest)"
        == "3a04046ec472881527ad47a6e3f6bcffecea2613eb1d9871195c4dbafdb27c99")
  }

  @Test("a foreign record's digest is that of its bytes, and so is one of broken text")
  func foreignDigest() {
    // sha256sum of abc
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect("\(record("abc", "com.example").digest)" == abc)
    #expect("\(record("abc").digest)" == abc)
    #expect(record("{ }", "com.example").digest != record("{}", "com.example").digest)
  }
}
