import Glibc
import Manifest
import RenderModel
import SystemSupport
import Testing

/// LUTs and masks that records name, looked for when a manifest is checked.
@Suite("Files of filters in a manifest")
struct FilterFileTests {
  private static func record(_ path: String) -> String {
    """
    {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
     "data": {"filters": [{"filter": "exposure", "ev": 1}, {"filter": "lut3d", "path": "\(path)"}]}}
    """
  }

  private func problems(
    _ manifest: String, missing: Bool = true, _ prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws -> [ManifestProblem] {
    let folder = try TemporaryFolder()
    try prepare(folder)
    var options = ManifestOptions()
    options.reportsRecordFaults = missing
    return try Checked(manifest, folder: folder, options).problems
  }

  private func inline(_ path: String) -> String {
    manifest(job: "{\"asset\": \"a.jpg\",\n\"adjustment\": \(Self.record(path))}")
  }

  private func named(_ record: String) -> String {
    manifest(job: "{\"asset\": \"a.jpg\", \"adjustment\": \"\(record)\"}")
  }

  @Test("a missing file of a record in the manifest is reported at its name")
  func inlineMissing() throws {
    let found = try problems(inline("l/x.cube"))
    #expect(found.count == 1)
    #expect(found.first?.field == "jobs[0].adjustment.data.filters[1].path")
    #expect(found.first?.line == 4)
    #expect(
      found.first?.message
        == "the file \"l/x.cube\" is not beneath the library; put it there, or correct its name")
    #expect(try problems(inline("l/x.cube")) { try $0.write("l/x.cube", "x") } == [])
  }

  @Test("a missing file of a record named by path is reported with the record and both places")
  func namedMissing() throws {
    let write: (TemporaryFolder) throws -> Void = {
      try $0.write("looks/house.json", Self.record("x.cube"))
    }
    let found = try problems(named("looks/house.json"), write)
    #expect(found.map(\.field) == ["jobs[0].adjustment"])
    let message = try #require(found.first?.message)
    for words in ["\"looks/house.json\": filters[1].path", "looks/x.cube", "(x.cube)"] {
      #expect(message.contains(words), "\(message)")
    }
    for place in ["x.cube", "looks/x.cube"] {
      let fixed = try problems(named("looks/house.json")) {
        try write($0)
        try $0.write(place, "x")
      }
      #expect(fixed == [])
    }
  }

  @Test("a missing profile of a rendition is reported at its place")
  func profileMissing() throws {
    let text = manifest(
      job: """
        {"asset": "a.jpg",
        "renditions": [{"name": "r", "colorSpace": {"profile": "p.icc"}}]}
        """)
    let found = try problems(text)
    #expect(found.map(\.field) == ["jobs[0].renditions[0].colorSpace.profile"])
    #expect(found.first?.message.contains("the profile \"p.icc\" is not beneath") == true)
    #expect(try problems(text) { try $0.write("p.icc", "x") } == [])
  }

  @Test("a missing record is reported, too")
  func recordMissing() throws {
    let found = try problems(named("looks/house.json"))
    #expect(found.map(\.field) == ["jobs[0].adjustment"])
    #expect(found.first?.message.contains("is not beneath the library") == true)
  }

  @Test("what is missing is no problem where only its job is to fail")
  func notAsked() throws {
    #expect(try problems(inline("x.cube"), missing: false) == [])
    #expect(try problems(named("looks/house.json"), missing: false) == [])
  }

  @Test(
    "what leaves the library, is a folder or lies behind a link is a problem in any case",
    arguments: [
      ("../x.cube", "'..'"), ("/etc/passwd", "begins with a slash"), ("d", "is a folder"),
      ("link.cube", "symbolic link"), ("away/passwd", "symbolic link"),
    ])
  func misplaced(path: String, words: String) throws {
    let prepare: (TemporaryFolder) throws -> Void = { folder in
      try folder.makeFolder("d")
      try folder.link("link.cube", to: "/etc/passwd")
      try folder.link("away", to: "/etc")
      try folder.write("house.json", Self.record(path))
    }
    for (text, isRun) in [
      (inline(path), true), (inline(path), false), (named("house.json"), false),
    ] {
      let found = try problems(text, missing: !isRun, prepare)
      #expect(found.count == 1, "\(text)")
      #expect(found.first?.message.contains(words) == true, "\(found)")
    }
  }

