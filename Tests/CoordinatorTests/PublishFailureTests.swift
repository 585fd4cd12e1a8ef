import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// Errors of the file system become the right reason, and only some of them stop the run.
@Suite("Publish failures")
struct PublishFailureTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var errno: Int32
    var code: FailureCode
    var stops: Bool
    var testDescription: String { "errno \(errno)" }
  }

  static let cases = [
    Case(errno: ENOSPC, code: .diskFull, stops: true),
    Case(errno: EDQUOT, code: .diskFull, stops: true),
    Case(errno: EACCES, code: .outputUnwritable, stops: true),
    Case(errno: EPERM, code: .outputUnwritable, stops: true),
    Case(errno: EROFS, code: .outputUnwritable, stops: true),
    Case(errno: EIO, code: .outputUnwritable, stops: true),
    Case(errno: ENAMETOOLONG, code: .nameTooLong, stops: false),
    Case(errno: EISDIR, code: .outputConflict, stops: false),
    Case(errno: ENOTDIR, code: .outputConflict, stops: false),
    Case(errno: ENOTEMPTY, code: .outputConflict, stops: false),
    Case(errno: EEXIST, code: .outputConflict, stops: false),
    // One name that leads astray says nothing about the others.
    Case(errno: ELOOP, code: .outputConflict, stops: false),
    Case(errno: EXDEV, code: .outputConflict, stops: false),
  ]

  @Test("each error has its code and its words", arguments: cases)
  func code(example: Case) {
    let failure = PublishFailure.failure(
      for: SystemError(operation: "rename", errno: example.errno),
      path: RelativePath(bytes: Array("a\u{1B}b".utf8)))
    #expect(failure.code == example.code)
    #expect(failure.stage == .publish)
    #expect(failure.detail.hasPrefix("a\\u{1B}b: "))
    let outcome = JobReport.OutcomeEntry(.failed(failure))
    #expect((PublishFailure.stopCause(outcome) != nil) == example.stops)
  }

  @Test(
    "only failures that later jobs would meet too stop the run", arguments: FailureCode.allCases)
  func stopping(code: FailureCode) {
    let outcome = Outcome.failed(RenderFailure(code: code, stage: .publish, detail: "why"))
    let cause = PublishFailure.stopCause(JobReport.OutcomeEntry(outcome))
    #expect((cause != nil) == [.diskFull, .outputUnwritable].contains(code))
    #expect(cause == nil || cause?.detail == "why")
  }

  @Test("no other state stops the run")
  func otherStates() {
    for state in OutcomeState.allCases where state != .failed {
      let outcome = Outcome(state, code: FailureCode.diskFull.rawValue)
      #expect(PublishFailure.stopCause(JobReport.OutcomeEntry(outcome)) == nil)
    }
  }

  @Test("a template that gives no name fails with the right code")
  func templates() throws {
    let long = OutputTemplate(pieces: [.literal([UInt8](repeating: 0x78, count: 300))])
    let values = OutputTemplate.Values(
      job: "a", asset: RelativePath("a.jpg"), rendition: "r", type: .jpeg)
    guard case .failure(let failure) = long.path(values) else {
      Issue.record("300 bytes are a name")
      return
    }
    #expect(PublishFailure.failure(for: failure).code == .nameTooLong)
  }
}
