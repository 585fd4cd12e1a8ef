import Glibc
import Ledger
import RenderModel
import SQLiteLedger
import SystemSupport

/// What a ledger of many jobs takes: lookups, records, a rebuild from journals, a run with nothing to do.
struct LedgerCommand {
  private let work: String
  private let jobs: Int
  private let rounds: Int

  /// What 100,000 jobs may take.
  static let wanted = (
    lookUps: 200_000.0, records: 100_000.0, rebuild: 10.0, start: 3.0, bytes: 200_000_000
  )

  init(_ arguments: BenchArguments) throws {
    work = try arguments.text("work")
    jobs = try arguments.number("jobs", default: 100_000)
    rounds = try arguments.number("rounds", default: 3)
  }

  func run() throws {
    let library = RenderedLibrary(work: work, jobs: jobs)
    try library.make()
    var failures: [String] = []
    func check(_ words: String, _ isMet: Bool) {
      if !isMet { failures.append(words) }
    }

    var rows = [["median of \(rounds), \(jobs) jobs", "", "wanted"]]
    let rebuild = try measure(["ledger", "rebuild", "--output", library.output])
    rows.append(
      row("rebuild from the journals, s", rebuild.wall, "\(Self.wanted.rebuild)"))
    check("the rebuild", rebuild.wall <= scaled(Self.wanted.rebuild))
    rows.append(row("peak memory of that, MB", megabytes(rebuild), "200"))

    let quiet = try measure(library.render)
    try library.requireFresh(quiet.output)
    rows.append(row("a run with nothing to do, s", quiet.wall, "\(Self.wanted.start)"))
    check("the run with nothing to do", quiet.wall <= scaled(Self.wanted.start))
    rows.append(row("CPU of that, s", quiet.ownCPU + quiet.childCPU, ""))
    rows.append(row("peak memory of that, MB", megabytes(quiet), "200"))
    check("memory", max(quiet.peakResident, rebuild.peakResident) <= Self.wanted.bytes)

    try library.removeLedger()
    let anew = try MeasuredProgram.run("minilab", library.render)
    try library.requireFresh(anew.output)
    rows.append(row("the same without a ledger, s", anew.wall, ""))

    let started = try measure(["ledger", "show", "--output", library.output, "0-0"])
    rows.append(row("opening it and one lookup, s", started.wall, ""))

    let entries = try library.entries()
    let speeds = try speeds(entries)
    rows.append(row("lookups a second, by 64", speeds.lookUps, "\(Int(Self.wanted.lookUps))", 0))
    check("lookups", speeds.lookUps >= Self.wanted.lookUps)
    rows.append(row("records a second, by 64", speeds.smallRecords, "", 0))
    rows.append(row("records a second, by 1000", speeds.records, "\(Int(Self.wanted.records))", 0))
    check("records", speeds.records >= Self.wanted.records)
    rows.append(row("bytes a job on disk", Double(try library.ledgerSize()) / Double(jobs), "", 0))
    print(TableText.lines(rows))
    if !failures.isEmpty {
      throw BenchFailure("not what is wanted: " + failures.joined(separator: ", "))
    }
  }

  private func scaled(_ seconds: Double) -> Double { seconds * max(1, Double(jobs) / 100_000) }

  private func megabytes(_ run: Measurement) -> Double { Double(run.peakResident) / 1_000_000 }

  private func row(
    _ name: String, _ value: Double, _ wanted: String, _ decimals: Int = 2
  ) -> [String] {
    [name, TableText.number(value, decimals), wanted]
  }

  /// The run of the median time, with the highest memory of all.
  private func measure(_ arguments: [String]) throws -> Measurement {
    var runs: [Measurement] = []
    for _ in 0..<rounds { runs.append(try MeasuredProgram.run("minilab", arguments)) }
    var middle = runs.sorted { $0.wall < $1.wall }[rounds / 2]
    middle.peakResident = runs.map(\.peakResident).max() ?? 0
    return middle
  }

  private struct Speeds {
    var lookUps = 0.0
    var records = 0.0
    var smallRecords = 0.0
  }

  /// Medians of whole passes over all entries, on a ledger of its own.
  private func speeds(_ entries: [LedgerEntry]) throws -> Speeds {
    let folder = try Directory(path: work + "/speeds", creating: true)
    let ledger = try SQLiteLedger.open(in: folder)
    func pass(_ batch: Int, _ body: (ArraySlice<LedgerEntry>) throws -> Void) throws -> Double {
      let started = BootClock.now()
      for start in stride(from: 0, to: entries.count, by: batch) {
        try body(entries[start..<min(start + batch, entries.count)])
      }
      return Double(entries.count) * 1e9 / Double(BootClock.now() - started)
    }
    var (lookUps, records, small): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<rounds {
      records.append(try pass(1000) { try record(ledger, $0, round) })
      small.append(try pass(64) { try record(ledger, $0, round) })
      lookUps.append(
        try pass(64) { batch in
          let found = try ledger.lookUp(batch.map(\.key))
          guard found.first ?? nil == batch.first else { throw BenchFailure("a wrong answer") }
        })
    }
    return Speeds(
      lookUps: Statistics.median(lookUps), records: Statistics.median(records),
      smallRecords: Statistics.median(small))
  }

  private func record(
    _ ledger: SQLiteLedger, _ entries: ArraySlice<LedgerEntry>, _ round: Int
  ) throws {
    try ledger.record(
      Array(entries), upTo: JournalPosition(run: "R\(round)", bytes: Int64(entries.endIndex)))
  }
}
