import RenderModel
import Testing

@testable import Ledger

/// What every ledger must do; called once for each implementation, with a maker of empty ones.
func expectConformance(_ makeEmpty: () throws -> any Ledger) throws {
  try expectAnswersInOrder(makeEmpty())
  try expectEverythingKept(makeEmpty())
  try expectLaterWins(makeEmpty())
  try expectJobsAreBytes(makeEmpty())
  try expectManyEntries(makeEmpty())
  try expectPositions(makeEmpty())
  try expectPages(makeEmpty())
  try expectReportsTakenIn(makeEmpty())
  try expectCleared(makeEmpty())
}

private func sample(_ job: String, run: String = "R1") throws -> LedgerEntry {
  try #require(entry(report(.rendered, job: job, run: run)))
}

private func expectAnswersInOrder(_ ledger: any Ledger) throws {
  #expect(try ledger.lookUp([]).isEmpty)
  #expect(try ledger.lookUp([LedgerKey(job: "a")]) == [nil])
  try ledger.record([sample("a"), sample("b")])
  let found = try ledger.lookUp(["b", "none", "a", "b"].map(LedgerKey.init))
  #expect(found.map { $0?.job } == ["b", nil, "a", "b"])
}

private func expectEverythingKept(_ ledger: any Ledger) throws {
  var full = try sample("2024/full.jpg")
  full.code = "belowExact"
  full.strikes = 3
  full.struckSource = digest("cc")
  full.earlier = LedgerEntry.Ending(.failed, code: "crashed")
  full.adjustment?.origin = RelativePath(bytes: [0xFF, 0x0A])
  full.outputs[0].path = RelativePath(bytes: [0xC3, 0x28])
  full.outputs[1].bytes = .max
  full.resources[0].path = RelativePath(bytes: [0xFF])
  full.resources[0].bytes = .max
  full.resources[1].identity = nil
  full.outputs[1].identity = FileIdentity(inode: .max, size: .max, modified: .min, changed: .max)
  full.finished = .min
  full.pixels = .max
  let bare = LedgerEntry(
    job: "", asset: RelativePath(bytes: []), outcome: .failed, run: "", finished: 0)
  var odd = try sample("odd")
  odd.source?.sha256 = "NOT HEXADECIMAL"
  odd.source?.identity = nil
  odd.renderKey = digest("AB")
  odd.recipe = ""
  odd.resources = []
  odd.adjustment = nil
  (odd.pixels, odd.cpu, odd.engine) = (nil, nil, nil)
  let entries = [full, bare, odd]
  try ledger.record(entries)
  #expect(try ledger.lookUp(entries.map(\.key)) == entries)
  for state in OutcomeState.allCases {
    full.outcome = state
    try ledger.record([full])
    #expect(try ledger.lookUp([full.key]) == [full])
  }
}

private func expectLaterWins(_ ledger: any Ledger) throws {
  try ledger.record([sample("a", run: "R1"), sample("a", run: "R2")])
  #expect(try ledger.lookUp([LedgerKey(job: "a")])[0]?.run == "R2")
  try ledger.record([sample("a", run: "R3"), sample("b", run: "R3")])
  #expect(try ledger.lookUp([LedgerKey(job: "a")])[0]?.run == "R3")
}

private func expectJobsAreBytes(_ ledger: any Ledger) throws {
  // Composed and decomposed; Swift's strings call them equal, file systems don't.
  let jobs = ["caf\u{E9}", "cafe\u{301}", "Caf\u{E9}", "a\nb", "a\u{0}b", "a"]
  for (index, job) in jobs.enumerated() {
    try ledger.record([sample(job, run: "R\(index)")])
  }
  let found = try ledger.lookUp(jobs.map(LedgerKey.init))
  #expect(found.map { $0?.run } == jobs.indices.map { "R\($0)" })
  #expect(found.map { Array(($0?.job ?? "").utf8) } == jobs.map { Array($0.utf8) })
}

private func expectManyEntries(_ ledger: any Ledger) throws {
  let jobs = (0..<3000).map { "2024/IMG_\($0).jpg" }
  try ledger.record(jobs.map { try sample($0) })
  for round in 2...4 {
    try ledger.record(jobs.map { try sample($0, run: "R\(round)") })
  }
  let found = try ledger.lookUp(jobs.map(LedgerKey.init))
  #expect(found.map { $0?.job } == jobs)
  #expect(found.allSatisfy { $0?.run == "R4" })
}

private func expectPositions(_ ledger: any Ledger) throws {
  #expect(try ledger.positions().isEmpty)
  try ledger.record([sample("a")], upTo: JournalPosition(run: "R2", bytes: 100))
  try ledger.record([], upTo: JournalPosition(run: "R1", bytes: 7))
  try ledger.record([sample("b")], upTo: JournalPosition(run: "R2", bytes: .max))
  try ledger.record([sample("c")])
  #expect(
    try ledger.positions() == [
      JournalPosition(run: "R1", bytes: 7), JournalPosition(run: "R2", bytes: .max),
    ])
  #expect(try ledger.count() == 3)
}

private func expectPages(_ ledger: any Ledger) throws {
  // In the order of their bytes, in which the first of two Unicode forms comes last.
  let jobs = ["", "A", "a", "a\u{0}", "a/b", "b", "cafe\u{301}", "caf\u{E9}", "z"]
  #expect(try ledger.count() == 0)
  #expect(try ledger.entries(after: nil, limit: 10).isEmpty)
  try ledger.record(jobs.reversed().map { try sample($0) })
  #expect(try ledger.count() == jobs.count)
  for limit in [1, 2, 4, jobs.count, 100] {
    var found: [LedgerEntry] = []
    var last: LedgerKey?
    while true {
      let page = try ledger.entries(after: last, limit: limit)
      #expect(page.count <= limit)
      guard let end = page.last else { break }
      found += page
      last = end.key
    }
    #expect(found.map { Array($0.job.utf8) } == jobs.map { Array($0.utf8) })
  }
  #expect(try ledger.entries(after: LedgerKey(job: "aa"), limit: 1).map(\.job) == ["b"])
}

private func expectReportsTakenIn(_ ledger: any Ledger) throws {
  let story = [
    report(.rendered, run: "R1"), report(.failed, code: "crashed", source: "bb", run: "R2"),
    report(.skipped, job: "other", run: "R2"), report(.timedOut, source: "bb", run: "R3"),
  ]
  // At once, and one by one: what was known before counts either way.
  try ledger.absorb(story, upTo: JournalPosition(run: "R3", bytes: 9))
  for report in story {
    var moved = report
    moved.job = "one by one"
    if report.job != "other" { try ledger.absorb([moved], upTo: nil) }
  }
  let atOnce = try #require(try ledger.lookUp("2024/a.jpg"))
  #expect(atOnce == entry(story[0], story[1], story[3]))
  #expect(atOnce.strikes == 2)
  #expect(try ledger.lookUp("one by one")?.strikes == 2)
  #expect(try ledger.lookUp("other") == nil)
  #expect(try ledger.positions() == [JournalPosition(run: "R3", bytes: 9)])
}

private func expectCleared(_ ledger: any Ledger) throws {
  try ledger.record([sample("a")], upTo: JournalPosition(run: "R1", bytes: 1))
  try ledger.clear()
  #expect(try ledger.count() == 0)
  #expect(try ledger.positions().isEmpty)
  #expect(try ledger.lookUp("a") == nil)
  try ledger.record([sample("b", run: "R2")])
  #expect(try ledger.lookUp("b") == sample("b", run: "R2"))
}
