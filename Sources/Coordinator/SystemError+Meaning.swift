import Glibc
import RenderModel
import SystemSupport

extension SystemError {
  var isNameTooLong: Bool { errno == ENAMETOOLONG }
  /// A folder, or a file where a folder is wanted, stands in the way.
  var isNameTaken: Bool {
    errno == EISDIR || errno == ENOTDIR || errno == ENOTEMPTY || errno == EEXIST
  }
  var leavesRoot: Bool { errno == ELOOP || errno == EXDEV }

  /// What it means for a run that could not begin.
  var exitStatus: ExitStatus {
    isDiskFull || errno == EROFS ? .outputUnwritable : .internalError
  }
}
