import Glibc
import Journal
import Ledger
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

@Suite("Compaction of journals")
struct JournalCompactionTests {
  private func compaction(
    _ fixture: AuditFixture, keep: Int = 1, removes: Bool = true
  ) -> JournalCompaction {
    JournalCompaction(
      state: fixture.state, output: fixture.output, ledger: fixture.ledger, keep: keep,
      removesFolders: removes)
  }

  private func catchUp(_ ledger: any Ledger, _ fixture: AuditFixture) throws {
    _ = try LedgerCatchUp(ledger: ledger, state: fixture.state, output: fixture.output).perform()
  }

  /// What a ledger that knows nothing makes of the journals that are there.
  private func rebuilt(_ fixture: AuditFixture) throws -> [LedgerEntry] {
    let ledger = MemoryLedger()
    try catchUp(ledger, fixture)
    return ledger.entries(after: nil, limit: .max)
  }

  private func journal(_ run: String, _ fixture: AuditFixture) throws -> [JournalLine] {
    let folder = try fixture.state.openDirectory(Array("runs/\(run)".utf8))
    var lines: [JournalLine] = []
    guard var reader = try JournalReader.open(folder) else { return [] }
    while let line = try reader.next() { lines.append(line) }
    #expect(reader.corruptCount == 0)
    return lines
  }

  // MARK: - Histories

  /// Reports of many ends, with and without digests, records and outputs.
  private static func report(
    _ job: Int, _ random: inout some RandomNumberGenerator
  ) -> JobReport {
    let states: [Outcome] = [
      Outcome(.rendered), Outcome(.rendered), Outcome(.degraded), Outcome(.timedOut),
      Outcome(.failed, code: "crashed"), Outcome(.failed, code: "unreadable"),
      Outcome(.failed, code: "memory"), Outcome(.kept, code: "unknownFormat"),
      Outcome(.cancelled), Outcome(.quarantined), Outcome(.skipped),
    ]
    var report = JobReport(
      job: "job \(job)", run: "", attempt: 1, asset: .init(path: RelativePath("\(job).jpg")),
      outcome: states.randomElement(using: &random) ?? Outcome(.rendered))
    report.finished = "2026-01-31T12:00:0\(Int.random(in: 0...9, using: &random)).000Z"
    let digit = String(Int.random(in: 1...2, using: &random))
    if Bool.random(using: &random) { report.asset.sha256 = String(repeating: digit, count: 64) }
    if Bool.random(using: &random) {
      (report.asset.width, report.asset.height) = (Int.random(in: 1...9, using: &random), 3)
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      report.adjustment = .init(
        formatIdentifier: "f", formatVersion: digit, sha256: String(repeating: digit, count: 64),
        fidelity: "exact")
    }
    guard ["rendered", "degraded"].contains(report.outcome.state) else { return report }
    report.recipe = digit
    report.cpu = 5
    report.engine = ["libvips": digit]
    report.renditions = [
      .init(
        name: "full", path: RelativePath("\(job).full.jpg"), type: "public.jpeg", bytes: 3,
        sha256: String(repeating: digit, count: 64), width: 1, height: 1, profile: "sRGB",
        bitDepth: 8)
    ]
    return report
  }

  @Test("a ledger made from compacted journals is the one made from whole ones", arguments: 1...40)
  func equality(seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let fixture = try AuditFixture()
    for _ in 0..<Int.random(in: 2...9, using: &random) {
      let jobs = (0..<8).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
      try fixture.run(jobs.map { Self.report($0, &random) })
    }
    let whole = try rebuilt(fixture)
    try catchUp(fixture.ledger, fixture)
    let keep = Int.random(in: 1...3, using: &random)
    let result = try compaction(fixture, keep: keep, removes: Bool.random(using: &random)).perform()
    #expect(result.after <= result.before)
    #expect(try rebuilt(fixture) == whole)
    #expect(fixture.ledger.entries(after: nil, limit: .max) == whole)
    // The ledger need not read anything again, and a second time finds nothing to do.
    let again = try LedgerCatchUp(
      ledger: fixture.ledger, state: fixture.state, output: fixture.output
    ).perform()
    #expect(again == .init())
    #expect(try compaction(fixture, keep: keep, removes: false).perform().lines == 0)
    // And what comes later is understood in the same way.
    try fixture.run((0..<8).map { Self.report($0, &random) })
    try catchUp(fixture.ledger, fixture)
    #expect(try rebuilt(fixture) == fixture.ledger.entries(after: nil, limit: .max))
    #expect(try fixture.state.entries().allSatisfy { $0.name != Array("compacted".utf8) })
  }

