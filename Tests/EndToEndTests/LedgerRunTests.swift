import JSONText
import RenderModel
import SystemSupport
import Testing

/// The ledger of real runs: lost, damaged, of a later version, and asked for by a person.
@Suite("Ledger of runs")
struct LedgerRunTests {
  private static let ledger = "out/.minilab/ledger.sqlite"

  private func rendered(_ count: Int = 3) throws -> RenderScene {
    let scene = try RenderScene()
    try scene.fill(count)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  private func ledger(_ scene: RenderScene, _ words: [String]) throws -> ProgramEnd {
    try RunningProgram(
      BuiltPrograms.minilab, ["ledger"] + words + ["--output", scene.output]
    ).wait()
  }

  @Test("a run leaves one ledger file, closed, and the next does not read the journals again")
  func journalsAreReadOnce() throws {
    let scene = try rendered()
    #expect(try scene.folder.status("out/.minilab/ledger.sqlite-wal") == nil)
    let run = try #require(
      try scene.folder.files(in: "out/.minilab/runs").first {
        String(decoding: $0, as: UTF8.self).hasSuffix("journal.jsonl")
      })
    // A journal that cannot be believed any more, and still as long: nobody looks at its reports.
    let path = "out/.minilab/runs/" + String(decoding: run, as: UTF8.self)
    var bytes = try scene.folder.read(path)
    let end = try #require(bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")))
    for index in 0..<end where bytes[index] != UInt8(ascii: "\n") { bytes[index] = 0x2E }
    try scene.folder.write(path, bytes)
    let second = try scene.start().wait()
    #expect(second.exitStatus == 0)
    #expect(second.errorText == "")
    let summary = try #require(
      try scene.folder.files(in: "out/.minilab/runs").map { String(decoding: $0, as: UTF8.self) }
        .filter { $0.hasSuffix("summary.json") }.max())
    let told = try JSONValue(text: try scene.folder.read("out/.minilab/runs/" + summary))
    #expect(told["totals"]?["fresh"]?.number?.integer == 3)
  }

  @Test("deleting the ledger loses nothing")
  func deleted() throws {
    let scene = try rendered()
    try scene.draw("p1.png", seed: 77)
    try scene.render()
    try scene.folder.remove(Self.ledger)
    let end = try scene.render()
    #expect(end.exitStatus == 0)
    #expect(end.errorText.contains("the ledger is empty; it is filled from the journals"))
    #expect(try scene.lastRun().total("fresh") == 3)
    #expect(try scene.folder.status(Self.ledger) != nil)
  }

  @Test("a damaged ledger is set aside and made anew, and nothing is rendered again")
  func damaged() throws {
    let scene = try rendered()
    let bytes = try scene.folder.read(Self.ledger).map { _ in UInt8(0x2A) }
    try scene.folder.write(Self.ledger, bytes)
    let end = try scene.render()
    #expect(end.exitStatus == 0)
    #expect(end.errorText.contains("the ledger is damaged"))
    #expect(try scene.lastRun().total("fresh") == 3)
    let names = try scene.folder.directory.openDirectory(Array("out/.minilab".utf8)).entries().map {
      String(decoding: $0.name, as: UTF8.self)
    }
    let aside = try #require(names.first { $0.hasPrefix("ledger-damaged-") })
    #expect(try scene.folder.read("out/.minilab/" + aside) == bytes)
    #expect(end.errorText.contains(aside))
  }

  @Test("rot that shows when a job is looked up ends the run in good order, and the next goes on")
  func rot() throws {
    let scene = try rendered()
    var bytes = try scene.folder.read(Self.ledger)
    // An entry begins with the length of the job's id and the id; the digest of its source follows.
    let start = [UInt8(6)] + Array("p1.png".utf8)
    for index in bytes.indices.dropLast(60)
    where bytes[index] == 6 && bytes[index..<(index + 7)].elementsEqual(start) {
      bytes[index + 20] ^= 1
    }
    try scene.folder.write(Self.ledger, bytes)
    let end = try scene.render()
    #expect(end.exitStatus == 75, "\(end.errorText)")
    #expect(end.errorText.contains("the checksum of an entry does not fit"))
    #expect(end.errorText.contains("no more jobs are taken"))
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("cancelled") == 2)
    #expect(run.total("fresh") == 1)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("a ledger of a later version refuses the run before anything is started")
  func newer() throws {
    let scene = try rendered()
    var bytes = try scene.folder.read(Self.ledger)
    // SQLite keeps the version of a schema in the bytes 60 to 63 of the file.
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 9])
    try scene.folder.write(Self.ledger, bytes)
    for end in [try scene.render(), try ledger(scene, ["show"])] {
      #expect(end.exitStatus == 78)
      #expect(end.errorText.contains("ledger.sqlite was written by a later version of Minilab"))
      #expect(end.errorText.contains("its schema is 9"))
    }
    #expect(try scene.runs().count == 1)
    #expect(try scene.folder.read(Self.ledger) == bytes)
  }

  @Test(
    "a failure that is known is told from a new one, though the ledger learns of both in the run")
  func knownFailures() throws {
    let scene = try rendered(2)
    try scene.folder.write("library/p0.png", Array("no picture".utf8))
    for expected: Int32 in [3, 0, 0] {
      #expect(try scene.render(["--fail-on", "new"]).exitStatus == expected)
      #expect(try scene.lastRun().total("failed") == 1)
    }
  }

  @Test("show lists all jobs, tells all about one, and is JSON for programs")
  func show() throws {
    let scene = try rendered()
    let list = try ledger(scene, ["show"])
    #expect(list.exitStatus == 0, "\(list.errorText)")
    let lines = list.outputText.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.hasPrefix("rendered ") })
    #expect(lines.map { $0.suffix(6) } == ["p0.png", "p1.png", "p2.png"])

    let page = try ledger(scene, ["show", "p1.png"])
    let digest = try scene.folder.digest("out/p1.full.png")
    #expect(page.outputText.hasPrefix("p1.png\n  ended         rendered\n"))
    #expect(page.outputText.contains("full: p1.full.png, "))
    #expect(page.outputText.contains(digest))

    let json = try ledger(scene, ["show", "p1.png", "--format", "json"])
    let told = try JSONValue(text: json.output)
    #expect(told["outputs"]?.array?.first?["sha256"]?.string == digest)
    #expect(told["source"]?["sha256"]?.string == (try scene.folder.digest("library/p1.png")))

    let unknown = try ledger(scene, ["show", "p1.png", "nobody"])
    #expect(unknown.exitStatus == 64)
    #expect(unknown.outputText == "")
    #expect(unknown.errorText.contains("knows no job 'nobody'"))
  }

  @Test("rebuild makes it anew from the journals, and the next run decides as before")
  func rebuild() throws {
    let scene = try rendered()
    let before = try ledger(scene, ["show", "--format", "json"]).outputText
    let end = try ledger(scene, ["rebuild", "--format", "json"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let told = try JSONValue(text: end.output)
    #expect(told["jobs"]?.number?.integer == 3)
    #expect(told["reports"]?.number?.integer == 3)
    #expect(try ledger(scene, ["show", "--format", "json"]).outputText == before)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("a run that holds the folder is left alone, and a folder without runs is said to be one")
  func refusals() throws {
    let scene = try rendered()
    let state = try Directory(path: scene.output + "/.minilab")
    do {
      let lock = try StateLock(in: state)
      let end = try ledger(scene, ["show"])
      #expect(end.exitStatus == 78)
      #expect(end.errorText.contains("another run holds the state folder"))
      withExtendedLifetime(lock) {}
    }
    #expect(try ledger(scene, ["show"]).exitStatus == 0)
    let nowhere = try RunningProgram(
      BuiltPrograms.minilab, ["ledger", "rebuild", "--output", scene.folder.path + "/library"]
    ).wait()
    #expect(nowhere.exitStatus == 69)
    #expect(nowhere.errorText.contains("there is no state folder"))
    #expect(try scene.folder.status("library/.minilab") == nil)
  }
}
