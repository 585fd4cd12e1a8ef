import Glibc
import Journal
import Ledger
import RenderModel
import Synchronization
import SystemSupport
import Testing

@testable import Coordinator

@Suite("Catching a ledger up")
struct LedgerCatchUpTests {
  private static func at(_ run: String, _ bytes: Int64) -> JournalPosition {
    JournalPosition(run: run, bytes: bytes)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var known: [JournalPosition]
    var journals: [JournalPosition]
    var plan: CatchUpPlan
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing at all", known: [], journals: [], plan: .upToDate),
    Case(
      testDescription: "all taken in", known: [at("A", 5), at("B", 7)],
      journals: [at("A", 5), at("B", 7)], plan: .upToDate),
    Case(
      testDescription: "a run that is there no more stays known", known: [at("A", 5), at("B", 7)],
      journals: [at("B", 7)], plan: .upToDate),
    Case(
      testDescription: "no ledger", known: [], journals: [at("A", 5), at("B", 7)],
      plan: .read([at("A", 0), at("B", 0)])),
    Case(
      testDescription: "the last run lags, and one is new", known: [at("A", 5), at("B", 3)],
      journals: [at("A", 5), at("B", 7), at("C", 9)], plan: .read([at("B", 3), at("C", 0)])),
    Case(
      testDescription: "an empty journal is no news", known: [at("B", 7)],
      journals: [at("A", 0), at("B", 7)], plan: .upToDate),
    Case(
      testDescription: "a journal that lost lines", known: [at("A", 5), at("B", 7)],
      journals: [at("A", 4), at("B", 7)], plan: .rebuild(.shorter(run: "A"))),
    Case(
      testDescription: "news in a run before one that is in", known: [at("A", 5), at("B", 7)],
      journals: [at("A", 6), at("B", 7)], plan: .rebuild(.outOfOrder(run: "A"))),
    Case(
      testDescription: "an earlier run appears", known: [at("B", 7)],
      journals: [at("A", 6), at("B", 7)], plan: .rebuild(.outOfOrder(run: "A"))),
    Case(
      testDescription: "an earlier run appears, and the later is gone", known: [at("B", 7)],
      journals: [at("A", 6)], plan: .rebuild(.outOfOrder(run: "A"))),
  ]

  @Test("what is to be read follows from what is known and what is there", arguments: cases)
  func plan(plan: Case) {
    #expect(CatchUpPlan.decide(known: plan.known, journals: plan.journals) == plan.plan)
  }

  // MARK: - Over real journals

  private func report(_ run: RunIdentifier, _ job: String, _ state: OutcomeState = .rendered)
    -> JobReport
  {
    var report = JobReport(
      job: job, run: run.text, attempt: 1, asset: .init(path: RelativePath(job)),
      outcome: Outcome(state))
    report.finished = "2026-01-31T12:00:00.000Z"
    if state == .rendered { report.recipe = run.text }
    if state == .timedOut {
      report.asset.sha256 = String(repeating: "ab", count: 32)
      report.strike = StrikeLimits(deadline: DeadlinePolicy(), memory: 1)
    }
    return report
  }

  private func identifier(_ number: Int) throws -> RunIdentifier {
    try #require(RunIdentifier(name: Array("20260131T12000\(number)Z-00000000".utf8)))
  }

  /// Writes the journal of a run of these jobs.
  @discardableResult
  private func add(
    _ number: Int, _ jobs: [String], _ state: OutcomeState = .rendered, to fixture: RunFixture
  ) throws -> JournalWriter {
    let run = try identifier(number)
    let folder = try RunFolder.create(run, state: fixture.output, output: fixture.output)
    let journal = try JournalWriter(creatingIn: folder.directory)
    try journal.append(jobs.map { .report(report(run, $0, state)) })
    return journal
  }

  private func journalPath(_ number: Int) throws -> [UInt8] {
    Array("runs/\(try identifier(number).text)/journal.jsonl".utf8)
  }

  private func catchUp(
    _ ledger: any Ledger, _ fixture: RunFixture, notes: Notes = Notes(),
    isStopped: @escaping () -> Bool = { false }
  ) -> LedgerCatchUp {
    LedgerCatchUp(
      ledger: ledger, state: fixture.output, output: fixture.output, isStopped: isStopped,
      onNote: { notes.add($0) })
  }

