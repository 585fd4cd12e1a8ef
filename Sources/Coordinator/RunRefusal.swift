import Journal
import Ledger
import Manifest
import RenderModel
import SystemSupport

/// Why nothing could be started, as an exit status and words for a person.
struct RunRefusal {
  var status: ExitStatus
  var words: String

  init(_ error: any Error) {
    switch error {
    case RunPlaces.Refusal.output(let words): self.init(.outputUnwritable, words)
    case RunPlaces.Refusal.held(let words): self.init(.configuration, words)
    case RunPlaces.Refusal.ledger(let error): self.init(error.exitStatus, "\(error)")
    case RunPlaces.Refusal.stopped:
      self.init(.interrupted, "stopped while the journals were read; nothing was started")
    case let error as LedgerError: self.init(error.exitStatus, "\(error)")
    case ManifestError.stopped(let path):
      self.init(.interrupted, "\(ManifestError.stopped(path: path))")
    case let error as ManifestError: self.init(.manifestInvalid, "\(error)")
    case let error as JournalError: self.init(error.exitStatus, "\(error)")
    case let error as SystemError: self.init(error.exitStatus, "\(error)")
    default: self.init(.internalError, "\(error)")
    }
  }

  private init(_ status: ExitStatus, _ words: String) {
    self.status = status
    self.words = words
  }
}
