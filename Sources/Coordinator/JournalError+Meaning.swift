import Journal
import RenderModel
import SystemSupport

extension JournalError {
  /// Whatever the disk under the state folder has: it is not our own fault.
  var exitStatus: ExitStatus {
    switch code {
    case .notEncodable: .internalError
    case .notWritten, .broken, .folder: .outputUnwritable
    case .notReadable: .storeUnreachable
    }
  }
}

extension SystemError {
  /// What it means for a run that could not begin.
  var exitStatus: ExitStatus {
    isDiskFull || isReadOnlyFileSystem ? .outputUnwritable : .internalError
  }
}
