import Manifest
import RenderModel
import Testing

@Suite("Two jobs that want the same")
struct ClashTests {
  private func lines(_ jobs: String..., defaults: String = "{}") -> String {
    "{\"minilab\": 1, \"defaults\": \(defaults)}\n" + jobs.joined(separator: "\n") + "\n"
  }

  @Test("an id that stands twice is reported with both lines")
  func ids() throws {
    let checked = try Checked(
      lines(
        #"{"asset": "a"}"#, #"{"id": "x", "asset": "b"}"#, "", #"{"asset": "c", "id": "x"}"#,
        #"{"asset": "a"}"#))
    #expect(checked.places == ["5:22 id", "6:11 asset"])
    #expect(checked.problems[0].message.contains("\"x\" is taken by the job in line 3"))
    #expect(checked.problems[1].message.contains("the job in line 2"))
    #expect(checked.check.jobCount == 2)
  }

  @Test("in an object the other job is named by its place there")
  func idsInObject() throws {
    let checked = try Checked(
      "{\"minilab\": 1, \"jobs\": [\n{\"asset\": \"a\"},\n{\"asset\": \"a\"}]}")
    #expect(checked.places == ["3:11 jobs[1].asset"])
    #expect(checked.problems[0].message.contains("jobs[0] in line 2"))
  }

  @Test(
    "two outputs of one name are reported however the names come about",
    arguments: [
      (#"{"asset": "a.jpg"}"#, #"{"asset": "a.png"}"#),
      (#"{"id": "1", "asset": "a.jpg"}"#, #"{"id": "2", "asset": "a.jpg"}"#),
      (#"{"asset": "x", "output": "same.jpg"}"#, #"{"asset": "y", "output": "same.jpg"}"#),
      (#"{"asset": "Fr\u00edtest.png"}"#, #"{"asset": "Fri\u0301test.jpg"}"#),
      (#"{"asset": "a/b.jpg", "output": "{job}"}"#, #"{"asset": "a_b.jpg", "output": "{job}"}"#),
      (#"{"asset": "x", "report": "r.json"}"#, #"{"asset": "y", "report": "r.json"}"#),
      (#"{"asset": "x", "report": "y.full.jpg"}"#, #"{"asset": "y"}"#),
      (#"{"assetBytes": "/y5qcGc="}"#, #"{"assetBytes": "/y5wbmc="}"#),
    ])
  func outputs(first: String, second: String) throws {
    let checked = try Checked(lines(first, second))
    #expect(checked.problems.map(\.line) == [3])
    #expect(
      checked.problems.first?.message.contains("one file with an output of the job in line 2")
        == true)
  }

  @Test("names that differ in case clash only on a target that does not tell case apart")
  func letterCase() throws {
    let text = lines(#"{"asset": "IMG_1.JPG"}"#, #"{"asset": "img_1.jpg"}"#)
    #expect(try Checked(text).problems == [])
    var options = ManifestOptions()
    options.caseInsensitiveOutput = true
    #expect(try Checked(text, options).problems.map(\.line) == [3])
  }

  @Test("names that differ in composition can be allowed")
  func composition() throws {
    let text = lines(
      #"{"id": "1", "asset": "M\u00e4rz.png"}"#, #"{"id": "2", "asset": "Ma\u0308rz.jpg"}"#)
    #expect(try Checked(text).problems.count == 1)
    var options = ManifestOptions()
    options.normalizationInsensitiveOutput = false
    #expect(try Checked(text, options).problems == [])
  }

  @Test("three names that are one after folding are refused, all but the first")
  func three() throws {
    var options = ManifestOptions()
    options.caseInsensitiveOutput = true
    let output = { (name: String, id: String) in
      #"{"id": "\#(id)", "asset": "\#(id).png", "output": "\#(name)"}"#
    }
    let checked = try Checked(
      lines(
        output(#"Fr\u00edtest.jpg"#, "a"), output(#"Fri\u0301test.jpg"#, "b"),
        output(#"FR\u00cdTEST.jpg"#, "c")), options)
    #expect(checked.problems.map(\.line) == [3, 4])
  }

  @Test("two renditions of one job need names of their own")
  func ownRenditions() throws {
    let checked = try Checked(
      lines(
        #"{"asset": "a"}"#,
        defaults: #"{"renditions": [{"name": "x"}, {"name": "y"}], "output": "{stem}.{extension}"}"#
      ))
    #expect(
      checked.problems.map(\.message) == [
        "x and y would both be \"a.jpg\"; {rendition} in the template tells them apart"
      ])
    let apart = try Checked(
      lines(
        #"{"asset": "a"}"#,
        defaults:
          #"{"renditions": [{"name": "x"}, {"name": "y", "type": "public.png"}], "output": "{stem}.{extension}"}"#
      ))
    #expect(apart.problems == [])
  }

  @Test("a report may not have a rendition's name")
  func ownReport() throws {
    let checked = try Checked(lines(#"{"asset": "a", "report": "a.full.jpg"}"#))
    #expect(checked.problems.first?.message.contains("full and report would both be") == true)
  }

  @Test("names that are known only later are left to the run")
  func later() throws {
    let checked = try Checked(
      lines(
        #"{"asset": "a"}"#, #"{"asset": "b"}"#,
        defaults: #"{"output": "{captured:%Y}.{extension}"}"#))
    #expect(checked.problems == [])
  }

  @Test("names that are too long are left to their job")
  func tooLong() throws {
    let name = String(repeating: "x", count: 300)
    let checked = try Checked(
      lines(#"{"asset": "a", "id": "\#(name)", "output": "{job}"}"#, #"{"asset": "b"}"#))
    #expect(checked.problems == [])
    #expect(checked.check.jobCount == 2)
  }

  @Test(
    "an output may not replace an original, whichever job comes first",
    arguments: [
      [#"{"asset": "a.jpg", "output": "{directory}/{stem}.jpg"}"#],
      [#"{"asset": "b.jpg", "output": "a.jpg"}"#, #"{"asset": "a.jpg"}"#],
      [#"{"asset": "a.jpg"}"#, #"{"asset": "b.jpg", "output": "a.jpg"}"#],
    ])
  func originals(jobs: [String]) throws {
    let folder = try TemporaryFolder()
    var options = ManifestOptions()
    options.outputRoot = folder.directory
    let text = "{\"minilab\": 1}\n" + jobs.joined(separator: "\n")
    let checked = try Checked(text + "\n", folder: folder, options)
    #expect(
      checked.problems.map(\.message) == [
        "the output \"a.jpg\" would replace an original; choose another template or output folder"
      ])
    // Elsewhere the same names are fine.
    #expect(try Checked(text + "\n").problems == [])
  }

  @Test("a job with mistakes does not take names that it would not have without them")
  func broken() throws {
    let checked = try Checked(
      lines(#"{"asset": "a.jpg", "output": "{x}"}"#, #"{"asset": "a.png"}"#))
    #expect(checked.problems.map(\.line) == [2])
  }

  @Test("thousands of clashes are counted in no more than linear time", .timeLimit(.minutes(1)))
  func many() throws {
    let check = try Checked(lines(String(repeating: "{\"asset\": \"a\"}\n", count: 20_000))).check
    #expect(check.problems.count + check.problemsOmitted == 19_999)
    #expect(check.jobCount == 1)
  }
}

@Suite struct OrdinalIndexTests {
  @Test("values are found again while the table grows")
  func grows() {
    var index = OrdinalIndex()
    let hash = { (number: UInt32) in number &* 2_654_435_761 }
    for number in 0..<UInt32(50_000) {
      #expect(index.insert(hash: hash(number), number: number) { $0 == number } == nil)
    }
    for number in 0..<UInt32(50_000) {
      #expect(index.find(hash: hash(number)) { $0 == number } == number)
      #expect(index.insert(hash: hash(number), number: 99_999) { $0 == number } == number)
    }
    #expect(index.find(hash: 12_345) { _ in false } == nil)
  }

  @Test("equal hashes of different values are told apart by the caller")
  func equalHashes() {
    var index = OrdinalIndex()
    for hash in [UInt32(0), 7, UInt32.max] {
      for number in 0..<UInt32(3000) {
        var asked: [UInt32] = []
        let found = index.insert(hash: hash, number: number) {
          asked.append($0)
          return false
        }
        #expect(found == nil)
        if number < 5 { #expect(Set(asked) == Set(0..<number)) }
      }
      #expect(index.find(hash: hash) { $0 == 2999 } == 2999)
    }
  }

  @Test("what the confirmation throws comes through")
  func throwing() {
    struct Failure: Error {}
    var index = OrdinalIndex()
    _ = index.insert(hash: 1, number: 0) { _ in true }
    #expect(throws: Failure.self) { try index.insert(hash: 1, number: 1) { _ in throw Failure() } }
  }
}

@Suite struct DurationTextTests {
  @Test(
    "lengths of time",
    arguments: [
      ("500ms", 500), ("30s", 30_000), ("2m", 120_000), ("1h", 3_600_000), ("1.5s", 1500),
      ("0.25m", 15_000), ("0s", 0),
      ("1.000s", 1000),
    ])
  func parse(text: String, milliseconds: Int) {
    #expect(DurationText.parse(text) == milliseconds)
  }

  @Test(
    "what is none",
    arguments: [
      "", "s", "30", "30 s", "-1s", "+1s", "1.s", ".5s", "1.0001s", "1.2.3s", "1e3s", "1d",
      "99999999999999999999s", "9223372036854775807h", "٣s", "1.0000001h",
    ])
  func refused(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(
    "the shortest writing without a fraction",
    arguments: [
      (0, "0ms"), (500, "500ms"), (1500, "1500ms"), (60_000, "1m"), (86_400_000, "24h"),
      (30_000, "30s"),
    ])
  func format(milliseconds: Int, text: String) {
    #expect(DurationText.format(milliseconds) == text)
  }
}
