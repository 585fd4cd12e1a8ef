import Glibc
import Testing

@testable import SystemSupport

@Suite struct SystemErrorTests {
  @Test("the description names the call, the path and the kernel's words")
  func description() {
    let error = SystemError(operation: "open", errno: ENOENT, path: "a/b")
    #expect(error.description == "open a/b: No such file or directory")
    #expect(SystemError(operation: "fsync", errno: EIO).description == "fsync: Input/output error")
  }

  @Test("only space and quota count as a full disk", arguments: [ENOSPC, EDQUOT, EFBIG, EIO])
  func diskFull(code: Int32) {
    let isFull = SystemError(operation: "write", errno: code).isDiskFull
    #expect(isFull == (code == ENOSPC || code == EDQUOT))
  }

  @Test("a shim's negative result is thrown as its errno, others pass")
  func check() throws {
    #expect(failure { try SystemError.check("x", Int32(-EMFILE)) } == EMFILE)
    #expect(try SystemError.check("x", Int64(7)) == 7)
    #expect(try SystemError.check("x", Int32(0)) == 0)
  }

  @Test("a shim that was interrupted is called again, any other answer passes")
  func uninterrupted() {
    var answers: [Int32] = [-EINTR, -EINTR, -EIO, 3]
    #expect(SystemError.uninterrupted { answers.removeFirst() } == -EIO)
    #expect(SystemError.uninterrupted { answers.removeFirst() } == 3)
  }

  @Test("an interrupted call is made again, another error is thrown")
  func retrying() throws {
    var calls = 0
    let result = try SystemError.retrying("x") { () -> Int in
      calls += 1
      errno = EINTR
      return calls < 3 ? -1 : 42
    }
    #expect(result == 42)
    #expect(calls == 3)
    #expect(
      failure {
        try SystemError.retrying("x") { () -> Int in
          errno = EIO
          return -1
        }
      } == EIO)
  }

  @Test("a full device is reported as a full disk")
  func fullDevice() throws {
    let full = try OwnedDescriptor.open(path: "/dev/full", flags: O_WRONLY)
    let error = #expect(throws: SystemError.self) {
      try FileTransfer.writeAll(full, [1, 2, 3])
    }
    #expect(error?.isDiskFull == true)
  }
}
