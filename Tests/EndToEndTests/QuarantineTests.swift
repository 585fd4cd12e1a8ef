import Coordinator
import JSONText
import Ledger
import RenderModel
import Reporting
import SystemSupport
import Testing
import WorkerProtocol

/// Pictures that end their processes are left alone after a while, with the evidence told.
@Suite("Quarantine", .serialized)
struct QuarantineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var fault: InjectedFault.Kind
    var outcome: String
    /// How the same is spelled once the picture is set aside.
    var aside: String
    var attempts: Int
    var testDescription: String { fault.rawValue }
  }

  static let cases = [
    Case(
      fault: .abort, outcome: "failed(crashed)", aside: "quarantined(crashed)", attempts: 2),
    Case(
      fault: .forbiddenCall, outcome: "failed(policyViolation)",
      aside: "quarantined(policyViolation)", attempts: 2),
    Case(fault: .spin, outcome: "timedOut", aside: "quarantined", attempts: 1),
  ]

  /// A scene with a sound picture and one whose process misbehaves, which gets 300 ms.
  private func scene() throws -> RenderScene {
    let scene = try RenderScene()
    try scene.draw("good.png")
    try scene.draw("bad.png", seed: 1)
    try scene.write(jobs: [
      #"{"asset": "good.png"}"#, #"{"asset": "bad.png", "deadline": "300ms"}"#,
    ])
    return scene
  }

  private func misbehave(
    _ kind: InjectedFault.Kind, _ jobs: Set<String> = ["bad.png"]
  ) -> @Sendable (Job) -> InjectedFault? {
    { job in jobs.contains(job.id) ? InjectedFault(kind: kind) : nil }
  }

  /// The versions that the worker says, so that strikes and later runs agree.
  private func engine(_ scene: RenderScene) throws -> [String: String] {
    let reports = try scene.lastReports()
    let told = reports.values.compactMap { $0["engine"]?.object }.first { !$0.isEmpty }
    let members = (told ?? []).compactMap { member in
      member.value.string.map { (member.key, $0) }
    }
    return Dictionary(members) { first, _ in first }
  }

  private func quarantine(
    _ scene: RenderScene, _ words: [String]
  ) throws -> ProgramEnd {
    try RunningProgram(
      BuiltPrograms.minilab, ["quarantine"] + words + ["--output", scene.output]
    ).wait()
  }

  @Test(
    "what ends its process in two runs is not tried in the third, and the evidence is told",
    arguments: cases, LedgerKind.allCases)
  func setAside(matrix: Case, ledger: LedgerKind) throws {
    let scene = try scene()
    for _ in 0..<2 {
      let summary = try scene.run(ledger) { $0.injectedFault = misbehave(matrix.fault) }
      #expect(summary.exitStatus == 3)
      let report = try #require(try scene.lastRun().reports["bad.png"])
      #expect(report.outcome == matrix.outcome)
      #expect(report["attempt"]?.number?.integer == matrix.attempts)
      #expect(report["strike"]?["deadline"]?.number?.integer == 300)
      #expect(report["strike"]?["memory"]?.number?.integer == 1 << 30)
      #expect(report["quarantine"] == nil)
    }
    let engine = try engine(scene)
    for run in 0..<2 {
      let summary = try scene.run(ledger) { configuration in
        configuration.injectedFault = misbehave(matrix.fault)
        configuration.engineVersions = { engine }
        if run == 1 { configuration.failurePolicy = .new }
      }
      #expect(summary.exitStatus == (run == 1 ? 0 : 3))
      #expect(summary.totals.quarantined == 1)
      #expect(summary.totals.fresh == 1)
      #expect(summary.balanced)
      let report = try #require(try scene.lastRun().reports["bad.png"])
      #expect(report.outcome == matrix.aside)
      #expect(report["peakMemory"] == nil)
      #expect(report["asset"]?["sha256"]?.string == (try scene.folder.digest("library/bad.png")))
      let evidence = report["quarantine"]
      #expect(evidence?["count"]?.number?.integer == 2)
      #expect(evidence?["stage"]?.string == "encode")
      #expect((evidence?["peakMemory"]?.number?.integer ?? 0) > 1 << 20)
      #expect(evidence?["run"]?.string == (try scene.runs()[1].reports["bad.png"]?["run"]?.string))
      #expect(evidence?["job"]?.string == "bad.png")
      #expect(report.detail?.contains("ended its process 2 times") == true)
    }
  }

  @Test(
    "it is tried again with another engine, a wider limit, other bytes, or when nothing is set aside",
    arguments: ["engine", "deadline", "content", "off", "unknown engine"])
  func triedAgain(change: String) throws {
    let scene = try scene()
    for _ in 0..<2 { _ = try scene.run { $0.injectedFault = misbehave(.spin) } }
    var engine = try engine(scene)
    switch change {
    case "engine": engine["libvips"] = "99"
    case "deadline":
      try scene.write(jobs: [#"{"asset": "bad.png", "deadline": "1m"}"#])
    case "content": try scene.draw("bad.png", seed: 7)
    default: break
    }
    let told = change == "unknown engine" ? nil : engine
    _ = try scene.run { configuration in
      configuration.engineVersions = { told }
      if change == "off" { configuration.quarantine = Quarantine(after: 0) }
    }
    #expect(try scene.lastRun().reports["bad.png"]?.outcome == "rendered")
    // A render clears the strikes: the next failure is the first again.
    let same = try self.engine(scene)
    _ = try scene.run { configuration in
      configuration.engineVersions = { same }
      configuration.isForced = true
      configuration.injectedFault = misbehave(.abort)
    }
    #expect(try scene.lastRun().reports["bad.png"]?.outcome == "failed(crashed)")
  }

  @Test("force renders what is up to date, and leaves alone what is quarantined")
  func forced() throws {
    let scene = try scene()
    for _ in 0..<2 { _ = try scene.run { $0.injectedFault = misbehave(.abort) } }
    let engine = try engine(scene)
    let summary = try scene.run { configuration in
      configuration.engineVersions = { engine }
      configuration.isForced = true
    }
    #expect(summary.totals.rendered == 1)
    #expect(summary.totals.quarantined == 1)
  }

  @Test("a copy under another name is not tried either, and is released with the other")
  func copies() throws {
    let scene = try scene()
    for _ in 0..<2 { _ = try scene.run { $0.injectedFault = misbehave(.abort) } }
    let engine = try engine(scene)
    try scene.draw("copy.png", seed: 1)
    try scene.write(assets: ["good.png", "bad.png", "copy.png"])
    for _ in 0..<2 {
      let summary = try scene.run { $0.engineVersions = { engine } }
      #expect(summary.totals.quarantined == 2)
      let report = try #require(try scene.lastRun().reports["copy.png"])
      #expect(report["quarantine"]?["job"]?.string == "bad.png")
      #expect(report.detail?.contains("as the job bad.png") == true)
    }
    let end = try quarantine(scene, ["release", "copy.png"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    #expect(end.outputText.hasPrefix("2 jobs are released"))
    let summary = try scene.run { $0.engineVersions = { engine } }
    #expect(summary.totals.rendered == 2)
    #expect(summary.totals.quarantined == 0)
  }

  @Test("a release lasts, whether or not the ledger does", arguments: [true, false])
  func released(keepsLedger: Bool) throws {
    let scene = try scene()
    for _ in 0..<2 { _ = try scene.run { $0.injectedFault = misbehave(.abort) } }
    let list = try quarantine(scene, ["list"])
    #expect(list.exitStatus == 0, "\(list.errorText)")
    #expect(list.outputText.hasPrefix("bad.png\n  asset         bad.png\n  strikes       2 of the"))
    let json = try JSONValue(text: try quarantine(scene, ["list", "--format", "json"]).output)
    #expect(json["strikes"]?["code"]?.string == "crashed")
    let wrong = try quarantine(scene, ["release", "bad.png", "good.png"])
    #expect(wrong.exitStatus == 64)
    #expect(wrong.errorText.contains("the job 'good.png' has no strikes"))
    #expect(try quarantine(scene, ["release", "--all"]).exitStatus == 0)
    #expect(try quarantine(scene, ["list"]).outputText == "No job has strikes.\n")
    if !keepsLedger { try scene.folder.remove("out/.minilab/ledger.sqlite") }
    #expect(try quarantine(scene, ["list"]).outputText == "No job has strikes.\n")
    #expect(try scene.temporaries() == [])
    let engine = try engine(scene)
    _ = try scene.run { $0.engineVersions = { engine } }
    #expect(try scene.lastRun().reports["bad.png"]?.outcome == "rendered")
  }

  @Test("the program knows its own engine: a job that hangs twice waits for a longer deadline")
  func program() throws {
    let scene = try RenderScene()
    try scene.draw("slow.png", width: 1500, height: 1000)
    try scene.write(assets: ["slow.png"])
    for expected in ["timedOut", "timedOut", "quarantined"] {
      let end = try scene.render(["--deadline", "1ms"])
      #expect(end.exitStatus == 3, "\(end.errorText)")
      #expect(try scene.lastRun().reports["slow.png"]?.outcome == expected)
    }
    #expect(try scene.render(["--deadline", "1ms", "--fail-on", "new"]).exitStatus == 0)
    let end = try scene.render(["--deadline", "1ms", "--quarantine-after", "3"])
    #expect(try scene.lastRun().reports["slow.png"]?.outcome == "timedOut", "\(end.errorText)")
    #expect(try scene.render(["--deadline", "1m"]).exitStatus == 0)
  }
}
