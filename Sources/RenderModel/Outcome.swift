/// The one final state of a job.
package struct Outcome: Hashable, Sendable {
  package var state: OutcomeState
  /// Says more than the state where it has more to say: a failure's or a kept photo's code.
  package var code: String?
  package var stage: RenderStage?
  /// One sentence for a person.
  package var detail: String?

  package init(
    _ state: OutcomeState, code: String? = nil, stage: RenderStage? = nil, detail: String? = nil
  ) {
    self.state = state
    self.code = code
    self.stage = stage
    self.detail = detail
  }

  package static func failed(_ failure: RenderFailure) -> Outcome {
    Outcome(.failed, code: failure.code.rawValue, stage: failure.stage, detail: failure.detail)
  }

  package static func kept(_ code: KeptCode, detail: String) -> Outcome {
    Outcome(.kept, code: code.rawValue, detail: detail)
  }
}

package enum OutcomeState: String, Hashable, Sendable, CaseIterable {
  /// All renditions published.
  case rendered
  /// Published in tolerant mode from damaged input, the damage named.
  case degraded
  /// Already up to date; nothing was done.
  case fresh
  /// An adjustment that no renderer can handle: last render and original left as they are.
  case kept
  /// Not matching the selection or activation rule.
  case skipped
  case failed
  /// Killed at its deadline.
  case timedOut
  /// Set aside because this content failed as often as allowed.
  case quarantined
  /// Stopped before it was done; back in the queue.
  case cancelled
}

package enum KeptCode: String, Hashable, Sendable, CaseIterable {
  case unknownFormat, unknownVersion, belowExact, recordMissing
  /// Only metadata were to be refreshed, and that is not enough.
  case pixelsOutdated
}

package enum FailureCode: String, Hashable, Sendable, CaseIterable {
  case unreadable, unsupportedType, truncated, limitExceeded, invalidAdjustment, invalidJob
  case crashed, policyViolation, memory, outputTooLarge, outputConflict, nameTooLong
  case inputChanged, ioStalled, diskFull, outputUnwritable, `internal`
}

/// The exit statuses of every command: one table for program, help, docs and tests.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  case internalError = 1
  case someFailed = 3
  case usage = 64
  case manifestInvalid = 65
  case storeUnreachable = 69
  case outputUnwritable = 73
  case interrupted = 75
  case sandboxUnavailable = 77
  case configuration = 78

  package var meaning: String {
    switch self {
    case .success: "all well"
    case .internalError: "a fault of Minilab's own"
    case .someFailed: "finished, and some jobs did not render"
    case .usage: "the command line is wrong"
    case .manifestInvalid: "the manifest is invalid; nothing was started"
    case .storeUnreachable: "the store cannot be reached"
    case .outputUnwritable: "the output cannot be written"
    case .interrupted: "interrupted; run again to continue"
    case .sandboxUnavailable: "the sandbox is demanded but not available"
    case .configuration: "the configuration is wrong, or another run holds the state folder"
    }
  }
}
