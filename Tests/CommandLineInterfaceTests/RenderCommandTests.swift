import Ledger
import RenderModel
import Testing

@testable import CommandLineInterface

private func options(_ words: [String]) throws -> RenderOptions {
  let parser = ArgumentParser(RenderCommand.description)
  return try RenderCommand.options(from: parser.parse(words.map { Argument($0) }))
}

@Suite("minilab render")
struct RenderCommandTests {
  @Test("without flags the standards of the help hold")
  func standards() throws {
    let options = try options(["a.json", "--output", "out"])
    #expect(options == RenderOptions(manifests: [HostPath("a.json")], output: HostPath("out")))
    #expect(options.drainMilliseconds == 10_000)
    #expect(options.sandbox == .required)
    #expect(options.isolation == .fork)
    #expect(options.failOn == .any)
    #expect(options.invalid == .refuse)
  }

  @Test("every flag changes its own option")
  func everyFlag() throws {
    var expected = RenderOptions(
      manifests: [HostPath("a.json"), HostPath("b/")], output: HostPath("/out"))
    expected.workers = 3
    expected.deadlineMilliseconds = 90_000
    expected.force = true
    expected.onlyReasons = try ReasonSelection(parsing: "forced,lookChanged:a.cube")
    expected.rebuildOn = .engine
    expected.tolerant = true
    expected.sandbox = .bestEffort
    expected.limit = 20
    expected.progress = .json
    expected.format = .json
    expected.state = HostPath("s")
    expected.library = HostPath("l")
    expected.memoryBytes = 2_147_483_648
    expected.drainMilliseconds = 500
    expected.failOn = .percentage(5)
    expected.invalid = .failJob
    expected.acceptRemovedEdits = true
    expected.checksum = true
    expected.metadataOnly = true
    expected.caseInsensitive = .no
    expected.maxOutputBytes = 1000
    expected.verification = .full
    expected.quarantineAfter = 0
    expected.keepRuns = 30
    let words = [
      "--workers=3", "--deadline=1.5m", "--force", "--tolerant", "--sandbox=best-effort",
      "--limit=20", "--progress=json", "--format=json", "--state=s", "--library=l", "--memory=2G",
      "--drain=500ms", "--fail-on=5%", "--invalid=fail-job", "--accept-removed-edits",
      "--metadata-only", "--case-insensitive=no", "--max-output-bytes=1000", "--isolation=fork",
      "--verify=full", "--checksum", "--only-reason=forced,lookChanged:a.cube",
      "--rebuild-on=engine", "--quarantine-after=0", "--keep-runs=30",
    ]
    let given = Set(
      words.compactMap { $0.dropFirst(2).split(separator: "=").first.map(String.init) })
    #expect(given.union(["output"]) == Set(RenderFlags.descriptions.map(\.name)))
    #expect(try options(words + ["a.json", "--output=/out", "b/"]) == expected)
  }

  @Test("no two flags share a name or a variable")
  func distinctFlags() {
    for command in CommandTable.descriptions {
      let names = command.allFlags.map(\.name)
      #expect(Set(names).count == names.count)
      let variables = command.allFlags.compactMap(\.environmentVariable)
      #expect(Set(variables).count == variables.count)
    }
  }

  @Test("reusing a process is refused as long as it cannot be had")
  func reuse() {
    #expect(
      throws: UsageProblem.refused("--isolation reuse is not available yet; use --isolation fork")
    ) { try options(["a", "--output=o", "--isolation=reuse"]) }
  }

  @Test("an output folder and a manifest must be named")
  func required() {
    #expect(throws: UsageProblem.missingFlag("--output DIR")) { try options(["a.json"]) }
    #expect(throws: UsageProblem.missingOperand("MANIFEST")) { try options(["--output=o"]) }
  }

  @Test(
    "the run is asked with the options, and its status is the program's",
    arguments: RenderModel.ExitStatus.allCases)
  func status(status: RenderModel.ExitStatus) {
    let harness = ProgramHarness(status: status)
    #expect(harness.run(["render", "a.json", "--output", "o"]) == status)
    #expect(
      harness.asked == [RenderOptions(manifests: [HostPath("a.json")], output: HostPath("o"))])
    #expect(harness.output.isEmpty)
  }

  @Test(
    "names of manifests and libraries that are not UTF-8 are refused with what to do instead",
    arguments: ["render", "validate"])
  func names(command: String) {
    let odd = Argument(bytes: Array("m".utf8) + [0xFF])
    for words in [[odd], ["a.json", "--library", odd], ["a.json", odd]] as [[Argument]] {
      let harness = ProgramHarness(status: .success)
      let output: [Argument] = command == "render" ? ["--output", "o"] : []
      #expect(harness.run([Argument(command)] + words + output) == .usage)
      #expect(harness.asked.isEmpty)
      #expect(harness.talk.contains("is not UTF-8") || harness.talk.contains("not UTF-8"))
      #expect(harness.talk.contains("m\\xFF"), "\(harness.talk)")
    }
  }

  @Test("nothing runs when the command line is wrong")
  func wrong() {
    let harness = ProgramHarness(status: .success)
    #expect(harness.run(["render", "a.json"]) == .usage)
    #expect(harness.asked.isEmpty)
  }
}
