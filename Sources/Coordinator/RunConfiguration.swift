package import Ledger
package import Manifest
package import RenderModel
package import Reporting
package import SystemSupport
package import WorkerPool

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
  /// Outputs get other metadata or stay as they are; nothing is rendered.
  package var refreshesMetadata = false
  package var failurePolicy: ExitPolicy.FailOn = .any
  /// Newest runs whose folders stay whatever is in them; nil: all.
  package var keepRuns: Int?
  package var caseInsensitive: CaseSensitivity = .detected
  /// Opens the ledger of a state folder; the one in memory is made anew from the journals each time.
  package var openLedger: OpenLedger = { _ in MemoryLedger() }
  /// Called with the run's name when its folder is there.
  package var onStart: @Sendable (String) -> Void = { _ in }
  /// Called with every change of the progress, on several threads.
  package var onProgress: @Sendable (ProgressMeter) -> Void = { _ in }
  /// Called with each report that is durable.
  package var onReport: @Sendable (JobReport) -> Void = { _ in }
  /// Called with what a person should know at once.
  package var onNote: @Sendable (String) -> Void = { _ in }

  package typealias OpenLedger = (Directory) throws(LedgerError) -> any Ledger

  package enum CaseSensitivity: Sendable { case detected, sensitive, insensitive }

  package init(
    manifestPaths: [String], outputPath: [UInt8], pool: PoolConfiguration, worker: WorkerSettings
  ) {
    self.manifestPaths = manifestPaths
    self.outputPath = outputPath
    self.pool = pool
    self.worker = worker
  }
}

/// How a run ended, for the command that started it.
package enum RunEnd {
  case finished(RunSummary)
  /// Nothing was started.
  case manifestInvalid([ManifestProblem], more: Int)
  case refused(ExitStatus, String)
}
