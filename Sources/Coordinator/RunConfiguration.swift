package import Ledger
package import Manifest
package import RenderModel
package import Reporting
package import SystemSupport
package import WorkerPool
package import WorkerProtocol

/// Everything that a run is told from outside.
package struct RunConfiguration {
  package var manifestPaths: [String]
  package var manifestOptions = ManifestOptions()
  /// As bytes: a folder's name need not be UTF-8.
  package var outputPath: [UInt8]
  /// nil: `.minilab` beneath the output folder.
  package var statePath: [UInt8]?
  package var pool: PoolConfiguration
  package var worker: WorkerSettings
  package var isForced = false
  package var acceptsRemovedEdits = false
  /// Originals, looks and outputs are digested whatever their times say.
  package var ignoresTimes = false
  /// Outputs get other metadata or stay as they are; nothing is rendered.
  package var refreshesMetadata = false
  /// Only jobs with these reasons are rendered, the others left for later; nil: all that are due.
  package var onlyReasons: ReasonSelection?
  /// The versions of the libraries that render now, where others are a reason to render again.
  package var rebuildsForEngine: String?
  /// When content that ends its processes is not tried any more.
  package var quarantine = Quarantine(after: 2)
  /// Asks the worker for the versions of its libraries; nil when it cannot be asked.
  package var engineVersions: @Sendable () -> [String: String]? = { nil }
  /// A misbehaviour of a job's process, for tests; a worker that was not started for tests takes none.
  package var injectedFault: @Sendable (Job) -> InjectedFault? = { _ in nil }
  package var failurePolicy: ExitPolicy.FailOn = .any
  /// Newest runs whose folders stay whatever is in them; nil: all.
  package var keepRuns: Int?
  package var caseInsensitive: CaseSensitivity = .detected
  /// Opens the ledger of a state folder; the one in memory is made anew from the journals each time.
  package var openLedger: OpenLedger = { _ in MemoryLedger() }
  /// Opens the ledger of a state folder to look at it, changing nothing; nil where the journals have to
  /// be read in its place.
  package var readLedger: ReadLedger = { _ in nil }
  /// Called with the run's name when its folder is there.
  package var onStart: @Sendable (String) -> Void = { _ in }
  /// Called with every change of the progress, on several threads.
  package var onProgress: @Sendable (ProgressMeter) -> Void = { _ in }
  /// Called with each report that is durable.
  package var onReport: @Sendable (JobReport) -> Void = { _ in }
  /// Called with what a person should know at once.
  package var onNote: @Sendable (String) -> Void = { _ in }

  package typealias OpenLedger = (Directory) throws(LedgerError) -> any Ledger

  package typealias ReadLedger = (Directory) throws(LedgerError) -> (any Ledger)?

  package enum CaseSensitivity: Sendable { case detected, sensitive, insensitive }

  package init(
    manifestPaths: [String], outputPath: [UInt8], pool: PoolConfiguration, worker: WorkerSettings
  ) {
    self.manifestPaths = manifestPaths
    self.outputPath = outputPath
    self.pool = pool
    self.worker = worker
  }

  var scope: DecisionScope { DecisionScope(only: onlyReasons, engine: rebuildsForEngine) }
}

/// How a run ended, for the command that started it.
package enum RunEnd {
  case finished(RunSummary)
  /// Nothing was started.
  case manifestInvalid([ManifestProblem], more: Int)
  case refused(ExitStatus, String)
}
