import JSONText
import Journal
import RenderModel
import SystemSupport
import Testing

@testable import CommandLineInterface

@Suite("minilab ledger")
struct LedgerCommandTests {
  /// An output folder with the journal of one run.
  private final class Place {
    let path = "/tmp/minilab-cli-\(RandomBytes.hex(8))"

    init(_ reports: [JobReport]) throws {
      let output = try Directory(path: path, creating: true)
      let state = try output.makeDirectories(Array(".minilab".utf8))
      let run = try RunFolder.create(state: state, output: output)
      let journal = try JournalWriter(creatingIn: run.directory)
      try journal.append(reports.map { .report($0) })
    }

    deinit { try? Directory(path: "/tmp").removeTree(Array(path.dropFirst("/tmp/".count).utf8)) }
  }

  private static func report(_ job: String, _ outcome: Outcome = Outcome(.rendered)) -> JobReport {
    var report = JobReport(
      job: job, run: "R1", attempt: 1, asset: .init(path: RelativePath(bytes: [0x61, 0xFF])),
      outcome: outcome)
    report.asset.sha256 = String(repeating: "ab", count: 32)
    report.filters = [.init(name: "exposure", version: 2)]
    report.finished = "2026-01-31T12:00:00.000Z"
    if outcome.code == "crashed" {
      report.strike = StrikeLimits(deadline: DeadlinePolicy(), memory: 1 << 30)
      report.engine = ["libvips": "8.14.1", "minilab": "1.0"]
    }
    report.renditions = [
      .init(
        name: "full", path: RelativePath("a\u{7}.jpg"), type: "public.jpeg", bytes: 7,
        sha256: String(repeating: "cd", count: 32), width: 1, height: 1, profile: "sRGB",
        bitDepth: 8, identity: FileIdentity(inode: 1, size: 7, modified: 3, changed: 4))
    ]
    return report
  }

  private func run(_ words: [String], _ place: Place?) -> (RenderModel.ExitStatus, String, String) {
    let harness = ProgramHarness()
    let output = place.map { ["--output", $0.path] } ?? []
    let status = harness.run((["ledger"] + words + output).map { Argument($0) })
    return (status, harness.output, harness.talk)
  }

  @Test("what is wrong with the command line is said before anything is touched")
  func usage() throws {
    let place = try Place([])
    for (words, said) in [
      ([], "ACTION is missing"), (["mend"], "'mend' is nothing that can be done with a ledger"),
      (["rebuild", "a"], "'a' is one argument too many"),
    ] as [([String], String)] {
      let (status, output, talk) = run(words, place)
      #expect(status == .usage)
      #expect(output == "")
      #expect(talk.contains(said), "\(talk)")
    }
    #expect(run(["show"], nil).2.contains("--output DIR is missing"))
  }

  @Test("the list has a line for each job, in the order of their ids, safe to print")
  func list() throws {
    let place = try Place([
      Self.report("b\n"), Self.report("a", Outcome(.failed, code: "crashed")),
    ])
    let (status, output, _) = run(["show"], place)
    #expect(status == .success)
    #expect(
      output == """
        failed(crashed)         2026-01-31T12:00:00.000Z  a
        rendered                2026-01-31T12:00:00.000Z  b\\u{A}

        """)
  }

  @Test("a page tells everything, and its JSON has names that are not UTF-8 in base64")
  func page() throws {
    let place = try Place([
      Self.report("a"), Self.report("a", Outcome(.failed, code: "crashed")),
    ])
    let (_, page, _) = run(["show", "a"], place)
    for words in [
      "a\n  ended         failed(crashed)", "strikes       1 of the content abab",
      "struck last   failed(crashed), run R1, 2026-01-31T12:00:00.000Z",
      "struck within 30000 ms, 1024 MiB for all jobs", "struck by     libvips 8.14.1, minilab 1.0",
      "asset         a\\xFF",
      "filters       exposure 2", "output        full: a\\u{7}.jpg, 7 bytes, cdcd",
    ] {
      #expect(page.contains(words), "\(page)")
    }
    let (_, json, _) = run(["show", "a", "--format", "json"], place)
    #expect(json.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    let told = try JSONParser.parse(Array(json.utf8)).value
    #expect(told["assetBytes"]?.string == "Yf8=")
    #expect(told["asset"] == nil)
    #expect(told["outcome"]?["code"]?.string == "crashed")
    #expect(told["filters"]?.array?.first?["version"]?.number?.integer == 2)
    #expect(told["outputs"]?.array?.first?["identity"]?["changed"]?.number?.integer == 4)
    #expect(told["strikes"]?["count"]?.number?.integer == 1)
    #expect(told["strikes"]?["limits"]?["memory"]?.number?.integer == 1 << 30)
  }

  @Test("a rebuild says what it read, and what journals could not be believed")
  func rebuild() throws {
    let place = try Place([Self.report("a"), Self.report("b"), Self.report("a")])
    let (status, output, talk) = run(["rebuild"], place)
    #expect(status == .success)
    #expect(output == "The ledger knows 2 jobs from 3 reports of 1 runs.\n")
    #expect(talk == "")
    #expect(
      run(["rebuild", "--format", "json"], place).1
        == "{\"jobs\":2,\"reports\":3,\"runs\":1,\"damagedLines\":0}\n")
  }

  @Test("a folder without state is refused and stays as it is")
  func noState() throws {
    let place = try Place([])
    let state = try Directory(path: place.path)
    try state.removeTree(Array(".minilab".utf8))
    let (status, _, talk) = run(["show"], place)
    #expect(status == .storeUnreachable)
    #expect(talk.contains("there is no state folder of a run"))
    #expect(try state.entries().isEmpty)
  }
}
