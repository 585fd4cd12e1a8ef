import RenderModel
import SystemSupport
import Testing

@testable import Journal

@Suite struct RunFolderTests {
  let folder: TemporaryFolder
  let output: Directory
  let state: Directory

  init() throws {
    folder = try TemporaryFolder()
    output = try folder.directory.makeDirectories(Array("out".utf8))
    state = try folder.directory.makeDirectories(Array("out/.minilab".utf8))
  }

  private let identifier = RunIdentifier(now: 1_769_860_800_123_000_000, random: "0123abcd")

  @Test("a run is named by its UTC start and a random part")
  func name() {
    #expect(identifier.text == runName)
    #expect(RunIdentifier() != RunIdentifier())
    #expect(RunIdentifier(name: RunIdentifier().bytes) != nil)
    #expect(RunIdentifier(now: 0, random: "ffffffff") < identifier)
  }

  @Test(
    "other names are no run's",
    arguments: [
      "", "x", "20260131T120000Z-0123abcg", "20260131T120000Z-0123abcd0",
      "../../../../etc/passwd-00",
    ])
  func otherNames(name: String) {
    #expect(RunIdentifier(name: Array(name.utf8)) == nil)
  }

  @Test("state elsewhere stages on the output's file system too, apart from the output's own runs")
  func create() throws {
    let run = try RunFolder.create(identifier, state: state, output: output)
    #expect(run.run == runName)
    #expect(try folder.names("out/.minilab/runs/\(runName)") == ["staging"])
    let elsewhere = try folder.directory.makeDirectories(Array("state".utf8))
    let other = try RunFolder.create(state: elsewhere, output: output)
    #expect(try folder.names("state/runs") == [other.run])
    #expect(try folder.names("out/.minilab/staging") == [other.run])
    // Who holds the lock of the output's own state must not take the other for one of its dead.
    #expect(try RunFolder.all(state: state, output: output).map(\.run) == [runName])
    #expect(try RunFolder.unfinished(state: elsewhere, output: output).map(\.run) == [other.run])
    try other.removeStaging()
    #expect(try folder.names("out/.minilab/staging") == [])
    #expect(try folder.names("out/.minilab/runs") == [runName])
    #expect(try folder.names("state/runs") == [other.run])
  }

  @Test("runs are listed oldest first, and what is no run is passed over")
  func list() throws {
    #expect(try RunFolder.all(state: state, output: output).isEmpty)
    let names = ["20260202T000000Z-00000000", runName, "20260201T000000Z-ffffffff"]
    for name in names {
      let identifier = try #require(RunIdentifier(name: Array(name.utf8)))
      _ = try RunFolder.create(identifier, state: state, output: output)
    }
    try write(state, "runs/20260101T000000Z-00000000", "a file")
    try write(state, "runs/other/file", "")
    #expect(try RunFolder.all(state: state, output: output).map(\.run) == names.sorted())
  }

  @Test("removing the staging folder takes all that is in it and nothing else")
  func removeStaging() throws {
    let run = try RunFolder.create(identifier, state: state, output: output)
    let other = try RunFolder.create(state: state, output: output)
    try write(output, ".minilab/runs/\(runName)/staging/a/b", "x")
    try write(try #require(try other.staging()), "mine", "x")
    try write(run.directory, "summary.json", "{}")
    try run.removeStaging()
    try run.removeStaging()
    #expect(try run.staging() == nil)
    #expect(try folder.names("out/.minilab/runs/\(runName)") == ["summary.json"])
    #expect(try folder.names("out/.minilab/runs/\(other.run)/staging") == ["mine"])
  }

  @Test("a staging folder that is a link is not followed")
  func linkedStaging() throws {
    let run = try RunFolder.create(identifier, state: state, output: output)
    try run.removeStaging()
    try write(folder.directory, "precious/file", "x")
    _ = try output.makeDirectories(Array(".minilab/runs/\(runName)".utf8))
    try link("\(folder.path)/precious", "\(folder.path)/out/.minilab/runs/\(runName)/staging")
    #expect(code { _ = try run.staging() } == .folder)
    try run.removeStaging()
    #expect(try folder.names("precious") == ["file"])
  }

  @Test("a run is finished when its journal ends with its end and nothing is staged")
  func finished() throws {
    let run = try RunFolder.create(identifier, state: state, output: output)
    #expect(try !run.isFinished())
    let writer = try JournalWriter(creatingIn: run.directory)
    try writer.append([.run(start)])
    // Longer than the piece of the journal that is looked at.
    for _ in 0..<20 { try writer.append([.report(report())]) }
    try run.removeStaging()
    #expect(try !run.isFinished())
    let end = RunEnd(run: runName, finished: "2026-01-31T12:00:09Z", totals: .init())
    try writer.append([.end(end)])
    #expect(try run.isFinished())
    _ = try output.makeDirectories(Array(".minilab/runs/\(runName)/staging".utf8))
    #expect(try !run.isFinished())
    try run.removeStaging()
    try writer.append([.report(report())])
    #expect(try !run.isFinished())
    let later = try RunFolder.create(state: state, output: output)
    #expect(
      try RunFolder.unfinished(state: state, output: output).map(\.run) == [runName, later.run])
    try writer.append([.end(end)])
    #expect(try RunFolder.unfinished(state: state, output: output).map(\.run) == [later.run])
  }

  @Test("a file is replaced whole, and a failed replacement leaves nothing behind")
  func atomicFile() throws {
    let name = Array("summary.json".utf8)
    try AtomicFile.write(folder.directory, name, Array("old".utf8))
    try AtomicFile.write(folder.directory, name, Array("new".utf8))
    #expect(try folder.read("summary.json") == Array("new".utf8))
    // A folder that isn't empty can't be replaced by a file.
    try write(folder.directory, "taken/file", "x")
    #expect(throws: SystemError.self) {
      try AtomicFile.write(folder.directory, Array("taken".utf8), [1])
    }
    #expect(try folder.names() == ["out", "summary.json", "taken"])
    #expect(AtomicFile.isTemporary(Array(".summary.json.00.tmp".utf8)))
    #expect(!AtomicFile.isTemporary(name))
  }
}