  @Test(
    "each journal is read once, later runs win, and what was added is read from where it was left")
  func increments() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    let notes = Notes()
    let catchUp = catchUp(ledger, fixture, notes: notes)
    #expect(try catchUp.perform() == .init())
    try add(1, ["a", "b"], to: fixture)
    let second = try add(2, ["b"], .failed, to: fixture)
    #expect(try catchUp.perform() == .init(runs: 2, reports: 3, damagedLines: 0))
    #expect(notes.all == ["the ledger is empty; it is filled from the journals of 2 runs"])
    #expect(try ledger.lookUp("b")?.outcome == .failed)
    #expect(try catchUp.perform() == .init())
    try second.append([.report(report(try identifier(2), "c"))])
    #expect(try catchUp.perform() == .init(runs: 1, reports: 1, damagedLines: 0))
    #expect(ledger.count() == 3)
    #expect(notes.all.count == 1)
    #expect(
      ledger.positions().last == JournalPosition(run: try identifier(2).text, bytes: second.length))
  }

  @Test("strikes are counted once, however often the ledger is caught up")
  func strikes() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    let catchUp = catchUp(ledger, fixture)
    try add(1, ["a"], .timedOut, to: fixture)
    for _ in 0..<3 { _ = try catchUp.perform() }
    try add(2, ["a"], .timedOut, to: fixture)
    for _ in 0..<3 { _ = try catchUp.perform() }
    #expect(try ledger.lookUp("a")?.strikes?.count == 2)
    _ = try catchUp.perform(anew: true)
    #expect(try ledger.lookUp("a")?.strikes?.count == 2)
  }

  @Test("a release counts from where it stands, also when the ledger is made anew")
  func release() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    let catchUp = catchUp(ledger, fixture)
    try add(1, ["a", "b"], .timedOut, to: fixture)
    let journal = try add(2, ["a", "b"], .timedOut, to: fixture)
    try journal.append([
      .release(
        QuarantineRelease(
          job: "a", run: try identifier(2).text, source: String(repeating: "ab", count: 32),
          released: "2026-01-31T12:00:00.000Z"))
    ])
    try add(3, ["a"], .timedOut, to: fixture)
    #expect(try catchUp.perform() == .init(runs: 3, reports: 5, damagedLines: 0))
    for anew in [false, true] {
      _ = try catchUp.perform(anew: anew)
      #expect(try ledger.lookUp("a")?.strikes?.count == 1)
      #expect(try ledger.lookUp("b")?.strikes?.count == 2)
    }
  }

  @Test("a journal that lost lines makes the ledger anew, and says what is forgotten")
  func shorter() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    let notes = Notes()
    try add(1, ["a", "b"], to: fixture)
    let journal = try add(2, ["c"], to: fixture)
    _ = try catchUp(ledger, fixture).perform()
    let file = try fixture.output.openBeneath(try journalPath(2), flags: O_WRONLY)
    try SystemError.retrying("ftruncate") { ftruncate(file.rawValue, off_t(journal.length - 3)) }
    #expect(try catchUp(ledger, fixture, notes: notes).perform().reports == 2)
    #expect(ledger.count() == 2)
    #expect(try ledger.lookUp("c") == nil)
    #expect(notes.all.first?.contains("is shorter than it was") == true)
    #expect(notes.all.last == "1 jobs that no journal speaks of any more are forgotten")
  }

  @Test("a run that is deleted is not forgotten until the ledger is made anew")
  func deletedRun() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    try add(1, ["a"], to: fixture)
    try add(2, ["b"], to: fixture)
    _ = try catchUp(ledger, fixture).perform()
    try fixture.output.removeTree(Array("runs/\(try identifier(1).text)".utf8))
    _ = try catchUp(ledger, fixture).perform()
    #expect(ledger.count() == 2)
    _ = try catchUp(ledger, fixture).perform(anew: true)
    #expect(ledger.count() == 1)
  }

  @Test("damaged lines are passed over and told of once")
  func damagedLines() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    let notes = Notes()
    try add(1, ["a", "b"], to: fixture)
    let file = try fixture.output.openBeneath(try journalPath(1), flags: O_RDWR)
    var bytes = try FileTransfer.readAll(file, limit: 1 << 20)
    bytes[20] ^= 1
    try SystemError.retrying("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
    try FileTransfer.writeAll(file, bytes)
    let catchUp = catchUp(ledger, fixture, notes: notes)
    #expect(try catchUp.perform().damagedLines == 1)
    #expect(ledger.count() == 1)
    #expect(notes.all.last?.contains("has 1 damaged lines") == true)
    #expect(try catchUp.perform() == .init())
    #expect(notes.all.count == 2)
  }

  @Test("a wish to stop is heard between batches, and the next start goes on from there")
  func stopped() throws {
    let fixture = try RunFixture()
    let ledger = MemoryLedger()
    try add(1, (0..<2500).map { "job \($0)" }, to: fixture)
    var asked = 0
    #expect(throws: LedgerCatchUp.Stopped.self) {
      _ = try catchUp(
        ledger, fixture,
        isStopped: {
          asked += 1
          return asked == 2
        }
      ).perform()
    }
    #expect(ledger.count() == 1000)
    #expect(try catchUp(ledger, fixture).perform().reports == 1500)
    #expect(ledger.count() == 2500)
  }

  // MARK: - While a run is on

  @Test("a ledger that refuses is told of once, left behind, and caught up by the next start")
  func refusing() throws {
    let fixture = try RunFixture()
    let ledger = BrittleLedger()
    let notes = Notes()
    let run = try identifier(1)
    let recorder = LedgerRecorder(ledger, run: run.text, onNote: { notes.add($0) })
    let journal = try add(1, ["a"], to: fixture)
    recorder.record([report(run, "a")], upTo: journal.length)
    ledger.refuse(LedgerError(.notRecorded, detail: "no room", isDiskFull: true))
    try journal.append([.report(report(run, "b"))])
    recorder.record([report(run, "b")], upTo: journal.length)
    ledger.refuse(nil)
    try journal.append([.report(report(run, "c"))])
    recorder.record([report(run, "c")], upTo: journal.length)
    #expect(try ledger.count() == 1)
    #expect(notes.all.count == 1)
    #expect(notes.all.first?.contains("no room; the run goes on") == true)
    #expect(try catchUp(ledger, fixture).perform().reports == 2)
    #expect(try ledger.count() == 3)
  }

  @Test("a ledger that does not answer gives the job back and takes no more")
  func unanswered() throws {
    let fixture = try RunFixture()
    let ledger = BrittleLedger()
    let notes = Notes()
    ledger.refuse(LedgerError(.damaged, detail: "ledger.sqlite: rot"))
    let setting = RunSetting(
      run: "R", library: fixture.library, output: fixture.output, staging: fixture.staging,
      ledger: ledger, recorder: LedgerRecorder(ledger, run: "R", onNote: { notes.add($0) }),
      overlap: .nowhere, caseInsensitive: false, outputBytes: 1 << 20,
      inbox: fixture.setting.inbox)
    try fixture.write("a.png", [1, 2, 3], in: fixture.library)
    let decider = IntakeDecider(setting: setting, isForced: false, acceptsRemovedEdits: false)
    for _ in 0..<2 {
      guard case .returned = decider.decide(try fixture.context("a", outputs: ["a.jpg"])) else {
        Issue.record("the job was not given back")
        return
      }
    }
    #expect(setting.isStopping)
    #expect(notes.all == ["the ledger is damaged: ledger.sqlite: rot; no more jobs are taken"])
  }

  @Test(
    "each refusal of a ledger has its exit status",
    arguments: [
      (LedgerError(.unreachable, detail: ""), RenderModel.ExitStatus.storeUnreachable),
      (LedgerError(.unreachable, detail: "", isDiskFull: true), .outputUnwritable),
      (LedgerError(.damaged, detail: ""), .storeUnreachable),
      (LedgerError(.notRecorded, detail: ""), .outputUnwritable),
      (LedgerError(.newer, detail: ""), .configuration),
      (LedgerError(.unsuitable, detail: ""), .configuration),
    ])
  func statuses(error: LedgerError, status: RenderModel.ExitStatus) {
    #expect(error.exitStatus == status)
  }

  @Test(
    "each refusal of a journal has its exit status",
    arguments: [
      (JournalError.Code.folder, EMFILE, RenderModel.ExitStatus.outputUnwritable),
      (.notWritten, EIO, .outputUnwritable), (.broken, EIO, .outputUnwritable),
      (.notReadable, EIO, .storeUnreachable), (.notReadable, EDQUOT, .outputUnwritable),
      (.notEncodable, 0, .internalError),
    ])
  func journalStatuses(code: JournalError.Code, errno: Int32, status: RenderModel.ExitStatus) {
    let cause = errno == 0 ? nil : SystemError(operation: "open", errno: errno)
    #expect(JournalError(code, cause: cause).exitStatus == status)
  }
}

/// What a person was told.
final class Notes: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
