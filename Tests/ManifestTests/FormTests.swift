import Glibc
import Manifest
import RenderModel
import SystemSupport
import Testing

@Suite("The two forms of a manifest")
struct FormTests {
  @Test(
    "the form is told from the content",
    arguments: [
      #"{"minilab":1,"jobs":[{"asset":"a"},{"asset":"b"}]}"#,
      #"{"minilab":1,"jobs":[{"asset":"a"},{"asset":"b"}]}"# + "\n\n",
      "{\"minilab\":1,\n\"jobs\":[{\"asset\":\"a\"},\n{\"asset\":\"b\"}]}",
      "\n{\n\"jobs\":[{\"asset\":\"a\"},{\"asset\":\"b\"}], \"minilab\":1}",
      "{\"minilab\":1, \"library\":\".\",\n\"jobs\": [{\"asset\":\"a\"},{\"asset\":\"b\"}]}",
      "{\"minilab\":1}\n{\"asset\":\"a\"}\n{\"asset\":\"b\"}",
      "{\"minilab\":1}\r\n{\"asset\":\"a\"}\r\n\r\n{\"asset\":\"b\"}\r\n",
      "\n\n  {\"minilab\":1}  \n\n{\"asset\":\"a\"}\n \t\n{\"asset\":\"b\"}\n\n",
    ])
  func forms(text: String) throws {
    let checked = try Checked(text)
    #expect(checked.problems.map(\.description) == [])
    #expect(checked.check.jobCount == 2)
    #expect(try checked.jobs().map(\.asset) == [RelativePath("a"), RelativePath("b")])
  }

  @Test("no jobs are no problem when they are listed as none")
  func noJobs() throws {
    #expect(try Checked(#"{"minilab":1,"jobs":[]}"#).check == ManifestCheck())
  }

  @Test("a header alone says what is missing")
  func headerAlone() throws {
    let problem = try #require(try Checked(#"{"minilab":1}"#).problems.first)
    #expect(problem.message == "a manifest needs \"jobs\"")
  }

