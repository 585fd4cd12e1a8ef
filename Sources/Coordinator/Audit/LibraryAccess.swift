import RenderModel
import SystemSupport
import WorkerPool

/// The output folder of finished runs, for commands that audit it or put it in order.
///
/// What a dead run left is completed first, as at the start of every run.
package struct LibraryAccess {
  /// As bytes: a folder's name need not be UTF-8.
  package var outputPath: [UInt8]
  /// nil: `.minilab` beneath the output folder.
  package var statePath: [UInt8]?
  package var openLedger: RunConfiguration.OpenLedger
  /// Called with what a person should know at once.
  package var onNote: @Sendable (String) -> Void
  /// Asked often; true ends the command in good order.
  package var isStopped: @Sendable () -> Bool

  package init(
    outputPath: [UInt8], statePath: [UInt8]?, openLedger: @escaping RunConfiguration.OpenLedger,
    onNote: @escaping @Sendable (String) -> Void, isStopped: @escaping @Sendable () -> Bool
  ) {
    self.outputPath = outputPath
    self.statePath = statePath
    self.openLedger = openLedger
    self.onNote = onNote
    self.isStopped = isStopped
  }

  /// Takes the lock, puts dead runs in order, brings the ledger up to the journals and lends all of it.
  ///
  /// `makesState`: a state folder that is not there is made; the output folder never is.
  func with<Value>(
    makesState: Bool = false, _ body: (RunPlaces) throws -> Value
  ) throws(LedgerAccess.Refusal) -> Value {
    do {
      let output = try Directory(path: outputPath)
      if !makesState {
        _ =
          try statePath.map { try Directory(path: $0) }
          ?? output.openDirectory(Array(OutputTemplate.stateFolder.utf8))
      }
      var configuration = RunConfiguration(
        manifestPaths: [], outputPath: outputPath,
        pool: PoolConfiguration(slots: 1, memoryBudget: 0),
        worker: WorkerSettings(programPath: "", arguments: []))
      configuration.statePath = statePath
      configuration.openLedger = openLedger
      configuration.onNote = onNote
      let places = try RunPlaces.take(configuration, isStopped: isStopped)
      return try withExtendedLifetime(places.lock) { try body(places) }
    } catch {
      throw LedgerAccess.refusal(error)
    }
  }
}
