import Journal
package import Ledger
import RenderModel
import SystemSupport

extension LedgerAccess {
  /// What came of a wish to release jobs.
  package enum ReleaseResult: Sendable {
    /// The entries as they were before, those of all jobs with the same content among them.
    case released([LedgerEntry])
    /// This job has no strikes.
    case notStruck(String)
  }

  /// Lets these jobs be tried again, or all when none is named; jobs with the same content with them.
  ///
  /// The releases are durable in a journal of their own before the ledger learns of them.
  package func release(_ jobs: [String]) throws(Refusal) -> ReleaseResult {
    try withFolders { ledger, _, state, output in
      let struck = try Self.struck(ledger)
      if let missing = jobs.first(where: { job in !struck.contains { $0.key == .init(job: job) } })
      {
        return .notStruck(missing)
      }
      let wanted = Set(jobs.map(LedgerKey.init))
      let contents = Set(
        struck.filter { wanted.contains($0.key) }.compactMap { $0.strikes?.source })
      let released = struck.filter { entry in
        wanted.isEmpty || entry.strikes.map { contents.contains($0.source) } == true
      }
      if released.isEmpty { return .released([]) }
      try Self.record(released, in: ledger, state, output)
      return .released(released)
    }
  }

  /// All entries with strikes, in the order of their ids' bytes.
  package static func struck(_ ledger: any Ledger) throws(LedgerError) -> [LedgerEntry] {
    var struck: [LedgerEntry] = []
    while true {
      let page = try ledger.struck(after: struck.last?.key, limit: 500)
      if page.isEmpty { return struck }
      struck += page
    }
  }

  private static func record(
    _ entries: [LedgerEntry], in ledger: any Ledger, _ state: Directory, _ output: Directory
  ) throws {
    let last = try RunFolder.identifiers(state: state).last
    let run = try RunFolder.create(.following(last), state: state, output: output)
    let now = WallClock.iso8601(WallClock.now())
    let releases = entries.compactMap { entry in
      entry.strikes.map {
        QuarantineRelease(job: entry.job, run: run.run, source: $0.source, released: now)
      }
    }
    let journal = try JournalWriter(creatingIn: run.directory)
    try journal.append(
      [.run(RunStart(run: run.run, node: HostName.current(), started: now, manifests: []))]
        + releases.map(JournalLine.release))
    try journal.synchronize()
    try run.removeStaging()
    try journal.append([
      .end(Journal.RunEnd(run: run.run, finished: now, totals: RunSummary.Totals()))
    ])
    try journal.synchronize()
    try ledger.absorb(
      releases.map(LedgerNews.release), upTo: JournalPosition(run: run.run, bytes: journal.length))
  }
}
