import Glibc
import Ledger
import RenderModel
import Reporting
import Synchronization
import SystemSupport
import Testing

@testable import Coordinator

@Suite("Audit of outputs")
struct LibraryVerificationTests {
  private func verify(
    _ fixture: AuditFixture, _ change: (inout LibraryVerification) -> Void = { _ in }
  ) throws -> (summary: VerificationSummary, findings: [AuditFinding]) {
    var verification = LibraryVerification(access: fixture.access(), threads: 2)
    var findings: [AuditFinding] = []
    verification.onFinding = { findings.append($0) }
    change(&verification)
    return (try verification.perform(), findings)
  }

  /// Two jobs of two outputs each, with a report file beside the first.
  private func library() throws -> AuditFixture {
    let fixture = try AuditFixture()
    for name in ["a/1.jpg", "a/2.jpg", "b/1.jpg", "b/2.jpg"] {
      try fixture.write(name, "the bytes of \(name)")
    }
    let first = try fixture.report("a", ["a/1.jpg", "a/2.jpg"], reportFile: "a/report.json")
    try fixture.write("a/report.json", try ReportText.pretty(first))
    try fixture.run([first, try fixture.report("b", ["b/1.jpg", "b/2.jpg"])])
    return fixture
  }

  @Test("what is as it was reported is read and found well")
  func well() throws {
    let (summary, findings) = try verify(try library())
    #expect(findings == [])
    #expect(summary.jobs == 2)
    #expect(summary.outputs == 4)
    #expect(summary.reports == 1)
    #expect(summary.bytes > 4 * 20)
    #expect(summary.exitStatus == 0)
    #expect(summary.text(elapsed: 1).contains("4 outputs of 2 jobs read"))
    #expect(summary.text(elapsed: 1).contains("all well"))
  }

