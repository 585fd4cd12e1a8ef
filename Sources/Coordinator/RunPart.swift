import Journal
import Manifest
import RenderModel
import Synchronization
import SystemSupport
import WorkerPool

/// The part of a run that is one manifest: its own library, pool, intake and publisher.
struct RunPart {
  let configuration: RunConfiguration
  let setting: RunSetting
  let manifest: ManifestSlice
  let journal: JournalWriter
  let progress: RunProgress
  let available: () -> Int

  struct End {
    var counts: Intake.Counts
    var pool: PoolEnd
    /// Why reports could not be written; nil when they were.
    var journalFailure: String?
    /// Why the manifest could not be read to its end; nil when it was.
    var manifestFailure: String?

    var isCutShort: Bool { pool != .completed || journalFailure != nil || manifestFailure != nil }
  }

  /// Returns when every job that was taken has its report.
  func carryOut(signals: SignalDescriptor?) throws -> End {
    let completions = BoundedQueue<Completion>(capacity: Self.queueCapacity)
    let jobs = JobTable()
    let result = IntakeResult()
    let words = SharedText()
    let pool = try pool(completions, signals)
    let publishing = startPublisher(completions, jobs, words)
    let taking = startIntake(completions, jobs, result)
    let end = run(pool)
    if end != .completed { setting.signalStop() }
    setting.inbox.close()
    taking.join()
    completions.close()
    publishing.join()
    return End(
      counts: result.counts, pool: end, journalFailure: words.value, manifestFailure: result.error)
  }

  /// A pool that fails ends like one whose worker did: what is done stays accounted for.
  private func run(_ pool: WorkerPool) -> PoolEnd {
    do {
      return try pool.run()
    } catch {
      return .workerFailed("\(error)")
    }
  }
}

extension RunPart {
  /// Settled jobs leave this much room in the queue, so that the pool's thread never waits for it.
  static let roomForPool = 768
  static let queueCapacity = 1024

  private func startPublisher(
    _ completions: BoundedQueue<Completion>, _ jobs: JobTable, _ words: SharedText
  ) -> JoinableThread {
    let (setting, journal, progress) = (setting, journal, progress)
    return Threads.start(name: "publisher") {
      let publisher = Publisher(
        setting: setting, journal: journal, jobs: jobs, progress: progress)
      do {
        try publisher.run(completions)
      } catch {
        // A status that cannot be written is loud: nothing goes on as if it had been.
        words.set(
          error is JournalError
            ? "\(error)" : "the names of outputs cannot be made durable: \(error)")
        setting.signalStop()
        setting.inbox.stop(.now)
        completions.close()
      }
    }
  }

  private func startIntake(
    _ completions: BoundedQueue<Completion>, _ jobs: JobTable, _ result: IntakeResult
  ) -> JoinableThread {
    let intake = Intake(
      setting: setting, isForced: configuration.isForced,
      acceptsRemovedEdits: configuration.acceptsRemovedEdits,
      ignoresTimes: configuration.ignoresTimes,
      refreshesMetadata: configuration.refreshesMetadata, scope: configuration.scope, jobs: jobs,
      settled: completions, progress: progress, injectedFault: configuration.injectedFault)
    // Used by this thread alone from here on.
    nonisolated(unsafe) let source = manifest.source
    nonisolated(unsafe) let taking = intake
    let inbox = setting.inbox
    return Threads.start(name: "intake") {
      do {
        try unsafe source.jobs { line in unsafe taking.take(line) }
      } catch {
        result.fail("\(error)")
      }
      _ = unsafe taking.finish()
      unsafe result.set(taking.counts)
      inbox.close()
    }
  }

  private func pool(
    _ completions: BoundedQueue<Completion>, _ signals: SignalDescriptor?
  ) throws(SystemError) -> WorkerPool {
    var worker = configuration.worker
    worker.diskAvailable = available
    let setting = setting
    let signalled = configuration.worker.stopSignalled
    worker.stopSignalled = {
      setting.signalStop()
      signalled?()
    }
    worker.ready = { setting.workerIsReady($0) }
    return try WorkerPool(
      configuration: configuration.pool, settings: worker, inbox: setting.inbox, signals: signals
    ) { finished in
      _ = completions.push(.finished(finished))
    }
  }
}

/// What the intake's thread leaves behind.
final class IntakeResult: Sendable {
  private let state = Mutex<(counts: Intake.Counts, error: String?)>((Intake.Counts(), nil))

  var counts: Intake.Counts { state.withLock { $0.counts } }
  /// Why the manifest could not be read to its end; nil when it was.
  var error: String? { state.withLock { $0.error } }

  func set(_ counts: Intake.Counts) { state.withLock { $0.counts = counts } }
  func fail(_ words: String) { state.withLock { $0.error = words } }
}

/// A text that one thread sets at most once and another reads.
final class SharedText: Sendable {
  private let text = Mutex<String?>(nil)
  var value: String? { text.withLock { $0 } }
  func set(_ words: String) { text.withLock { $0 = $0 ?? words } }
}
