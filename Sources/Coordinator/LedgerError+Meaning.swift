import Ledger
import RenderModel

extension LedgerError {
  /// How a command ends that cannot have its ledger.
  var exitStatus: ExitStatus {
    if isDiskFull { return .outputUnwritable }
    switch code {
    case .unreachable, .damaged: return .storeUnreachable
    case .notRecorded: return .outputUnwritable
    case .newer, .unsuitable: return .configuration
    }
  }
}