  struct Harm: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: AuditFinding.Code
    var path = "a/1.jpg"
    var words: String
    var isFoundQuickly = false
    var act: @Sendable (AuditFixture) throws -> Void
  }

  static let harms: [Harm] = [
    Harm(
      testDescription: "an output is gone", code: .outputMissing, words: "no file has this name",
      isFoundQuickly: true
    ) { try $0.output.remove(Array("a/1.jpg".utf8)) },
    Harm(
      testDescription: "a folder has its name", code: .outputMissing, words: "a folder, link",
      isFoundQuickly: true
    ) {
      try $0.output.remove(Array("a/1.jpg".utf8))
      _ = try $0.output.makeDirectories(Array("a/1.jpg".utf8))
    },
    Harm(
      testDescription: "an output is cut off", code: .outputDamaged, words: "has 3 bytes where",
      isFoundQuickly: true
    ) { try $0.write("a/1.jpg", "the") },
    Harm(
      testDescription: "an output has other bytes", code: .outputDamaged, words: "its SHA-256 is"
    ) { try $0.write("a/1.jpg", "THE BYTES OF a/1.jpg") },
    Harm(
      testDescription: "its folder is a link now", code: .outputUnreadable, path: "b/1.jpg",
      words: "leads through a symbolic link", isFoundQuickly: true
    ) { fixture in
      try fixture.output.rename(Array("b".utf8), to: fixture.output, Array("c".utf8))
      _ = unsafe symlink("c", fixture.path + "/b")
    },
    Harm(
      testDescription: "the report file is gone", code: .reportMissing, path: "a/report.json",
      words: "no regular file", isFoundQuickly: true
    ) { try $0.output.remove(Array("a/report.json".utf8)) },
    Harm(
      testDescription: "the report file is no JSON", code: .reportDamaged, path: "a/report.json",
      words: "is no report in JSON"
    ) { try $0.write("a/report.json", "{\"kind\": \"report\"") },
    Harm(
      testDescription: "the report file is another JSON", code: .reportDamaged,
      path: "a/report.json", words: "is no report of a job"
    ) { try $0.write("a/report.json", "{\"kind\": \"summary\", \"job\": \"a\"}") },
    Harm(
      testDescription: "the report file is another job's", code: .reportDamaged,
      path: "a/report.json", words: "is the report of the job \"b\""
    ) { try $0.write("a/report.json", try ReportText.pretty($0.report("b", ["b/1.jpg"]))) },
    Harm(
      testDescription: "the report file speaks of other outputs", code: .reportDamaged,
      path: "a/report.json", words: "speaks of other outputs"
    ) { try $0.write("a/report.json", try ReportText.pretty($0.report("a", ["b/1.jpg"]))) },
  ]

  @Test("each harm is named with its path and job, and the exit status is 3", arguments: harms)
  func harm(harm: Harm) throws {
    let fixture = try library()
    try harm.act(fixture)
    let (summary, findings) = try verify(fixture)
    let finding = try #require(findings.first)
    #expect(finding.code == harm.code)
    #expect(finding.path == harm.path)
    #expect(finding.job == String(harm.path.prefix(1)))
    #expect(finding.detail.contains(harm.words), "\(finding.detail)")
    #expect(finding.isSilent == nil)
    #expect(summary.findings[harm.code.rawValue] == findings.count)
    #expect(summary.exitStatus == 3)
    #expect(finding.line.hasPrefix(harm.code.rawValue))
    #expect(finding.line.contains("\(harm.path) (job \(finding.job)): "))
    let quick = try verify(fixture) { $0.isQuick = true }
    #expect(quick.findings.contains { $0.code == harm.code } == harm.isFoundQuickly)
  }

  @Test("what rots behind its times is found, and the next decision reads it again")
  func rot() throws {
    let fixture = try library()
    var report = try fixture.report("a", ["a/1.jpg"])
    // The file that is there has the identity that was recorded, and not the bytes.
    report.renditions[0].sha256 = String(repeating: "ab", count: 32)
    try fixture.run([report])
    let (summary, findings) = try verify(fixture)
    #expect(findings.map(\.isSilent) == [true])
    #expect(summary.silent == 1)
    #expect(summary.text(elapsed: 1).contains("1 look untouched by their times"))
    let entry = try #require(try fixture.ledger.lookUp("a"))
    #expect(entry.outputs.map(\.identity) == [nil])
    #expect(try fixture.ledger.lookUp("b")?.outputs.allSatisfy { $0.identity != nil } == true)
    // Nothing was deleted, and a second audit finds it again.
    #expect(try fixture.output.status(Array("a/1.jpg".utf8)) != nil)
    #expect(try verify(fixture).findings.map(\.code) == [.outputDamaged])
  }

  @Test("a quick look tells what was touched, and what only reading tells")
  func quick() throws {
    let fixture = try library()
    try fixture.run([try fixture.report("b", ["b/1.jpg", "b/2.jpg"], identified: false)])
    // The same bytes in a new file.
    try fixture.write("a/new.jpg", "the bytes of a/1.jpg")
    try fixture.output.rename(
      Array("a/new.jpg".utf8), to: fixture.output, Array("a/1.jpg".utf8))
    let (summary, findings) = try verify(fixture) { $0.isQuick = true }
    #expect(findings.map(\.code) == [.outputTouched])
    #expect(findings.map(\.path) == ["a/1.jpg"])
    #expect(summary.unchecked == 2)
    #expect(summary.bytes == 0)
    #expect(summary.exitStatus == 3)
    #expect(try verify(fixture).summary.exitStatus == 0)
  }

  @Test("a sample looks at a part, and at nothing twice")
  func sample() throws {
    let fixture = try AuditFixture()
    let names = (0..<400).map { "\($0).jpg" }
    for name in names { try fixture.write(name, name) }
    try fixture.run(try names.map { try fixture.report($0, [$0]) })
    let (summary, _) = try verify(fixture) { $0.sample = 25 }
    #expect((40...180).contains(summary.outputs))
    #expect(summary.jobs == 400)
    #expect(try verify(fixture) { $0.sample = 100 }.summary.outputs == 400)
  }

  @Test("a signal ends it in good order with status 75")
  func stopped() throws {
    let fixture = try library()
    let asked = Counter()
    var verification = LibraryVerification(
      access: fixture.access { asked.next() > 5 }, threads: 1)
    verification.onFinding = { _ in Issue.record("nothing is wrong") }
    let summary = try verification.perform()
    #expect(summary.interrupted)
    #expect(summary.exitStatus == 75)
    #expect(summary.outputs < 4)
    #expect(summary.text(elapsed: 1).contains("Interrupted"))
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  @Test("the same findings come in the same order on any number of threads")
  func threads() throws {
    let fixture = try AuditFixture()
    let names = (0..<60).map { "\($0).jpg" }
    for name in names { try fixture.write(name, name) }
    try fixture.run(try names.map { try fixture.report($0, [$0]) })
    for index in stride(from: 0, to: 60, by: 3) {
      try fixture.write(names[index], String(repeating: "x", count: names[index].count))
    }
    let one = try verify(fixture) { $0.threads = 1 }.findings
    #expect(one.count == 20)
    #expect(try verify(fixture) { $0.threads = 7 }.findings == one)
  }

  @Test("a folder that no run knows is refused and stays as it is")
  func nowhere() throws {
    let fixture = try AuditFixture()
    try fixture.output.removeTree(Array(".minilab".utf8))
    #expect(throws: LedgerAccess.Refusal.self) { try verify(fixture) }
    #expect(try fixture.output.entries().isEmpty)
  }

  @Test("a run that died is put in order before its outputs are looked at")
  func deadRun() throws {
    let fixture = try library()
    try fixture.run([try fixture.report("c", ["b/1.jpg"])], isFinished: false)
    let (summary, _) = try verify(fixture)
    #expect(summary.jobs == 3)
    #expect(
      try fixture.output.status(Array(".minilab/runs/20260131T000002Z-00000000/staging".utf8))
        == nil)
  }
}
