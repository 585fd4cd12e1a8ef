import Glibc
import RenderModel
package import SystemSupport
package import WorkerProtocol

/// A job with what only the shell may touch: its open files.
package struct PoolRequest: Sendable {
  package var job: PoolJob
  /// The original, or a sealed private copy of it; nil for a probe.
  package var original: OwnedDescriptor?
  /// One for each of the plan's resources, in order: open for reading, its position the job's own.
  package var resources: [OwnedDescriptor]

  package init(job: PoolJob, original: OwnedDescriptor?, resources: [OwnedDescriptor] = []) {
    self.job = job
    self.original = original
    self.resources = resources
  }
}

/// A finished job and its outputs, as the process left them: not sealed, not looked at.
package struct PoolFinished: Sendable {
  package var token: UInt64
  package var outcome: PoolOutcome
  /// One for each rendition; empty unless rendered.
  package var outputs: [OwnedDescriptor]

  package init(token: UInt64, outcome: PoolOutcome, outputs: [OwnedDescriptor]) {
    self.token = token
    self.outcome = outcome
    self.outputs = outputs
  }
}

/// How a pool's life ended.
package enum PoolEnd: Equatable, Sendable {
  case completed
  /// Stopped by a signal before everything was done.
  case stopped
  case sandboxRefused(SandboxRefusal)
  case workerFailed(String)
}

/// Runs jobs in processes of their own: performs what `PoolStateMachine` decides.
///
/// One thread calls `run`; it must be the program's first thread, since the zygote dies with the
/// thread that started it. `submit`, `published`, `close` and `stop` may be called from any thread.
package final class WorkerPool {
  enum Token {
    static let zygote: UInt64 = 0
    static let wake: UInt64 = 1
    static let timer: UInt64 = 2
    static let signals: UInt64 = 3
    /// Job tokens are doubled: even for the socket, odd for the pidfd.
    static let firstJob: UInt64 = 8
  }

  /// What the shell holds for a job that is in the state machine.
  struct Shelf {
    var request: PoolRequest
    var socket: OwnedDescriptor?
    var standardError: OwnedDescriptor?
    var process: OwnedDescriptor?
    var outputs: [OwnedDescriptor] = []
  }

  let settings: WorkerSettings
  let inbox: PoolInbox
  let poller: Poller
  let timer: BootTimer
  let signals: SignalDescriptor?
  let finished: (PoolFinished) -> Void

  var machine: PoolStateMachine
  var shelves: [UInt64: Shelf] = [:]
  var zygote: ZygoteConnection?
  var description: WorkerDescription?
  var end: PoolEnd?
  var stopCount = 0

  /// `finished` is called on the thread of `run` and must not block.
  package init(
    configuration: PoolConfiguration, settings: WorkerSettings, inbox: PoolInbox,
    signals: SignalDescriptor?, finished: @escaping (PoolFinished) -> Void
  ) throws(SystemError) {
    machine = PoolStateMachine(configuration: configuration)
    self.settings = settings
    self.inbox = inbox
    self.signals = signals
    self.finished = finished
    poller = try Poller()
    timer = try BootTimer()
    try poller.add(inbox.wake.descriptor.rawValue, events: .readable, token: Token.wake)
    try poller.add(timer.descriptor.rawValue, events: .readable, token: Token.timer)
    if let signals {
      try poller.add(signals.descriptor.rawValue, events: .readable, token: Token.signals)
    }
  }

  /// Works until the inbox is closed and everything is finished, or the pool cannot go on.
  package func run() throws(SystemError) -> PoolEnd {
    defer { endZygote() }
    while true {
      try takeFromInbox()
      if let end { return end }
      if machine.isEmpty, inbox.isDone || machine.isDraining {
        return machine.isDraining ? .stopped : .completed
      }
      try timer.arm(atNanoseconds: machine.nextTimer)
      for event in try poller.wait(timeoutMilliseconds: nil) { try handle(event.token) }
    }
  }

  /// What the worker said of itself; nil before the first process was wanted.
  package var workerDescription: WorkerDescription? { description }

  private func takeFromInbox() throws(SystemError) {
    inbox.wake.drain()
    for token in inbox.takePublished() {
      try perform(machine.published(token, now: BootClock.now()))
    }
    if let stop = inbox.takeStop() { try perform(stopActions(stop)) }
    while machine.demand > 0 || machine.isDraining, let request = inbox.takeRequest() {
      shelves[request.job.token] = Shelf(request: request)
      if let measure = settings.diskAvailable {
        try perform(machine.diskMeasured(available: measure(), now: BootClock.now()))
      }
      try perform(machine.jobSubmitted(request.job, now: BootClock.now()))
    }
  }

  private func handle(_ token: UInt64) throws(SystemError) {
    switch token {
    case Token.zygote: try readZygote()
    case Token.wake: break
    case Token.timer:
      timer.drain()
      try perform(machine.timerFired(now: BootClock.now()))
    case Token.signals:
      while try signals?.read() != nil {
        stopCount += 1
        settings.stopSignalled?()
        try perform(stopActions(stopCount > 1 ? .now : .drain))
      }
    default: try readJob((token - Token.firstJob) / 2)
    }
  }

  private func stopActions(_ stop: PoolInbox.Stop) -> [PoolStateMachine.Action] {
    inbox.refuseMore()
    let now = BootClock.now()
    return switch stop {
    case .drain: machine.stopRequested(drainDeadline: now + settings.drainNanoseconds, now: now)
    case .now: machine.stopDemanded(now: now)
    }
  }

  func perform(_ actions: [PoolStateMachine.Action]) throws(SystemError) {
    for action in actions {
      switch action {
      case .startZygote: try startZygote()
      case .killZygote: zygote?.kill()
      case .spawn(let token): try spawn(token)
      case .go(let token, let addressSpace): try go(token, addressSpace)
      case .verify(let token, let result): try verify(token, result)
      case .kill(let token): kill(token)
      case .finish(let token, let outcome): finish(token, outcome)
      case .giveUp(let reason): end = .workerFailed(reason)
      }
    }
  }

  private func finish(_ token: UInt64, _ outcome: PoolOutcome) {
    guard let shelf = shelves.removeValue(forKey: token) else { return }
    forgetProcess(token, shelf)
    var outputs: [OwnedDescriptor] = []
    if case .rendered = outcome.verdict { outputs = shelf.outputs }
    finished(PoolFinished(token: token, outcome: outcome, outputs: outputs))
  }
}
