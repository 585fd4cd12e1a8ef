import Glibc
import SystemSupport

/// A program that a test started; killed with this value should it still run.
final class RunningProgram {
  struct Failure: Error { var words: String }

  let child: ChildProcess
  private let output: OwnedDescriptor
  private let errors: OwnedDescriptor
  private var isOver = false

  /// The program dies with the calling thread, so start and wait in one synchronous test.
  init(_ path: String, _ arguments: [String], environment: [String] = []) throws {
    output = try MemoryFile.create(name: "output")
    errors = try MemoryFile.create(name: "errors")
    child = try ChildProcess.spawn(
      path: path, arguments: arguments,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"] + environment,
      descriptors: [(output.rawValue, 1), (errors.rawValue, 2)])
  }

  deinit {
    if !isOver {
      try? child.kill(SIGKILL)
      _ = try? child.wait()
    }
  }

  func signal(_ number: Int32) { try? child.kill(number) }

  var hasEnded: Bool { (try? child.hasEnded(withinMilliseconds: 0)) ?? true }

  /// What it said so far on standard error.
  var said: String {
    String(decoding: (try? FileTransfer.readAll(errors, limit: 1 << 26)) ?? [], as: UTF8.self)
  }

  /// Waits for the end; a program that does not end is a failure, not a hang.
  func wait(seconds: Int = 120) throws -> ProgramEnd {
    if try !child.hasEnded(withinMilliseconds: seconds * 1000) {
      throw Failure(words: "still running after \(seconds) s; it said: \(said)")
    }
    let report = try child.wait()
    isOver = true
    return ProgramEnd(
      status: report.status,
      output: try FileTransfer.readAll(output, limit: 1 << 26),
      errors: try FileTransfer.readAll(errors, limit: 1 << 26))
  }
}

/// How a program ended and what it wrote.
struct ProgramEnd {
  var status: ExitReport.Status
  var output: [UInt8]
  var errors: [UInt8]

  /// nil when a signal ended it.
  var exitStatus: Int32? {
    guard case .exited(let status) = status else { return nil }
    return status
  }

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// Whether a condition comes true within a time; asks every few milliseconds.
func eventually(within milliseconds: Int = 30_000, _ condition: () throws -> Bool) rethrows -> Bool
{
  let limit = BootClock.now() + UInt64(milliseconds) * 1_000_000
  while true {
    if try condition() { return true }
    if BootClock.now() >= limit { return false }
    _ = poll(nil, 0, 2)
  }
}