  @Test("each wrong line is reported and does not hide the next")
  func goesOn() throws {
    let checked = try Checked(
      """
      {"minilab": 1}
      {"asset": "a",}
      {"asset": "b"
      not JSON
      {"asset": "c", "tolerant": 1}
      // a comment
      {"asset": "d"}
      """)
    #expect(
      checked.places == ["2:14 ", "3:14 ", "4:1 ", "5:28 tolerant", "6:1 "])
    #expect(checked.problems[0].message.contains("no comma"))
    #expect(checked.problems[4].message.contains("no comments"))
    #expect(checked.check.jobCount == 1)
    #expect(checked.check.invalidCount == 5)
  }

  @Test(
    "a mistake in the header does not hide the lines after it",
    arguments: [
      #"{"minilab": 1,}"#, #"{"minilab": 2}"#, #"{"minilib": 1, "minilab": 1}"#,
      #"{"minilab": 1, "jobs": []}"#,
    ])
  func wrongHeader(header: String) throws {
    let checked = try Checked(header + "\n{\"asset\": \"a\", \"x\": 1}\n")
    #expect(checked.problems.map(\.line) == [1, 2])
  }

  @Test("in an object, places are lines of the file")
  func placesInObject() throws {
    let checked = try Checked(
      """
      {
        "minilab": 1,
        "é": 0, "jobs": [
          {"asset": "a"},
          {"asset": "b",
           "renditions": [{"name": "r", "quality": 1000}]}
        ]
      }
      """)
    #expect(checked.places == ["3:3 é", "6:46 jobs[1].renditions[0].quality"])
    #expect(
      checked.problems[0].description.hasSuffix(
        "manifest.json:3:3: é: a manifest has no such key; the keys are minilab, library, defaults, jobs"
      ))
  }

  @Test("a syntax error in an object is found at its place")
  func syntax() throws {
    let checked = try Checked("{\"minilab\": 1,\n \"jobs\": [\n  {\"asset\": 'a'}\n ]}")
    #expect(checked.places == ["3:13 "])
    #expect(checked.check.jobCount == 0)
  }

  @Test("an array in place of the object is explained")
  func array() throws {
    let checked = try Checked(#"[{"asset": "a"}]"#)
    #expect(checked.problems.map(\.message) == ["this is an array; a manifest is wanted"])
  }

  @Test(
    "wrong encodings are named",
    arguments: [
      ([0xFF, 0xFE] + "{\u{0}}\u{0}".utf8, "UTF-16"), ([0x7B, 0x00, 0x7D, 0x00], "UTF-16"),
      (
        Array(#"{"minilab":1,"library":""#.utf8) + [0xE9] + Array(#"","jobs":[]}"#.utf8),
        "not valid UTF-8"
      ),
      (
        Array("{\"minilab\":1}\n{\"asset\":\"caf".utf8) + [0xE9] + Array("\"}".utf8),
        "not valid UTF-8"
      ),
      ([], "the text ends"),
    ] as [([UInt8], String)])
  func encodings(bytes: [UInt8], words: String) throws {
    let problems = try Checked(bytes).problems
    #expect(problems.count == 1)
    #expect(problems.first?.message.contains(words) == true, "\(problems)")
  }

  @Test(
    "a byte order mark is one problem, and the rest is checked all the same",
    arguments: [
      #"{"minilab":1,"jobs":[{"asset":"a","x":1}]}"#,
      "{\"minilab\":1}\n{\"asset\":\"a\",\"x\":1}\n",
    ])
  func byteOrderMark(text: String) throws {
    let problems = try Checked([0xEF, 0xBB, 0xBF] + Array(text.utf8)).problems
    #expect(problems.count == 2)
    #expect(problems.first?.message.contains("byte order mark") == true)
    #expect(problems.last?.field.hasSuffix("x") == true)
  }

  @Test("a line that is too long is passed over, and the next one is checked")
  func longLine() throws {
    let long = "{\"asset\": \"" + String(repeating: "x", count: 17 << 20) + "\"}"
    let checked = try Checked(
      "{\"minilab\": 1}\n\(long)\n{\"asset\": \"b\", \"x\": 1}\n{\"asset\": \"c\"}")
    #expect(checked.places == ["2:1 ", "3:16 x"])
    #expect(checked.problems[0].message.contains("longer than"))
    #expect(checked.check.jobCount == 1)
  }

  @Test("lines that cross the pieces in which a file is read are whole")
  func pieces() throws {
    var text = "{\"minilab\": 1}\n"
    let padding = String(repeating: " ", count: 300_000)
    for index in 0..<12 { text += "{\"asset\":\(padding)\"\(index).jpg\"}\n" }
    let checked = try Checked(text)
    #expect(checked.problems == [])
    #expect(try checked.jobs().map(\.id) == (0..<12).map { "\($0).jpg" })
  }

  @Test(
    "the digest is given every byte once, in order",
    arguments: [
      "{\"minilab\":1}\n{\"asset\":\"a\"}\n\n", #"{"minilab":1,"jobs":[]}"# + "\n",
    ])
  func bytes(text: String) throws {
    let folder = try TemporaryFolder()
    let source = try ManifestSource(path: folder.write("m", text))
    var given: [UInt8] = []
    _ = try source.check { given += $0 }
    #expect(String(decoding: given, as: UTF8.self) == text)
    #expect(source.length == text.utf8.count)
  }

  @Test("a manifest can come through a pipe, in both passes")
  func pipe() throws {
    var ends: [Int32] = [0, 0]
    let made = unsafe Glibc.pipe(&ends)
    try #require(made == 0)
    let reader = OwnedDescriptor(owning: ends[0])
    do {
      let writer = OwnedDescriptor(owning: ends[1])
      let text = "{\"minilab\":1}\n{\"asset\":\"a\"}\n{\"asset\":\"a\",\"id\":\"b\"}\n"
      try FileTransfer.writeAll(writer, Array(text.utf8))
    }
    let source = try ManifestSource(path: "/proc/self/fd/\(reader.rawValue)")
    // Both jobs have the same output: to say so, the first had to be read again.
    #expect(try source.check().problems.map(\.line) == [3])
    var count = 0
    try source.jobs { _ in
      count += 1
      return true
    }
    #expect(count == 2)
    #expect(source.length == nil)
  }

  @Test("a manifest that is missing or unreadable is an error of its own")
  func missing() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ManifestError.self) {
      try ManifestSource(path: folder.path + "/no\u{1B}where.json")
    }
    #expect(error?.description.contains("No such file") == true)
    #expect(error?.description.contains("\u{1B}") == false)
  }

  @Test("a manifest that changes while it is read is noticed")
  func changed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("m.jsonl", "{\"minilab\":1}\n{\"asset\":\"a\"}\n")
    let source = try ManifestSource(path: path)
    try folder.write("m.jsonl", "{\"minilab\":1}\n{\"asset\":\"a\"}\n{\"asset\":\"b\"}\n")
    #expect(throws: ManifestError.changed(path: path)) { try source.check() }
    #expect(throws: ManifestError.changed(path: path)) { try source.jobs { _ in true } }
  }

  @Test("every error is one sentence")
  func words() {
    let errors: [ManifestError] = [
      .unreadable(path: "p", reason: "r"), .tooLarge(path: "p", limit: 5), .changed(path: "p"),
      .tooManyJobs(path: "p"),
    ]
    for error in errors { #expect(error.description.hasPrefix("p: ")) }
  }

  @Test("no damage to a manifest's bytes does more than give problems", .timeLimit(.minutes(2)))
  func damage() throws {
    let samples = [
      #"{"minilab": 1, "defaults": {"deadline": "5s"}, "jobs": [{"asset": "a", "adjustment": {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0", "data": {"filters": [{"filter": "exposure", "ev": 1}]}}}, {"asset": "b", "renditions": [{"name": "\u00e9", "targetSize": [1, 2]}], "output": "{stem}"}]}"#,
      "{\"minilab\": 1}\n{\"asset\": \"a\", \"output\": \"{sha256:8}/x\"}\n\n{\"assetBytes\": \"YQ==\", \"id\": \"1\"}\n",
    ]
    var random = Seeded(state: 42)
    let folder = try TemporaryFolder()
    for round in 0..<1000 {
      var bytes = Array(samples[round % 2].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(contentsOf: bytes[index...].prefix(7), at: index)
        default: bytes[index] = Array("{}[]\",:\\0\n/".utf8).randomElement(using: &random) ?? 0
        }
      }
      let checked = try Checked(bytes, folder: folder)
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      let isWrong = checked.problems.contains { problem in
        !(1...lines).contains(problem.line) || !(1...(bytes.count + 1)).contains(problem.column)
          || problem.message.isEmpty
      }
      #expect(!isWrong, "\(bytes)")
      _ = try checked.lines()
    }
  }
}

/// The same numbers on every run (splitmix64).
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
