import Glibc
import SystemSupport

/// Processes of one thread that share a heap of work, as a shell's `xargs -P` would.
enum ForkedProcesses {
  /// Calls `body` once for each piece, in whichever process is free; throws when one fails.
  static func run(_ processes: Int, pieces: Int, _ body: (Int) throws -> Void) throws {
    // All processes read the numbers of their pieces from one pipe.
    let (reader, writer) = try heap(pieces)
    var children: [ChildProcess] = []
    for _ in 0..<min(processes, pieces) {
      let pid = ProcessControl.fork()
      if pid == 0 { work(reader, body) }
      try SystemError.check("fork", pid)
      children.append(try ChildProcess(forked: pid))
    }
    withExtendedLifetime(writer) {}
    for child in children where try child.wait().status != .exited(0) {
      throw BenchFailure("a process failed")
    }
  }

  /// Processor time of all processes that `body` starts and waits for.
  static func cpuSeconds(_ body: () throws -> Void) throws -> Double {
    var before = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &before)
    try body()
    var after = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &after)
    return seconds(after) - seconds(before)
  }

  private static func seconds(_ usage: rusage) -> Double {
    Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
  }

  private static func heap(_ pieces: Int) throws -> (OwnedDescriptor, OwnedDescriptor) {
    let (reader, writer) = try Pipe.makeNonBlocking()
    let bytes = (0..<pieces).flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] }
    guard pieces < 32_768 else { throw BenchFailure("more pieces than the pipe holds") }
    try FileTransfer.writeAll(writer, bytes)
    return (reader, writer)
  }

  private static func work(_ heap: OwnedDescriptor, _ body: (Int) throws -> Void) -> Never {
    var number: [UInt8] = [0, 0]
    // Empty is the end: everything was written before the first process began.
    while unsafe read(heap.rawValue, &number, 2) == 2 {
      do {
        try body(Int(number[0]) | Int(number[1]) << 8)
      } catch {
        StandardError.say("minilab-bench: \(error)")
        _exit(1)
      }
    }
    _exit(0)
  }
}
