import Manifest
import RenderModel
import SystemSupport
import Testing

@Suite("Paths on the file system")
struct PathTests {
  private func problems(
    _ job: String, output: TemporaryFolder? = nil, _ prepare: (TemporaryFolder) throws -> Void
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try prepare(folder)
    var options = ManifestOptions()
    options.outputRoot = output?.directory
    return try Checked(manifest(job: job), folder: folder, options).problems.map {
      "\($0.field): \($0.message)"
    }
  }

  @Test(
    "an asset that is reached through a link is refused",
    arguments: ["link/a.jpg", "in/a.jpg", "out.jpg", "dangling.jpg", "d/dangling.jpg"])
  func assets(name: String) throws {
    let found = try problems("{\"asset\": \"\(name)\"}") { folder in
      try folder.write("d/a.jpg", Magic.jpeg)
      try folder.link("link", to: "/")
      try folder.link("in", to: "d")
      try folder.link("out.jpg", to: "/etc/passwd")
      try folder.link("dangling.jpg", to: "nowhere.jpg")
      try folder.link("d/dangling.jpg", to: "../../nowhere.jpg")
    }
    #expect(
      found == [
        "jobs[0].asset: \"\(name)\" is or passes through a symbolic link; links are never followed"
      ])
  }

  @Test("a folder in place of an asset says how pictures are chosen")
  func folder() throws {
    let found = try problems(#"{"asset": "d"}"#) { try $0.makeFolder("d") }
    #expect(found.count == 1)
    #expect(found.first?.contains("\"assets\": {\"from\"") == true)
  }

  @Test(
    "an asset that is missing is its own job's failure",
    arguments: ["a.jpg", "no/where/a.jpg", "file/a.jpg"])
  func missing(name: String) throws {
    #expect(try problems("{\"asset\": \"\(name)\"}") { try $0.write("file", Magic.jpeg) } == [])
  }

  @Test("a record behind a link is refused", arguments: ["e.json", "d/e.aae"])
  func records(name: String) throws {
    let found = try problems("{\"asset\": \"a.jpg\", \"adjustment\": \"\(name)\"}") { folder in
      try folder.link("e.json", to: "/etc/passwd")
      try folder.link("d", to: "/etc")
    }
    #expect(found.map { $0.prefix(19) } == ["jobs[0].adjustment:"])
  }

  @Test(
    "an output that would go through a link, a file or onto a folder is refused",
    arguments: [
      ("link/a.jpg", "symbolic link"), ("dangling.jpg", "symbolic link"),
      ("d/dangling.jpg", "symbolic link"),
      ("file/a.jpg", "as if it were a folder"), ("d", "a folder that is there already"),
    ])
  func outputs(name: String, words: String) throws {
    let output = try TemporaryFolder()
    try output.makeFolder("d")
    try output.write("file", "x")
    try output.link("link", to: "/tmp")
    try output.link("dangling.jpg", to: "/tmp/nowhere-at-all.jpg")
    try output.link("d/dangling.jpg", to: "nowhere.jpg")
    let found = try problems("{\"asset\": \"a.jpg\", \"output\": \"\(name)\"}", output: output) {
      _ in
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("jobs[0].output: the output \"\(name)\"") == true, "\(found)")
    #expect(found.first?.contains(words) == true, "\(found)")
    #expect(try output.directory.entries().count == 4)
  }

  @Test(
    "an output that is there already, or whose folders are not, is no problem",
    arguments: ["old.jpg", "new/deep/a.jpg"])
  func goodOutputs(name: String) throws {
    let output = try TemporaryFolder()
    try output.write("old.jpg", "x")
    #expect(
      try problems("{\"asset\": \"a.jpg\", \"output\": \"\(name)\"}", output: output) { _ in } == []
    )
    #expect(try output.directory.entries().count == 1)
  }

  @Test("without the library at hand a manifest can still be checked")
  func noLibrary() throws {
    let checked = try Checked(
      #"{"minilab": 1, "library": "/no/such/library", "jobs": [{"asset": "a.jpg"}]}"#)
    #expect(checked.problems == [])
  }
}