  @Test("what is superseded goes, the last word stays, and a run without one loses its folder")
  func lines() throws {
    let fixture = try AuditFixture()
    try fixture.write("a.jpg", "a")
    try fixture.write("b.jpg", "b")
    try fixture.run([try fixture.report("a", ["a.jpg"])])
    try fixture.run([])
    try fixture.run([try fixture.report("a", ["a.jpg"]), try fixture.report("b", ["b.jpg"])])
    try fixture.run([try fixture.report("a", ["a.jpg"])])
    let names = try fixture.runNames()
    try catchUp(fixture.ledger, fixture)
    let result = try compaction(fixture).perform()
    // The third says how a's attempt before the last one ended, and is the last word on b.
    #expect(try fixture.runNames() == [names[2], names[3]])
    #expect(try journal(names[2], fixture).story == ["report a", "report b"])
    #expect(try journal(names[3], fixture).story == ["intent a", "report a"])
    #expect(result.removed == 2)
    #expect(result.shortened == 1)
    #expect(try journal(names[2], fixture).count == 4)
  }

  @Test("folders stay when nobody said how many runs to keep")
  func folders() throws {
    let fixture = try AuditFixture()
    for _ in 0..<3 { try fixture.run([]) }
    try catchUp(fixture.ledger, fixture)
    #expect(try compaction(fixture, removes: false).perform().removed == 0)
    #expect(try fixture.runNames().count == 3)
    #expect(try compaction(fixture, keep: 2).perform().removed == 1)
    #expect(try fixture.runNames().count == 2)
  }

  @Test("pending intents, damaged lines and names that were given up stay")
  func kept() throws {
    let fixture = try AuditFixture()
    for name in ["a.jpg", "b.jpg", "old.jpg"] { try fixture.write(name, name) }
    let old = try fixture.report("a", ["old.jpg"])
    let first = try fixture.run([old, try fixture.report("b", ["b.jpg"])])
    let folder = try fixture.state.openDirectory(Array("runs/\(first.text)".utf8))
    let writer = try JournalWriter(
      resuming: folder,
      wholeLength: fixture.state.status(
        Array("runs/\(first.text)/journal.jsonl".utf8))?.size ?? 0)
    try writer.append([.intent(Intent(names: [], report: try fixture.report("c", ["b.jpg"])))])
    let file = try folder.openBeneath(JournalWriter.fileName, flags: O_WRONLY | O_APPEND)
    try FileTransfer.writeAll(file, Array("{\"kind\":\"report\"} rotten\n".utf8))
    try fixture.run([try fixture.report("a", ["a.jpg"]), try fixture.report("b", ["b.jpg"])])
    try fixture.run([try fixture.report("a", ["a.jpg"]), try fixture.report("b", ["b.jpg"])])
    try fixture.run([])
    try catchUp(fixture.ledger, fixture)
    _ = try compaction(fixture).perform()
    let text = String(
      decoding: try FileTransfer.readAll(
        try folder.openBeneath(JournalWriter.fileName, flags: O_RDONLY), limit: 1 << 20),
      as: UTF8.self)
    #expect(text.contains("rotten"))
    #expect(text.contains("old.jpg"))
    #expect(!text.contains("\"job\":\"b\""))
    #expect(text.contains("\"kind\":\"intent\""))
  }

  /// A whole line of a kind that a later version might write.
  private func add(_ body: String, to run: RunIdentifier, _ fixture: AuditFixture) throws {
    let folder = try fixture.state.openDirectory(Array("runs/\(run.text)".utf8))
    let file = try folder.openBeneath(JournalWriter.fileName, flags: O_WRONLY | O_APPEND)
    let sum = String(CRC32C.checksum(Array(body.utf8)), radix: 16)
    let digits = String(repeating: "0", count: 8 - sum.count) + sum
    try FileTransfer.writeAll(file, Array("\(body),\"checksum\":\"\(digits)\"}\n".utf8))
  }

