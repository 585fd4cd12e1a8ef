import Journal
import RenderModel

extension JournalError {
  /// How a command ends that cannot have its journals.
  var exitStatus: ExitStatus {
    if isDiskFull { return .outputUnwritable }
    switch code {
    case .notReadable: return .storeUnreachable
    case .notWritten, .broken, .folder: return .outputUnwritable
    case .notEncodable: return .internalError
    }
  }
}
