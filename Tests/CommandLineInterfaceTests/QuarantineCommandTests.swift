import RenderModel
import SystemSupport
import Testing

@testable import CommandLineInterface

@Suite("minilab quarantine")
struct QuarantineCommandTests {
  @Test(
    "what is wrong with the command line is said before anything is touched",
    arguments: [
      ([], "ACTION is missing"), (["mend"], "'mend' is nothing that can be done with the quar"),
      (["list", "a"], "'a' is one argument too many"),
      (["list", "--all"], "--all goes with release"),
      (["release"], "name the jobs to release, or release all with --all"),
      (["release", "a", "--all"], "do not go together"),
    ] as [([String], String)])
  func usage(words: [String], said: String) {
    let harness = ProgramHarness()
    let status = harness.run(
      (["quarantine"] + words + ["--output", "/nowhere"]).map { Argument($0) })
    #expect(status == .usage)
    #expect(harness.output == "")
    #expect(harness.talk.contains(said), "\(harness.talk)")
  }

  @Test("a folder without state is refused and stays as it is")
  func noState() throws {
    let path = "/tmp/minilab-cli-\(RandomBytes.hex(8))"
    let folder = try Directory(path: path, creating: true)
    defer { try? Directory(path: "/tmp").removeTree(Array(path.dropFirst("/tmp/".count).utf8)) }
    let harness = ProgramHarness()
    let status = harness.run(
      ["quarantine", "release", "--all", "--output", path].map { Argument($0) })
    #expect(status == .storeUnreachable)
    #expect(harness.talk.contains("there is no state folder of a run"))
    #expect(try folder.entries().isEmpty)
  }
}
