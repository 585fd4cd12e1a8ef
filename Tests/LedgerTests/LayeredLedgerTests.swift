import RenderModel
import Testing

@testable import Ledger

@Suite("A ledger over one that is only read")
struct LayeredLedgerTests {
  private func sample(_ job: String, run: String = "R1") throws -> LedgerEntry {
    try #require(entry(report(.rendered, job: job, run: run)))
  }

  @Test("it keeps the contract over an empty one")
  func conformance() throws {
    try expectConformance { LayeredLedger(over: MemoryLedger()) }
  }

  @Test("what is recorded hides what lies beneath, which stays as it was")
  func layers() throws {
    let base = MemoryLedger()
    let entries = try ["a", "b", "d"].map { try sample($0) }
    base.record(entries, upTo: JournalPosition(run: "R1", bytes: 10))
    let ledger = LayeredLedger(over: base)
    try ledger.record(
      [sample("b", run: "R2"), sample("c", run: "R2")],
      upTo: JournalPosition(run: "R2", bytes: 5))
    let found = try ledger.lookUp(["a", "b", "c", "none"].map(LedgerKey.init))
    #expect(found.map { $0?.run } == ["R1", "R2", "R2", nil])
    #expect(try ledger.count() == 4)
    #expect(
      try ledger.positions() == [
        JournalPosition(run: "R1", bytes: 10), JournalPosition(run: "R2", bytes: 5),
      ])
    var pages: [[String]] = []
    var last: LedgerKey?
    while let page = try? ledger.entries(after: last, limit: 3), let end = page.last {
      pages.append(page.map { "\($0.job) \($0.run)" })
      last = end.key
    }
    #expect(pages == [["a R1", "b R2", "c R2"], ["d R1"]])
    #expect(base.lookUp([LedgerKey(job: "b")]) == [entries[1]])
    #expect(base.count() == 3)
  }

  @Test("what is forgotten is no longer looked up beneath")
  func cleared() throws {
    let base = MemoryLedger()
    base.record([try sample("a")], upTo: JournalPosition(run: "R1", bytes: 10))
    let ledger = LayeredLedger(over: base)
    ledger.clear()
    #expect(try ledger.lookUp([LedgerKey(job: "a")]) == [nil])
    #expect(try ledger.positions().isEmpty)
    try ledger.record([sample("b")], upTo: nil)
    #expect(try ledger.count() == 1)
    #expect(base.count() == 1)
  }
}
