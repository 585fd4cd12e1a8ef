import RenderModel
import WorkerPool
import WorkerProtocol

/// A state machine with the few events that most tests begin with.
struct PoolScenario {
  var machine: PoolStateMachine
  static let second: UInt64 = 1_000_000_000
  static let plan = RenderPlan(renditions: [Rendition(name: "full")])
  static let header = AssetHeader(type: .jpeg, width: 1000, height: 1000)

  init(
    slots: Int = 1, memoryBudget: Int = 8 << 30, verification: VerificationDepth = .header
  ) {
    var configuration = PoolConfiguration(slots: slots, memoryBudget: memoryBudget)
    configuration.verification = verification
    machine = PoolStateMachine(configuration: configuration)
  }

  static func job(
    _ token: UInt64, purpose: PoolJob.Purpose = .render(plan), deadline: Int = 30_000
  ) -> PoolJob {
    PoolJob(
      token: token, purpose: purpose, deadline: DeadlinePolicy(baseMilliseconds: deadline))
  }

  /// Submits, starts the zygote and the process, and answers the header: the job renders.
  mutating func render(_ token: UInt64, header: AssetHeader = Self.header, at now: UInt64 = 0)
    -> [PoolStateMachine.Action]
  {
    _ = machine.jobSubmitted(Self.job(token), now: now)
    _ = machine.zygoteStarted(now: now)
    _ = machine.processSpawned(token, now: now)
    return machine.replyReceived(token, .header(header, milliseconds: 1), now: now)
  }

  /// The process that rendered has answered and ends; a second one is asked to look.
  mutating func answer(_ token: UInt64, at now: UInt64 = 0) -> [PoolStateMachine.Action] {
    _ = machine.replyReceived(token, .rendered(Self.result), now: now)
    return machine.processReaped(token, Self.exit(), lastWords: "", now: now)
  }

  /// The second process starts, finds everything as it was claimed and ends.
  mutating func verify(_ token: UInt64, at now: UInt64 = 0) -> [PoolStateMachine.Action] {
    let spawned = machine.processSpawned(token, now: now)
    let answered = machine.replyReceived(token, .verified, now: now)
    return spawned + answered
      + machine.processReaped(token, Self.exit(), lastWords: "", now: now)
  }

  static func exit(
    _ status: ProcessExit.Status = .exited(0), cpu: Int = 10, peak: Int = 100
  ) -> ProcessExit {
    ProcessExit(
      status: status, userMicroseconds: cpu, systemMicroseconds: 0, peakResidentBytes: peak)
  }

  static let result = RenderResult(outputs: [
    .init(name: "full", type: .jpeg, bytes: 1, width: 1, height: 1, profile: "sRGB", bitDepth: 8)
  ])
}

extension [PoolStateMachine.Action] {
  /// The verdicts that these actions finish jobs with.
  var verdicts: [PoolOutcome.Verdict] {
    compactMap { if case .finish(_, let outcome) = $0 { outcome.verdict } else { nil } }
  }

  var outcomes: [PoolOutcome] {
    compactMap { if case .finish(_, let outcome) = $0 { outcome } else { nil } }
  }

  var started: [UInt64] {
    compactMap { if case .go(let token, _) = $0 { token } else { nil } }
  }

  var killed: [UInt64] {
    compactMap { if case .kill(let token) = $0 { token } else { nil } }
  }

  var verified: [UInt64] {
    compactMap { if case .verify(let token, _) = $0 { token } else { nil } }
  }

  var spawned: [UInt64] {
    compactMap { if case .spawn(let token) = $0 { token } else { nil } }
  }
}
