import Journal
import Ledger
import RenderModel
import Reporting
import SystemSupport

/// A run that renders nothing and has something to say of jobs: its folder comes with its first line.
final class QuietRun {
  private let places: RunPlaces
  private let manifests: [RunSummary.ManifestEntry]
  private let onNote: @Sendable (String) -> Void
  let started = WallClock.iso8601(WallClock.now())
  private var open: (folder: RunFolder, journal: JournalWriter, recorder: LedgerRecorder)?

  init(
    _ places: RunPlaces, manifests: [RunSummary.ManifestEntry],
    onNote: @escaping @Sendable (String) -> Void
  ) {
    self.places = places
    self.manifests = manifests
    self.onNote = onNote
  }

  /// nil while nothing was said.
  var name: String? { open?.folder.run }

  /// The run's name, and its folder from here on.
  func begin() throws -> String {
    if let open { return open.folder.run }
    let folder = try RunFolder.create(
      .following(places.lastRun), state: places.state, output: places.output)
    let journal = try JournalWriter(creatingIn: folder.directory)
    let recorder = LedgerRecorder(places.ledger, run: folder.run, onNote: onNote)
    try journal.append([
      .run(
        RunStart(
          run: folder.run, node: HostName.current(), started: started, manifests: manifests))
    ])
    try journal.synchronize()
    recorder.record([], upTo: journal.length)
    open = (folder, journal, recorder)
    return folder.run
  }

  /// Makes lines durable; reports among them are known to the ledger afterwards.
  func write(_ lines: [JournalLine]) throws {
    guard let open, !lines.isEmpty else { return }
    try open.journal.append(lines)
    try open.journal.synchronize()
    let reports = lines.compactMap { line in
      if case .report(let report) = line { report } else { nil }
    }
    open.recorder.record(reports, upTo: open.journal.length)
  }

  /// Writes the summary and the last line; nothing when nothing was said.
  func close(_ totals: RunSummary.Totals, exitStatus: Int32) throws {
    guard let open else { return }
    let finished = WallClock.iso8601(WallClock.now())
    let summary = RunSummary(
      run: open.folder.run, manifests: manifests, started: started, finished: finished,
      totals: totals, exitStatus: exitStatus,
      throughput: .init(jobsPerSecond: 0, megapixelsPerSecond: 0, cpuSecondsPerMegapixel: 0),
      deadlineOvershoot: .init(), peakMemory: 0, failures: [], failuresOmitted: 0)
    try open.folder.removeStaging()
    try AtomicFile.write(
      open.folder.directory, RunFolder.summaryName,
      Array(try ReportText.pretty(summary).utf8))
    try write([.end(Journal.RunEnd(run: open.folder.run, finished: finished, totals: totals))])
  }
}
