import Glibc
import RenderModel
import SystemSupport

/// What came of asking the worker about itself.
package enum WorkerFinding: Hashable, Sendable {
  case described(path: String, WorkerDescription)
  /// It is there, but does not answer as it should.
  case unusable(path: String, reason: String)
  case missing(searched: [String])
}

/// Asks the worker what it can do.
package enum WorkerEnquiry {
  private static let answerLimit = 1 << 20

  /// Finds the worker that belongs to a program, and runs `--describe`.
  package static func ask(program: String, patienceMilliseconds: Int = 20_000) -> WorkerFinding {
    guard let path = WorkerLocation.find(program: program) else {
      return .missing(searched: WorkerLocation.candidates(program: program))
    }
    do {
      let answer = try answer(of: path, patienceMilliseconds)
      return .described(path: path, try WorkerDescription(json: answer))
    } catch let error as WorkerDescription.Unreadable {
      return .unusable(path: path, reason: DisplayText.escaped(error.reason))
    } catch let error as SystemError {
      return .unusable(path: path, reason: DisplayText.escaped(error.description))
    } catch {
      return .unusable(path: path, reason: "it could not be asked")
    }
  }

  /// The versions of the libraries that the worker of this program has; nil when it does not say.
  package static func engine() -> [String: String]? {
    guard let program = WorkerLocation.runningProgram(),
      case .described(_, let description) = ask(program: program)
    else { return nil }
    return Dictionary(description.engine.map { ($0.name, $0.number) }) { first, _ in first }
  }

  /// The answer goes to a file in memory, so that a worker that says nothing blocks nobody.
  private static func answer(of path: String, _ patienceMilliseconds: Int) throws -> [UInt8] {
    let output = try MemoryFile.create(name: "describe")
    let process = try ChildProcess.spawn(
      path: path, arguments: ["--describe"], environment: ["PATH=/usr/bin:/bin"],
      descriptors: [(source: output.rawValue, target: STDOUT_FILENO)])
    let isInTime = try process.hasEnded(withinMilliseconds: patienceMilliseconds)
    if !isInTime { try? process.kill(SIGKILL) }
    let report = try process.wait()
    guard isInTime else {
      throw WorkerDescription.Unreadable(
        reason: "it did not answer within \(patienceMilliseconds / 1000) seconds")
    }
    switch report.status {
    case .exited(0): return try FileTransfer.readAll(output, limit: answerLimit)
    case .exited(let status):
      throw WorkerDescription.Unreadable(reason: "it ended with exit status \(status)")
    case .signalled(let signal):
      throw WorkerDescription.Unreadable(reason: "it was ended by signal \(signal)")
    }
  }
}
