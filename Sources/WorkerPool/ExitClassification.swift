import RenderModel
package import WorkerProtocol

/// Why a process ended without an answer.
package enum ExitCause: Hashable, Sendable {
  case crashed(signal: Int32)
  case exited(Int32)
  case policyViolation
  case memory(String)
  case outputTooLarge
  case cpuTime
  /// The process could not be sealed and never saw the picture.
  case notSealed(String)
}

/// Tells the cause from the wait status first and from the last words second.
package enum ExitClassification {
  private enum Signal {
    static let trap: Int32 = 5
    static let abort: Int32 = 6
    static let kill: Int32 = 9
    static let cpuTime: Int32 = 24
    static let fileSize: Int32 = 25
    static let badSystemCall: Int32 = 31
  }

  /// The exit status by which a job process says that it could not be sealed.
  private static let sealFailed: Int32 = 40

  /// `lastWords` is what the process wrote to its standard error.
  package static func cause(of exit: ProcessExit, lastWords: String) -> ExitCause {
    switch exit.status {
    case .signalled(Signal.badSystemCall): return .policyViolation
    case .signalled(Signal.cpuTime): return .cpuTime
    case .signalled(Signal.fileSize): return .outputTooLarge
    case .signalled(Signal.kill):
      // Our own kills never get here: the pool knows why it killed.
      return .memory("killed from outside, most likely by the kernel for lack of memory")
    case .signalled(let signal):
      if signal == Signal.trap || signal == Signal.abort, speaksOfMemory(lastWords) {
        return .memory("an allocation failed at the job's memory limit")
      }
      return .crashed(signal: signal)
    case .exited(sealFailed): return .notSealed(lastWords)
    case .exited(let code):
      if lastWords.contains("File too large") { return .outputTooLarge }
      if speaksOfMemory(lastWords) {
        return .memory("an allocation failed at the job's memory limit")
      }
      return .exited(code)
    }
  }

  private static func speaksOfMemory(_ text: String) -> Bool {
    let words = text.lowercased()
    return ["bad_alloc", "failed to allocate", "out of memory", "cannot allocate memory"].contains {
      words.contains($0)
    }
  }
}

extension ExitCause {
  /// Whether another attempt may end otherwise: a crash can be chance, a limit cannot.
  var isWorthAnotherAttempt: Bool {
    switch self {
    case .crashed, .exited, .policyViolation: true
    case .memory, .outputTooLarge, .cpuTime, .notSealed: false
    }
  }

  func failure(stage: RenderStage, attempts: Int) -> RenderFailure {
    let tried = attempts > 1 ? " (\(attempts) attempts)" : ""
    switch self {
    case .crashed(let signal):
      return RenderFailure(
        code: .crashed, stage: stage,
        detail: "the job's process crashed with \(SignalName.of(signal))\(tried)")
    case .exited(let code):
      return RenderFailure(
        code: .crashed, stage: stage,
        detail: "the job's process ended without an answer, status \(code)\(tried)")
    case .policyViolation:
      return RenderFailure(
        code: .policyViolation, stage: stage,
        detail: "the job's process made a system call that its sandbox forbids\(tried)")
    case .memory(let detail):
      return RenderFailure(code: .memory, stage: stage, detail: detail)
    case .outputTooLarge:
      return RenderFailure(
        code: .outputTooLarge, stage: stage,
        detail: "an output grew beyond the largest size allowed (--max-output-bytes)")
    case .cpuTime:
      return RenderFailure(
        code: .crashed, stage: stage, detail: "the job's process used up its CPU time")
    case .notSealed(let words):
      return RenderFailure(code: .internal, stage: stage, detail: "not sealed: \(words)")
    }
  }
}

/// The names of the signals that end processes.
package enum SignalName {
  package static func of(_ signal: Int32) -> String {
    let names: [Int32: String] = [
      1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
      8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
      24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}