  @Test("nothing goes of a job that a later version wrote of, and a line about all jobs stops it")
  func laterVersions() throws {
    let fixture = try AuditFixture()
    try fixture.write("a.jpg", "a")
    let report = try fixture.report("a", ["a.jpg"])
    let first = try fixture.run([report])
    try add("{\"job\":\"a\",\"kind\":\"blessing\"", to: first, fixture)
    for _ in 0..<3 { try fixture.run([report]) }
    try catchUp(fixture.ledger, fixture)
    _ = try compaction(fixture).perform()
    #expect(try fixture.runNames().count == 4)
    for name in try fixture.runNames().dropLast() {
      let folder = try fixture.state.openDirectory(Array("runs/\(name)".utf8))
      var reader = try #require(try JournalReader.open(folder))
      #expect(try reader.nextReport()?.job == "a")
    }
    let last = try #require(RunIdentifier(name: Array(try fixture.runNames()[1].utf8)))
    try add("{\"kind\":\"jubilee\"", to: last, fixture)
    try catchUp(fixture.ledger, fixture)
    #expect(throws: JournalError.self) { _ = try compaction(fixture).perform() }
  }

  @Test("a ledger that is behind keeps the journals as they are")
  func behind() throws {
    let fixture = try AuditFixture()
    try fixture.write("a.jpg", "a")
    for _ in 0..<3 { try fixture.run([try fixture.report("a", ["a.jpg"])]) }
    #expect(try compaction(fixture).perform() == .init())
    #expect(try fixture.runNames().count == 3)
  }

  // MARK: - Interrupted

  /// Runs of which three have something to lose.
  private func history() throws -> AuditFixture {
    let fixture = try AuditFixture()
    try fixture.write("a.jpg", "a")
    try fixture.write("b.jpg", "b")
    for _ in 0..<5 {
      try fixture.run([try fixture.report("a", ["a.jpg"]), try fixture.report("b", ["b.jpg"])])
    }
    try catchUp(fixture.ledger, fixture)
    return fixture
  }

  private func changes(_ fixture: AuditFixture) throws -> [CompactionCommit.Change] {
    let names = try fixture.runNames().compactMap { RunIdentifier(name: Array($0.utf8)) }
    let length =
      try fixture.state.status(
        Array("runs/\(names[3].text)/journal.jsonl".utf8))?.size ?? 0
    let folder = try fixture.state.openDirectory(Array("runs/\(names[3].text)".utf8))
    var reader = try #require(try JournalReader.open(folder))
    _ = try reader.nextRaw()
    let intent = try #require(try reader.nextRaw())
    return [
      .remove(names[0]), .remove(names[1]), .remove(names[2]),
      .shorten(
        names[3], from: length, without: [intent.offset..<(intent.offset + intent.length)]),
    ]
  }

  @Test("what was only being written is forgotten")
  func forgotten() throws {
    let fixture = try history()
    let whole = try rebuilt(fixture)
    _ = try fixture.state.makeDirectories(Array("compacting/half".utf8))
    try CompactionCommit(state: fixture.state).finish(ledger: fixture.ledger)
    #expect(try fixture.state.status(Array("compacting".utf8)) == nil)
    #expect(try fixture.runNames().count == 5)
    #expect(try rebuilt(fixture) == whole)
  }

  @Test("what is carried out and half cleared away is cleared away")
  func cleared() throws {
    let fixture = try history()
    let whole = try rebuilt(fixture)
    try CompactionCommit(state: fixture.state).carryOut(
      try changes(fixture), ledger: fixture.ledger)
    _ = try fixture.state.makeDirectories(Array("compacting".utf8))
    try CompactionCommit(state: fixture.state).finish(ledger: fixture.ledger)
    #expect(try fixture.state.status(Array("compacting".utf8)) == nil)
    #expect(try rebuilt(fixture) == whole)
  }

