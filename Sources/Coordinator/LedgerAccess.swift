import Journal
package import Ledger
import Manifest
package import RenderModel
import SystemSupport

/// The ledger of a state folder that is there, for commands that render nothing.
package struct LedgerAccess {
  /// As bytes: a folder's name need not be UTF-8.
  package var outputPath: [UInt8]
  /// nil: `.minilab` beneath the output folder.
  package var statePath: [UInt8]?
  package var openLedger: RunConfiguration.OpenLedger
  /// Called with what a person should know at once.
  package var onNote: (String) -> Void

  package init(
    outputPath: [UInt8], statePath: [UInt8]?, openLedger: @escaping RunConfiguration.OpenLedger,
    onNote: @escaping (String) -> Void
  ) {
    self.outputPath = outputPath
    self.statePath = statePath
    self.openLedger = openLedger
    self.onNote = onNote
  }

  /// Why a command cannot have its ledger.
  package struct Refusal: Error, Equatable {
    package var status: ExitStatus
    package var words: String
  }

  /// Takes the folder's lock, brings the ledger up to the journals and lends it.
  ///
  /// `anew`: it forgets everything first and is made from all journals.
  package func with<Value>(
    anew: Bool = false, _ body: (any Ledger, LedgerCatchUp.Result) throws -> Value
  ) throws(Refusal) -> Value {
    try withFolders(anew: anew) { ledger, result, _, _ in try body(ledger, result) }
  }

  /// As `with`; lends the state folder and the output folder too, in this order.
  func withFolders<Value>(
    anew: Bool = false,
    _ body: (any Ledger, LedgerCatchUp.Result, Directory, Directory) throws -> Value
  ) throws(Refusal) -> Value {
    do {
      let output = try Directory(path: outputPath)
      let state =
        try statePath.map { try Directory(path: $0) }
        ?? output.openDirectory(Array(OutputTemplate.stateFolder.utf8))
      let lock = try RunPlaces.lock(state)
      return try withExtendedLifetime(lock) {
        let (ledger, result) = try caughtUp(state, output, anew)
        return try body(ledger, result, state, output)
      }
    } catch {
      throw Self.refusal(error)
    }
  }

  private func caughtUp(
    _ state: Directory, _ output: Directory, _ anew: Bool
  ) throws -> (any Ledger, LedgerCatchUp.Result) {
    func attempt() throws -> (any Ledger, LedgerCatchUp.Result) {
      let ledger = try openLedger(state)
      try CompactionCommit(state: state).finish(ledger: ledger)
      let catchUp = LedgerCatchUp(ledger: ledger, state: state, output: output, onNote: onNote)
      return (ledger, try catchUp.perform(anew: anew))
    }
    do {
      return try attempt()
    } catch let error as LedgerError where error.code == .damaged {
      // It was set aside: the next is a new one.
      return try attempt()
    }
  }

  static func refusal(_ error: any Error) -> Refusal {
    switch error {
    case let refusal as Refusal: refusal
    case RunPlaces.Refusal.held(let words): Refusal(status: .configuration, words: words)
    case RunPlaces.Refusal.output(let words): Refusal(status: .outputUnwritable, words: words)
    case RunPlaces.Refusal.ledger(let error): Refusal(status: error.exitStatus, words: "\(error)")
    case RunPlaces.Refusal.stopped:
      Refusal(status: .interrupted, words: "stopped while the journals were read")
    case ManifestError.stopped(let path):
      Refusal(status: .interrupted, words: "\(ManifestError.stopped(path: path))")
    case let error as ManifestError: Refusal(status: .manifestInvalid, words: "\(error)")
    case let error as JournalError where error.isDiskFull:
      Refusal(status: .outputUnwritable, words: "\(error)")
    case let error as SystemError where error.isDiskFull || error.isDenied:
      Refusal(status: .outputUnwritable, words: DisplayText.escaped("\(error)"))
    case let error as LedgerError: Refusal(status: error.exitStatus, words: "\(error)")
    case let error as JournalError:
      Refusal(status: error.exitStatus, words: DisplayText.escaped("\(error)"))
    case let error as SystemError where error.isNotFound:
      Refusal(
        status: .storeUnreachable,
        words: "there is no state folder of a run: \(DisplayText.escaped("\(error)"))")
    default: Refusal(status: .internalError, words: DisplayText.escaped("\(error)"))
    }
  }
}
