import Glibc
import RenderModel
import Synchronization
import SystemSupport
import Testing

@testable import Journal

@Suite struct JournalWriterTests {
  let folder: TemporaryFolder
  var root: Directory { folder.directory }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("lines are read back in the order in which they were added")
  func order() throws {
    let writer = try JournalWriter(creatingIn: root)
    let lines: [JournalLine] = [.run(start)] + (0..<100).map { .report(report("\($0)")) }
    try writer.append([])
    for line in lines { try writer.append([line]) }
    try writer.append(Array(lines.dropFirst()))
    try writer.synchronize()
    let read = try readAll(root)
    #expect(read.lines == lines + lines.dropFirst())
    #expect(read.corrupt.isEmpty)
    #expect(read.torn == 0)
  }

  @Test("lines from several threads don't mix")
  func threads() throws {
    let writer = try JournalWriter(creatingIn: root)
    let threads = (0..<4).map { number in
      Threads.start(name: "writer") {
        for index in 0..<50 {
          try? writer.append([.report(report("\(number)-\(index)")), .report(report("second"))])
        }
      }
    }
    for thread in threads { thread.join() }
    let read = try readAll(root)
    #expect(read.lines.count == 400)
    #expect(read.corrupt.isEmpty)
    #expect(
      stride(from: 1, to: 400, by: 2).allSatisfy { read.lines[$0] == .report(report("second")) })
  }

  @Test("a journal that is there is never taken over")
  func exists() throws {
    try JournalWriter(creatingIn: root).append([.run(start)])
    #expect(code { _ = try JournalWriter(creatingIn: root) } == .notWritten)
    #expect(try readAll(root).lines == [.run(start)])
  }

  @Test("modes follow the umask")
  func mode() async {
    await #expect(processExitsWith: .exitCode(7)) {
      umask(0o027)
      let folder = try TemporaryFolder()
      _ = try JournalWriter(creatingIn: folder.directory)
      try AtomicFile.write(folder.directory, Array("summary.json".utf8), [1])
      for name in ["journal.jsonl", "summary.json"] {
        let status = try folder.directory.status(Array(name.utf8))
        guard let mode = status?.mode, mode & 0o777 == 0o640 else { exit(1) }
      }
      _ = consume folder
      exit(7)
    }
  }

  @Test("a write that fails half-way leaves whole lines only, and the next one works")
  func failedWrite() throws {
    let isFull = Atomic(false)
    let writer = try JournalWriter(creatingIn: root) { (file, bytes) throws(SystemError) in
      guard isFull.load(ordering: .relaxed) else { return try FileTransfer.writeAll(file, bytes) }
      try FileTransfer.writeAll(file, Array(bytes.prefix(bytes.count / 2)))
      throw SystemError(operation: "write", errno: ENOSPC)
    }
    try writer.append([.run(start)])
    isFull.store(true, ordering: .relaxed)
    do {
      try writer.append([.report(report("a")), .report(report("b"))])
      Issue.record("the write must fail")
    } catch {
      #expect(error.code == .notWritten)
      #expect(error.isDiskFull)
      #expect("\(error)".contains("the journal could not be written: write"))
    }
    #expect(try readAll(root).lines == [.run(start)])
    #expect(try readAll(root).torn == 0)
    isFull.store(false, ordering: .relaxed)
    try writer.append([.report(report("c"))])
    #expect(try readAll(root).lines == [.run(start), .report(report("c"))])
  }

  @Test("a real file that may grow no further ends with its last whole line")
  func fileSizeLimit() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let folder = try TemporaryFolder()
      let line = try JournalLine.report(report()).encoded().count
      let writer = try JournalWriter(creatingIn: folder.directory)
      signal(SIGXFSZ, SIG_IGN)
      // Room for three lines and a half: the fourth is written in part and then refused.
      let room = UInt64(line * 7 / 2)
      try ProcessControl.setLimit(.fileSize, soft: room, hard: room)
      var added = 0
      var failed: JournalError.Code?
      while failed == nil, added < 10 {
        failed = code { try writer.append([.report(report())]) }
        if failed == nil { added += 1 }
      }
      let read = try readAll(folder.directory)
      let isWhole = try folder.read("journal.jsonl").count == 3 * line
      _ = consume folder
      exit(failed == .notWritten && added == 3 && read.lines.count == 3 && isWhole ? 7 : 1)
    }
  }

  @Test("a journal that can't be cut back after a failed write takes no more lines")
  func broken() throws {
    // A pipe can't be truncated.
    let writer = try JournalWriter(creatingIn: root) { (file, _) throws(SystemError) in
      try SystemError.retrying("pipe") {
        var ends: [Int32] = [-1, -1]
        let result = unsafe pipe(&ends)
        dup2(ends[1], file.rawValue)
        for end in ends { close(end) }
        return result
      }
      throw SystemError(operation: "write", errno: EIO)
    }
    #expect(code { try writer.append([.run(start)]) } == .broken)
    #expect(code { try writer.append([.run(start)]) } == .broken)
    #expect(code { try writer.synchronize() } == .broken)
  }

  @Test("what a failed sync leaves open is not called durable")
  func durable() throws {
    let isRefused = Atomic(false)
    let writer = try JournalWriter(creatingIn: root) { (file, bytes) throws(SystemError) in
      guard isRefused.load(ordering: .relaxed) else {
        return try FileTransfer.writeAll(file, bytes)
      }
      // A pipe can't be synced.
      var ends: [Int32] = [-1, -1]
      try SystemError.retrying("pipe") { unsafe pipe(&ends) }
      dup2(ends[1], file.rawValue)
      for end in ends { close(end) }
    }
    try writer.append([.run(start)])
    #expect(writer.durableLength == 0)
    try writer.synchronize()
    let durable = writer.length
    #expect(writer.durableLength == durable)
    isRefused.store(true, ordering: .relaxed)
    try writer.append([.report(report("a"))])
    #expect(code { try writer.synchronize() } == .broken)
    #expect(writer.length > durable)
    #expect(writer.durableLength == durable)
  }

  @Test("a dead run's journal goes on after its last whole line")
  func resume() throws {
    try JournalWriter(creatingIn: root).append([.run(start), .report(report("a"))])
    let whole = try folder.read("journal.jsonl")
    let name = Array("journal.jsonl".utf8)
    let file = try root.openBeneath(name, flags: O_WRONLY | O_APPEND)
    try FileTransfer.writeAll(file, Array("{\"kind\":\"rep".utf8))
    #expect(try readAll(root).torn == 12)
    let writer = try JournalWriter(resuming: root, wholeLength: Int64(whole.count))
    #expect(try folder.read("journal.jsonl") == whole)
    try writer.append([.report(report("b"))])
    #expect(try readAll(root).lines == [.run(start), .report(report("a")), .report(report("b"))])
    #expect(
      code { _ = try JournalWriter(resuming: root.makeDirectories([0x78]), wholeLength: 0) }
        == .notWritten)
  }
}
