import Glibc
import Journal
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// What a run ends with that could not begin.
@Suite("Refusal status")
struct RefusalStatusTests {
  @Test(
    "a journal that cannot be written is no fault of our own", arguments: JournalError.Code.allCases
  )
  func journal(code: JournalError.Code) {
    let expected: [JournalError.Code: RenderModel.ExitStatus] = [
      .notEncodable: .internalError, .notReadable: .storeUnreachable,
      .notWritten: .outputUnwritable, .broken: .outputUnwritable, .folder: .outputUnwritable,
    ]
    #expect(JournalError(code).exitStatus == expected[code])
  }

  @Test(
    "a full or read-only file system is told apart from what should not happen",
    arguments: [
      (ENOSPC, RenderModel.ExitStatus.outputUnwritable), (EDQUOT, .outputUnwritable),
      (EROFS, .outputUnwritable), (EINVAL, .internalError),
    ])
  func system(errno: Int32, status: RenderModel.ExitStatus) {
    #expect(SystemError(operation: "write", errno: errno).exitStatus == status)
  }
}
