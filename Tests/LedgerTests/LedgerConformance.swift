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
  full.adjustment?.origin = RelativePath(bytes: [0xFF, 0x0A])
  full.outputs[0].path = RelativePath(bytes: [0xC3, 0x28])
  full.outputs[1].bytes = .max
  full.resources[0].path = RelativePath(bytes: [0xFF])
  full.resources[0].bytes = .max
  full.resources[1].identity = nil
  full.outputs[1].identity = FileIdentity(inode: .max, size: .max, modified: .min, changed: .max)
  full.finished = .min
  let bare = LedgerEntry(
    job: "", asset: RelativePath(bytes: []), outcome: .failed, run: "", finished: 0)
  var odd = try sample("odd")
  odd.source?.sha256 = "NOT HEXADECIMAL"
  odd.source?.identity = nil
  odd.renderKey = digest("AB")
  odd.recipe = ""
  odd.resources = []
  odd.adjustment = nil
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
