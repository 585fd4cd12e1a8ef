import Glibc
import SystemSupport
import Testing

@Suite struct StateLockTests {
  let folder: TemporaryFolder
  var state: Directory { folder.directory }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func owner(_ node: String) -> LockOwner {
    LockOwner(
      node: node, bootID: "b", pid: 12, processStartTime: 34, started: "2024-01-01T00:00:00.000Z")
  }

  @Test("a held folder is refused, with the owner's line")
  func held() throws {
    let lock = try StateLock(in: state, owner: owner("first"))
    let error = #expect(throws: StateLockError.self) {
      _ = try StateLock(in: state, owner: owner("second"))
    }
    #expect(error == .held(owner: lock.owner.json))
    #expect(try folder.read("lock") == lock.owner.json + "\n")
  }

  @Test("a released folder can be taken, and a longer old line leaves nothing behind")
  func released() throws {
    var first: StateLock? = try StateLock(in: state, owner: owner("a-much-longer-name"))
    #expect(first != nil)
    first = nil
    let second = try StateLock(in: state, owner: owner("b"))
    #expect(StateLock.ownerText(in: state) == second.owner.json)
    #expect(try folder.read("lock").utf8.count == second.owner.json.utf8.count + 1)
  }

  @Test("another program's lock is respected, and its death frees the folder")
  func deadOwner() throws {
    try folder.write("lock", "someone else\n")
    // Without forking, so that the one process that is killed is the one with the lock.
    let child = try ChildProcess.spawn(
      path: "/usr/bin/flock",
      arguments: ["--no-fork", "\(folder.path)/lock", "/bin/sleep", "100"],
      environment: ["PATH=/usr/bin:/bin"], descriptors: [])
    while failure({ _ = try StateLock(in: state) }) == nil {
      try #require(try !child.hasEnded(withinMilliseconds: 10))
      try folder.write("lock", "someone else\n")
    }
    #expect(throws: StateLockError.held(owner: "someone else")) {
      _ = try StateLock(in: state)
    }
    try child.kill(SIGKILL)
    _ = try child.wait()
    _ = try StateLock(in: state)
  }

  @Test("whoever deletes the lock file, or puts another in its place, lets nobody in")
  func deletedFile() throws {
    let lock = try StateLock(in: state, owner: owner("first"))
    try state.remove(StateLock.fileName)
    #expect(throws: StateLockError.held(owner: "")) {
      _ = try StateLock(in: state, owner: owner("second"))
    }
    try folder.write("lock", "put there by hand\n")
    #expect(throws: StateLockError.held(owner: "put there by hand")) {
      _ = try StateLock(in: state, owner: owner("third"))
    }
    withExtendedLifetime(lock) {}
  }

  @Test("a link in place of the lock is not followed")
  func link() throws {
    let outside = try TemporaryFolder()
    try outside.write("victim", "kept")
    try folder.link("lock", to: outside.path + "/victim")
    let error = #expect(throws: StateLockError.self) { _ = try StateLock(in: state) }
    #expect(error == .system(SystemError(operation: "open", errno: ELOOP, path: "lock")))
    #expect(try outside.read("victim") == "kept")
  }

  @Test("the line is one line of plain JSON whatever the node is called")
  func json() {
    let line = owner("a\"b\\c\n\u{1B}é😀").json
    #expect(
      line
        == #"{"node":"a\"b\\c\u000a\u001b\u00e9\ud83d\ude00","bootID":"b","pid":12,"#
        + #""processStartTime":34,"started":"2024-01-01T00:00:00.000Z"}"#)
  }

  @Test("the current owner is this process")
  func current() {
    let owner = LockOwner.current()
    #expect(owner.pid == getpid())
    #expect(owner.node == HostName.current())
    #expect(owner.bootID == BootIdentity.current())
    #expect(owner.processStartTime == BootIdentity.processStartTime(getpid()))
  }

  @Test("descriptions say what is the matter")
  func descriptions() {
    #expect(
      StateLockError.held(owner: "x").description == "the state folder is in use by x")
    let error = SystemError(operation: "open", errno: EROFS, path: "lock")
    #expect(
      StateLockError.system(error).description
        == "the state folder cannot be locked: open lock: Read-only file system")
  }
}
