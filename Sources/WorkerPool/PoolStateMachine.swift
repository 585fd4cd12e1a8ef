package import RenderModel
import WorkerProtocol

/// Decides which job runs when and whom to kill: events in, actions out, nothing done.
///
/// All times are nanoseconds of one boot-time clock, given by the caller. After every event the
/// caller arms its timer for `nextTimer`.
package struct PoolStateMachine: Sendable {
  /// What the shell has to do next, in order.
  package enum Action: Hashable, Sendable {
    case startZygote
    /// The zygote does not answer; its end will be reported as lost.
    case killZygote
    /// Ask the zygote for a process and send it the first request.
    case spawn(UInt64)
    case go(UInt64, addressSpace: UInt64)
    /// Seal the outputs and ask the zygote for another process, which looks at them.
    case verify(UInt64, RenderResult)
    case kill(UInt64)
    case finish(UInt64, PoolOutcome)
    /// The pool cannot go on; every job was finished as cancelled.
    case giveUp(String)
  }

  enum Phase: Hashable, Sendable {
    /// Nothing runs. Goes to `spawning`, or is finished by a stop.
    case waiting
    /// The zygote was asked. Goes to `reading` when the process is there, or back to `waiting`.
    case spawning(deadline: UInt64)
    /// A process reads the header, or the outputs of an earlier one. Goes to `ready`, or to `ending`.
    case reading(deadline: UInt64)
    /// The header is known, memory and a slot are awaited. Goes to `rendering`, or to `ending`.
    case ready
    /// Renders until its deadline. Goes to `ending`.
    case rendering(deadline: UInt64)
    /// Answered, silent or killed: only its end is awaited, and then it is finished or tried again.
    case ending(Ending)
  }

  struct Ending: Hashable, Sendable {
    /// nil: the process fell silent, so how it ends tells why.
    var verdict: PoolOutcome.Verdict?
    var stage: RenderStage
    /// The deadline that it was killed at; nil when it was not killed for that.
    var missedDeadline: UInt64?
    var killed: Bool
    /// When patience ends: with a kill, or after a kill with giving up.
    var limit: UInt64
  }

  struct JobState: Hashable, Sendable {
    var job: PoolJob
    var phase = Phase.waiting
    var attempt = 1
    var submitted: UInt64
    var began: UInt64?
    var header: AssetHeader?
    var headerTime = 0.0
    var memory = 0
    var disk = 0
    var deadlineLimit: Double?
    var usage = ProcessUsage()
    /// What the process that rendered has claimed; from then on another process looks at it.
    var rendered: RenderResult?

    /// Whether a second process looks, or is about to look, at what the first has made.
    var isVerifying: Bool {
      guard rendered != nil else { return false }
      switch phase {
      case .spawning, .reading: return true
      case .waiting, .ready, .rendering, .ending: return false
      }
    }

    /// Whether nothing more is to be done: renders count only once another process has seen them.
    func isSettled(by verdict: PoolOutcome.Verdict) -> Bool {
      if case .rendered = verdict { return rendered != nil || job.renditionCount == 0 }
      return true
    }

    /// The stage to name when a process ends now without an answer.
    var stage: RenderStage { isVerifying ? .verify : phase.stage }
  }

  enum ZygoteState: Hashable, Sendable { case absent, starting, ready }

  package let configuration: PoolConfiguration
  var jobs: [UInt64: JobState] = [:]
  /// Tokens in the order in which they are to be spawned, and to be started.
  var waiting: [UInt64] = []
  var readyQueue: [UInt64] = []
  var zygote = ZygoteState.absent
  var zygoteLosses = 0
  var draining = false
  var drainDeadline: UInt64?
  /// Jobs that are finished and not yet published, and what their outputs hold.
  var unpublished: [UInt64: (memory: Int, disk: Int)] = [:]
  /// Bytes that the outputs' file system has left; nil when nobody asked.
  var diskAvailable: Int?

  package init(configuration: PoolConfiguration) {
    self.configuration = configuration
  }

  /// Jobs that the pool would take now without letting them wait.
  package var demand: Int {
    if draining { return 0 }
    let early = jobs.values.count { state in
      switch state.phase {
      case .waiting, .spawning, .reading, .ready: !state.isVerifying
      case .rendering, .ending: false
      }
    }
    return max(0, configuration.lookAhead + idleSlots - early)
  }

  package var isEmpty: Bool { jobs.isEmpty }

  /// Whether no more jobs are started because of a stop.
  package var isDraining: Bool { draining }

  var idleSlots: Int { max(0, configuration.slots - renderingCount) }

  /// A look at headers is over so soon that it takes no slot; decoding everything does.
  var renderingCount: Int {
    jobs.values.count { state in
      if case .rendering = state.phase { return true }
      return configuration.verification == .full && state.isVerifying
    }
  }

  /// The next moment at which `timerFired` has something to do; nil when never.
  package var nextTimer: UInt64? {
    var earliest = draining ? drainDeadline : nil
    for state in jobs.values {
      guard let deadline = state.phase.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }
}

extension PoolStateMachine.Phase {
  var deadline: UInt64? {
    switch self {
    case .waiting, .ready: nil
    case .spawning(let deadline), .reading(let deadline), .rendering(let deadline): deadline
    case .ending(let ending): ending.limit
    }
  }

  /// Whether a process exists or may exist.
  var hasProcess: Bool {
    if case .waiting = self { false } else { true }
  }
}