  @Test("what a named record's file is behind a link is a problem before a run starts, too")
  func namedLink() throws {
    let found = try problems(named("house.json"), missing: false) {
      try $0.link("x.cube", to: "/etc/passwd")
      try $0.write("house.json", Self.record("x.cube"))
    }
    #expect(found.map { $0.message.contains("symbolic link") } == [true])
  }

  @Test(
    "mistakes in a record named by path are reported with their fields",
    arguments: [
      (#"{"formatIdentifier": "x"}"#, ["formatVersion", "data"]), ("[\n1", [""]),
      (
        record("x.cube").replacing("\"ev\": 1", with: "\"ev\": 99"), ["filters[0].ev"]
      ),
    ])
  func mistakes(text: String, fields: [String]) throws {
    let prepare: (TemporaryFolder) throws -> Void = { try $0.write("house.json", text) }
    let found = try problems(named("house.json"), prepare)
    #expect(found.count == fields.count)
    for (problem, field) in zip(found, fields) {
      #expect(problem.field == "jobs[0].adjustment")
      #expect(problem.message.hasPrefix("\"house.json\": line "), "\(problem.message)")
      #expect(problem.message.contains(": \(field)"))
      // The text without an end goes on to its second line.
      #expect(problem.message.contains("line 2, column 2") == text.hasPrefix("["))
    }
    #expect(try problems(named("house.json"), missing: false, prepare) == [])
  }

  @Test("the record of the defaults is checked for every job that takes it")
  func defaults() throws {
    let text = """
      {"minilab": 1, "defaults": {"adjustment": \(Self.record("x.cube"))}, "jobs": [
      {"asset": "a.jpg"}, {"asset": "b.jpg", "adjustment": "none"},
      {"assets": {"from": "photos"}}
      ]}
      """
    let found = try problems(text) { try $0.write("photos/c.jpg", Magic.jpeg) }
    #expect(found.map(\.line) == [3, 4])
    #expect(found.allSatisfy { $0.message.hasPrefix("filters[1].path: the file \"x.cube\"") })
  }

  @Test("with problems of single jobs let pass, such a job is given out as invalid")
  func failJob() throws {
    let folder = try TemporaryFolder()
    var options = ManifestOptions()
    options.invalidJobs = .failJob
    let checked = try Checked(inline("../x.cube"), folder: folder, options)
    #expect(checked.problems == [])
    let lines = try checked.lines()
    guard case .invalid(_, let problem) = lines.first, lines.count == 1 else {
      Issue.record("\(lines)")
      return
    }
    #expect(problem.field == "jobs[0].adjustment.data.filters[1].path")
  }

  @Test(
    "a record that is not ours to read is no mistake",
    arguments: ["foreign.json", "newer.json", "pipe.json", "edits.xmp"])
  func unreadable(name: String) throws {
    let found = try problems(named(name)) { folder in
      try folder.write(
        "foreign.json", #"{"formatIdentifier": "x", "formatVersion": "1", "data": {}}"#)
      try folder.write("newer.json", Self.record("../x").replacing("1.0", with: "99.0"))
      try folder.write("edits.xmp", Self.record("../x"))
      try SystemError.retrying("mkfifo") { unsafe mkfifo(folder.path + "/pipe.json", 0o600) }
    }
    #expect(found == [])
  }

  @Test("no more than a thousand records are looked into")
  func manyRecords() throws {
    let names = (0..<1001).map { "r/\($0).json" }
    let jobs = names.enumerated().map {
      "{\"asset\": \"\($0.offset).jpg\", \"adjustment\": \"\($0.element)\"}"
    }
    let found = try problems(
      "{\"minilab\": 1, \"jobs\": [\n\(jobs.joined(separator: ",\n"))\n]}"
    ) { folder in
      for name in names { try folder.write(name, Self.record("x.cube")) }
    }
    #expect(found.count == 1000)
  }
}
