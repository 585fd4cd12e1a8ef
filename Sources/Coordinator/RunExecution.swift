import Journal
import Ledger
import Manifest
import RenderModel
import Reporting
import SystemSupport
import WorkerPool
import WorkerProtocol

/// The threads of one run: intake and publisher beside the pool, from the first job to the summary.
struct RunExecution {
  private let configuration: RunConfiguration
  private let places: RunPlaces
  private let manifests: [ManifestSlice]
  private let run: RunFolder
  private let staging: Directory
  private let journal: JournalWriter
  private let progress: RunProgress
  private let caseInsensitive: Bool
  private let lateNames = LateNames()
  private let recorder: LedgerRecorder
  private let watch: PlaceWatch
  private let started = WallClock.iso8601(WallClock.now())
  private let clock = BootClock.now()

  init(
    configuration: RunConfiguration, places: RunPlaces, manifests: [ManifestSlice],
    run: RunFolder, staging: Directory, caseInsensitive: Bool
  ) throws {
    self.configuration = configuration
    self.places = places
    self.manifests = manifests
    self.run = run
    self.staging = staging
    self.caseInsensitive = caseInsensitive
    journal = try JournalWriter(creatingIn: run.directory)
    watch = PlaceWatch(
      output: configuration.outputPath, state: configuration.statePath, run: run)
    recorder = LedgerRecorder(places.ledger, run: run.run, onNote: configuration.onNote)
    progress = RunProgress(
      listener: configuration.onProgress, onReport: configuration.onReport)
  }

  private var planned: Int { manifests.reduce(0) { $0 + $1.planned } }

  func carryOut(signals: SignalDescriptor?) throws -> RunEnd {
    try journal.append([
      .run(
        RunStart(
          run: run.run, node: HostName.current(), started: started,
          manifests: manifests.map(\.entry)))
    ])
    try journal.synchronize()
    recorder.record([], upTo: journal.length)
    configuration.onStart(run.run)
    progress.planned(planned)
    var outcome = Outcome()
    for manifest in manifests {
      let part = try part(of: manifest)
      let end = try part.carryOut(signals: signals)
      outcome.note(end, part.setting)
      if end.isCutShort || part.setting.isStopping { break }
    }
    switch outcome.poolEnd {
    case .sandboxRefused(let refusal):
      try run.removeStaging()
      return .refused(
        .sandboxUnavailable,
        "the sandbox layer \(refusal.layer) is demanded and not available: \(refusal.detail); "
          + "--sandbox=best-effort goes on without it")
    case .workerFailed(let words): configuration.onNote("the worker failed: \(words)")
    case .completed, .stopped: break
    }
    return .finished(try summarise(outcome))
  }

  private func part(of manifest: ManifestSlice) throws -> RunPart {
    let library = try Directory(path: manifest.source.libraryPath)
    let setting = RunSetting(
      run: run.run, library: library, output: places.output, staging: staging,
      ledger: places.ledger, recorder: recorder, overlap: places.overlap(with: library),
      lateNames: lateNames,
      caseInsensitive: caseInsensitive, outputBytes: configuration.pool.outputBytes,
      places: watch, inbox: try PoolInbox(capacity: 2 * configuration.pool.slots))
    return RunPart(
      configuration: configuration, setting: setting, manifest: manifest, journal: journal,
      progress: progress, available: places.available)
  }

  // MARK: - The end

  private struct Outcome {
    var fresh = 0
    var taken = 0
    var poolEnd = PoolEnd.completed
    var journalFailure: String?
    var manifestFailure: String?
    var stopCause: RenderFailure?
    var isStopped = false

    mutating func note(_ end: RunPart.End, _ setting: RunSetting) {
      fresh += end.counts.fresh
      taken += end.counts.taken
      poolEnd = end.pool
      journalFailure = journalFailure ?? end.journalFailure
      manifestFailure = manifestFailure ?? end.manifestFailure
      stopCause = stopCause ?? setting.stopCause
      isStopped = isStopped || setting.isStopping
    }

    /// Jobs that go back into the queue without a report.
    ///
    /// Where reports could not be written, those of jobs that were taken are missing too: the next
    /// run completes or repeats them.
    func returned(planned: Int, reported: Int) -> Int {
      if journalFailure != nil { return max(0, planned - fresh - reported) }
      let isCutShort = poolEnd != .completed || isStopped || manifestFailure != nil
      return isCutShort ? planned - taken : 0
    }
  }

  /// From the journal, never from memory; what was never taken goes back into the queue.
  private func summarise(_ outcome: Outcome) throws -> RunSummary {
    var builder = SummaryBuilder(
      run: run.run, manifests: manifests.map(\.entry), started: started)
    builder.plan(planned)
    builder.count(.fresh, outcome.fresh)
    var reported = 0
    if var reader = try JournalReader.open(run.directory) {
      while let report = try reader.nextReport() {
        builder.count(report, isKnown: isKnownFailure(report))
        reported += 1
      }
    }
    builder.count(.cancelled, outcome.returned(planned: planned, reported: reported))
    if let words = outcome.journalFailure { configuration.onNote(words) }
    if let words = outcome.manifestFailure {
      configuration.onNote("the manifest could not be read to its end: \(words)")
    }
    if let cause = outcome.stopCause { configuration.onNote("stopped: \(cause.detail)") }
    var summary = builder.summary(
      finished: WallClock.iso8601(WallClock.now()),
      elapsed: Double(BootClock.now() - clock) / 1_000_000_000,
      policy: ExitPolicy(failOn: configuration.failurePolicy),
      isOutputUnwritable: outcome.stopCause != nil || outcome.journalFailure != nil)
    if case .workerFailed = outcome.poolEnd {
      summary.exitStatus = ExitStatus.internalError.rawValue
    }
    do {
      try close(summary, isWhole: outcome.journalFailure == nil)
    } catch {
      // The account is still told on standard output; the next run puts the folder in order.
      configuration.onNote("the run's folder cannot be closed: \(error)")
      summary.exitStatus = ExitStatus.outputUnwritable.rawValue
    }
    return summary
  }

  /// The last line comes last: a run that dies before it is put in order by the next.
  private func close(_ summary: RunSummary, isWhole: Bool) throws {
    let fault = watch.fault()
    try run.removeStaging()
    if let fault { throw fault }
    try AtomicFile.write(
      run.directory, RunFolder.summaryName, Array(try ReportText.pretty(summary).utf8))
    guard isWhole else { return }
    try journal.append([
      .end(Journal.RunEnd(run: run.run, finished: summary.finished, totals: summary.totals))
    ])
    try journal.synchronize()
    recorder.record([], upTo: journal.length)
  }

  /// Whether the job had failed in the same way before this run.
  private func isKnownFailure(_ report: JobReport) -> Bool {
    guard Self.failures.contains(report.outcome.state),
      let known = try? places.ledger.lookUp(report.job)?.ending(before: run.run)
    else { return false }
    return known.outcome.rawValue == report.outcome.state && known.code == report.outcome.code
  }

  /// The states of which it is asked whether they were known.
  private static let failures = [OutcomeState.failed, .timedOut, .quarantined].map(\.rawValue)
}
