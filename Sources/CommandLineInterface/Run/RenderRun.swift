import Coordinator
import Glibc
import Ledger
import Manifest
import RenderModel
import Reporting
import SQLiteLedger
import SystemSupport
import WorkerPool

/// Turns what was asked for into a run, and the end of the run into words and an exit status.
package enum RenderRun {
  static func perform(_ options: RenderOptions, output: TextStream, environment: [String: String])
    -> ExitStatus
  {
    let display = ProgressDisplay(
      style: ProgressStyle(rawValue: options.progress.rawValue) ?? .auto, environment: environment)
    guard let program = WorkerLocation.runningProgram(),
      let worker = WorkerLocation.find(program: program)
    else {
      display.note("\(WorkerLocation.name) is not beside this program; install both together")
      return .configuration
    }
    do {
      // Before the first thread: they inherit what is blocked.
      let stops: [Int32] = [SIGTERM, SIGINT]
      try SignalDescriptor.block(stops)
      let signals = try SignalDescriptor(signals: stops)
      let started = BootClock.now()
      guard
        let configuration = configuration(
          options, program: program, worker: worker, display: display)
      else { return .configuration }
      let coordinator = RunCoordinator(configuration)
      let end = coordinator.perform(signals: signals)
      display.finish()
      let elapsed = Double(BootClock.now() - started) / 1_000_000_000
      return tell(end, options, elapsed: elapsed, output: output, display: display)
    } catch {
      display.note("\(error)")
      return .internalError
    }
  }

  /// nil, with words for a person, when what the options ask for cannot be found out.
  static func configuration(
    _ options: RenderOptions, program: String, worker: String, display: ProgressDisplay
  ) -> RunConfiguration? {
    let resources = HostResources.detect()
    var pool = PoolConfiguration(
      slots: options.workers ?? resources.cpus,
      memoryBudget: options.memoryBytes ?? MemoryBudget.bytes(resources))
    if let limit = options.maxOutputBytes { pool.outputBytes = limit }
    pool.verification = options.verification
    var settings = WorkerSettings(
      programPath: worker, arguments: ["--zygote", "--sandbox", options.sandbox.rawValue])
    settings.drainNanoseconds = UInt64(options.drainMilliseconds) * 1_000_000
    settings.stopSignalled = {
      display.note("stopping: running jobs are given their time, the rest goes back")
    }
    var configuration = RunConfiguration(
      manifestPaths: options.manifests.map(\.systemPath),
      outputPath: options.output.bytes, pool: pool, worker: settings)
    configuration.statePath = options.state?.bytes
    configuration.keepRuns = options.keepRuns
    configuration.manifestOptions = manifestOptions(options)
    configuration.isForced = options.force
    configuration.acceptsRemovedEdits = options.acceptRemovedEdits
    configuration.ignoresTimes = options.checksum
    configuration.onlyReasons = options.onlyReasons
    if options.rebuildOn == .engine {
      guard let engine = WorkerEnquiry.engine(program: program) else {
        display.note(
          "the worker does not say what it renders with, so --rebuild-on engine cannot be carried "
            + "out; see 'minilab doctor'")
        return nil
      }
      configuration.rebuildsForEngine = engine
    }
    configuration.refreshesMetadata = options.metadataOnly
    configuration.quarantine = Quarantine(after: options.quarantineAfter)
    configuration.engineVersions = { WorkerEnquiry.engine() }
    configuration.failurePolicy =
      switch options.failOn {
      case .any: .any
      case .new: .new
      case .none: .none
      case .percentage(let share): .percent(share)
      }
    configuration.caseInsensitive =
      switch options.caseInsensitive {
      case .auto: .detected
      case .yes: .insensitive
      case .no: .sensitive
      }
    configuration.openLedger = { state throws(LedgerError) in
      try SQLiteLedger.open(in: state) { display.note($0) }
    }
    configuration.readLedger = { state throws(LedgerError) in try SQLiteLedger.read(in: state) }
    configuration.onStart = { display.start(run: $0) }
    configuration.onProgress = { display.update($0) }
    configuration.onReport = { display.report($0) }
    configuration.onNote = { display.note($0) }
    return configuration
  }

  private static func manifestOptions(_ options: RenderOptions) -> ManifestOptions {
    var result = ManifestOptions()
    result.library = options.library?.systemPath
    result.deadline = options.deadlineMilliseconds.map { DeadlinePolicy(baseMilliseconds: $0) }
    result.tolerant = options.tolerant ? true : nil
    result.limit = options.limit
    result.invalidJobs = options.invalid == .failJob ? .failJob : .refuse
    return result
  }

  private static func tell(
    _ end: RunEnd, _ options: RenderOptions, elapsed: Double, output: TextStream,
    display: ProgressDisplay
  ) -> ExitStatus {
    switch end {
    case .refused(let status, let words):
      display.note(words)
      return status
    case .manifestInvalid(let problems, let more):
      tell(problems, more: more, display)
      return .manifestInvalid
    case .finished(let summary):
      switch options.format {
      case .json:
        guard let line = try? ReportText.line(summary) else { return .internalError }
        output.writeLine(line)
      case .text:
        let state = options.state?.displayed ?? "\(options.output.displayed)/.minilab"
        output.write(
          SummaryText.text(summary, elapsed: elapsed, folder: "\(state)/runs/\(summary.run)"))
      }
      return ExitStatus(rawValue: summary.exitStatus) ?? .internalError
    }
  }
}

extension RenderRun {
  static func tell(_ problems: [ManifestProblem], more: Int, _ display: ProgressDisplay) {
    for problem in problems { display.say(problem.description) }
    if more > 0 { display.note("… and \(more) more problems") }
    display.note("nothing was started; 'minilab validate' shows the problems again")
  }
}

/// What all jobs together may use of this machine's memory.
enum MemoryBudget {
  /// Left to the coordinator, the kernel's caches and whoever else is there, in bytes.
  private static let reserve: Int64 = 512 << 20

  static func bytes(_ resources: HostResources) -> Int {
    let granted = min(resources.memoryLimit ?? .max, resources.memoryAvailable)
    return Int(max(granted / 4 * 3 - reserve, granted / 2, 256 << 20))
  }
}

extension HostPath {
  /// The path for the system; names that are not UTF-8 were refused before.
  var systemPath: String { text }
}