  @Test("what was decided is carried out by the next start, wherever it was left", arguments: 0...4)
  func carriedOut(step: Int) throws {
    let fixture = try history()
    let whole = try rebuilt(fixture)
    let changes = try changes(fixture)
    try CompactionCommit(state: fixture.state).decide(changes)
    let names = try fixture.runNames()
    // A death after so many of its steps.
    for name in names.prefix(min(step, 3)) {
      try fixture.state.removeTree(Array("runs/\(name)".utf8))
    }
    if step == 4 {
      try fixture.state.rename(
        Array("compacted/\(names[3])".utf8), to: fixture.state,
        Array("runs/\(names[3])/journal.jsonl".utf8))
    }
    let access = LedgerAccess(
      outputPath: Array(fixture.path.utf8), statePath: nil,
      openLedger: { _ throws(LedgerError) in fixture.ledger }, onNote: { _ in })
    let read = try access.with { _, read in read }
    #expect(read == .init())
    #expect(try fixture.runNames() == Array(names.suffix(2)))
    #expect(try fixture.state.status(Array("compacted".utf8)) == nil)
    #expect(fixture.ledger.entries(after: nil, limit: .max) == whole)
    #expect(try rebuilt(fixture) == whole)
  }

  @Test("a ledger that was behind when it was decided is made anew")
  func lagging() throws {
    let fixture = try history()
    let whole = try rebuilt(fixture)
    try CompactionCommit(state: fixture.state).decide(try changes(fixture))
    let name = try fixture.runNames()[3]
    let ledger = MemoryLedger()
    ledger.record([], upTo: JournalPosition(run: name, bytes: 17))
    try CompactionCommit(state: fixture.state).finish(ledger: ledger)
    try catchUp(ledger, fixture)
    #expect(ledger.entries(after: nil, limit: .max) == whole)
  }

  // MARK: - When

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var total: Int64
    var live: Int64
    var largest: Int64 = 0
    var old: Int?
    var decision: CompactionPolicy.Decision
  }

  static let cases: [Case] = [
    Case(testDescription: "small", total: 64 << 20, live: 0, old: nil, decision: .nothing),
    Case(
      testDescription: "large, never looked through", total: 65 << 20, live: 0, old: nil,
      decision: .scan),
    Case(
      testDescription: "large, and most of it live", total: 100 << 20, live: 60 << 20, old: nil,
      decision: .nothing),
    Case(
      testDescription: "grown to the double", total: 185 << 20, live: 60 << 20, old: nil,
      decision: .scan),
    Case(
      testDescription: "one large run, and small ones after it", total: 900 << 20, live: 0,
      largest: 890 << 20, old: nil, decision: .nothing),
    Case(
      testDescription: "the third large run", total: 2700 << 20, live: 0, largest: 900 << 20,
      old: nil, decision: .scan),
    Case(testDescription: "few runs", total: 1 << 20, live: 0, old: 0, decision: .nothing),
    Case(testDescription: "a run too many", total: 1 << 20, live: 0, old: 1, decision: .scan),
    Case(
      testDescription: "a run too many of a large state", total: 100 << 20, live: 60 << 20, old: 1,
      decision: .removeSilent),
  ]

  @Test("journals are looked through when it is worth it", arguments: cases)
  func policy(one: Case) {
    #expect(
      CompactionPolicy.decide(
        total: one.total, live: one.live, largest: one.largest, old: one.old) == one.decision)
  }

  @Test("after a run, small journals are compacted only where runs are to go")
  func afterRun() throws {
    let fixture = try history()
    func compact(_ keep: Int?) throws -> JournalCompaction.Result {
      try JournalCompaction.afterRun(
        state: fixture.state, output: fixture.output, ledger: fixture.ledger, keepRuns: keep,
        isStopped: { false })
    }
    #expect(try compact(nil) == .init())
    #expect(try compact(9) == .init())
    #expect(try compact(2).removed > 0)
    #expect(try fixture.runNames().count < 5)
    #expect(throws: CompactionScan.Stopped.self) {
      _ = try JournalCompaction.afterRun(
        state: fixture.state, output: fixture.output, ledger: fixture.ledger, keepRuns: 1,
        isStopped: { true })
    }
  }
}

/// The same numbers for the same seed (SplitMix64).
private struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
