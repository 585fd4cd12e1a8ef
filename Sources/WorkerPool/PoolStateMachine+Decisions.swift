import RenderModel

extension PoolStateMachine {
  /// Starts what can be started: the zygote, processes for the next jobs, rendering for the ready.
  mutating func advance(now: UInt64) -> [Action] {
    guard !draining else { return [] }
    if zygote == .absent {
      guard !waiting.isEmpty else { return [] }
      zygote = .starting
      return [.startZygote]
    }
    guard zygote == .ready else { return [] }
    return spawnAhead(now: now) + startReady(now: now)
  }

  private mutating func spawnAhead(now: UInt64) -> [Action] {
    var actions: [Action] = []
    var early = jobs.values.count { state in
      switch state.phase {
      case .spawning, .reading, .ready: !state.isVerifying
      case .waiting, .rendering, .ending: false
      }
    }
    while !waiting.isEmpty, hasRoomToPublish, early < configuration.lookAhead + idleSlots {
      let token = waiting.removeFirst()
      jobs[token]?.phase = .spawning(deadline: now + configuration.spawnDeadline)
      actions.append(.spawn(token))
      early += 1
    }
    return actions
  }

  /// In order of arrival, without overtaking: a large job must not wait for ever behind small ones.
  private mutating func startReady(now: UInt64) -> [Action] {
    var actions: [Action] = []
    while let token = readyQueue.first, idleSlots > 0, hasRoomToPublish, let state = jobs[token] {
      guard fitsMemory(state) else { break }
      guard fitsDisk(state) else {
        if reservedDisk > 0 { break }
        readyQueue.removeFirst()
        let failure = RenderFailure(
          code: .diskFull, stage: .publish,
          detail: "about \(state.disk) bytes are needed and \(diskAvailable ?? 0) are free")
        actions += kill(token, verdict: .failed(failure), stage: .publish, now: now)
        continue
      }
      readyQueue.removeFirst()
      actions.append(start(token, state, now: now))
    }
    return actions
  }

  private mutating func start(_ token: UInt64, _ state: JobState, now: UInt64) -> Action {
    let pixels = state.header.map { $0.width * $0.height } ?? 0
    let limit = UInt64(max(1, state.job.deadline.milliseconds(pixels: pixels)))
    jobs[token]?.began = now
    jobs[token]?.deadlineLimit = Double(limit)
    jobs[token]?.phase = .rendering(deadline: now + limit * 1_000_000)
    return .go(token, addressSpace: addressSpace(for: state.memory))
  }

  /// Twice the estimate, as address space is taken in larger pieces than memory is used.
  private func addressSpace(for memory: Int) -> UInt64 {
    UInt64(max(2 * memory, 1 << 30))
  }

  private var hasRoomToPublish: Bool {
    unpublished.count < configuration.maximumUnpublished
  }

  private func fitsMemory(_ state: JobState) -> Bool {
    let used = usedMemory
    return used == 0 || used + state.memory <= configuration.memoryBudget
  }

  private var usedMemory: Int {
    var sum = unpublished.values.reduce(0) { $0 + $1.memory }
    for state in jobs.values where state.holdsOutputs { sum += state.memory }
    return sum
  }

  private func fitsDisk(_ state: JobState) -> Bool {
    guard let diskAvailable else { return true }
    return reservedDisk + state.disk <= diskAvailable
  }

  private var reservedDisk: Int {
    var sum = unpublished.values.reduce(0) { $0 + $1.disk }
    for state in jobs.values where state.holdsOutputs { sum += state.disk }
    return sum
  }

  /// The answer is there; the end of the process is awaited before it counts.
  mutating func awaitEnd(
    _ token: UInt64, _ verdict: PoolOutcome.Verdict, stage: RenderStage, now: UInt64
  ) {
    jobs[token]?.phase = .ending(
      Ending(
        verdict: verdict, stage: stage, missedDeadline: nil, killed: false,
        limit: now + configuration.exitGrace))
  }

  /// The process that rendered is gone: its outputs can be sealed and looked at by another.
  mutating func verify(_ token: UInt64, _ result: RenderResult, now: UInt64) -> [Action] {
    // Once the time for draining is over nothing more is started.
    if draining, drainDeadline == nil { return finish(token, .cancelled, now: now) }
    jobs[token]?.rendered = result
    jobs[token]?.phase = .spawning(deadline: now + configuration.spawnDeadline)
    return [.verify(token, result)] + advance(now: now)
  }

  mutating func kill(
    _ token: UInt64, verdict: PoolOutcome.Verdict?, stage: RenderStage, missed: UInt64? = nil,
    now: UInt64
  ) -> [Action] {
    readyQueue.removeAll { $0 == token }
    jobs[token]?.phase = .ending(
      Ending(
        verdict: verdict ?? .failed(Self.silent(stage)), stage: stage, missedDeadline: missed,
        killed: true, limit: now + configuration.stallLimit))
    return [.kill(token)]
  }

  private static func silent(_ stage: RenderStage) -> RenderFailure {
    RenderFailure(
      code: .crashed, stage: stage, detail: "the job's process closed its socket and did not end")
  }

  mutating func finish(
    _ token: UInt64, _ verdict: PoolOutcome.Verdict, missed: UInt64? = nil, now: UInt64
  ) -> [Action] {
    guard let state = jobs.removeValue(forKey: token) else { return [] }
    waiting.removeAll { $0 == token }
    let held = if case .rendered = verdict { state.disk } else { 0 }
    unpublished[token] = (held, held)
    let outcome = PoolOutcome(
      verdict: verdict, attempt: state.attempt, header: state.header, usage: state.usage,
      queueTime: Self.milliseconds(from: state.submitted, to: state.began ?? now),
      headerTime: state.headerTime, totalTime: Self.milliseconds(from: state.submitted, to: now),
      deadlineLimit: state.deadlineLimit,
      overshoot: missed.map { Self.milliseconds(from: $0, to: now) },
      isStrike: state.isStrike(verdict))
    return [.finish(token, outcome)]
  }

  mutating func cancelWaiting(now: UInt64) -> [Action] {
    let tokens = waiting
    waiting = []
    return tokens.flatMap { finish($0, .cancelled, now: now) }
  }

  mutating func cancelRunning(now: UInt64) -> [Action] {
    var actions: [Action] = []
    for (token, state) in jobs.sorted(by: { $0.key < $1.key }) {
      let isRendering = if case .rendering = state.phase { true } else { false }
      if isRendering || state.isVerifying {
        actions += kill(token, verdict: .cancelled, stage: state.stage, now: now)
      }
    }
    return actions
  }

  private static func milliseconds(from start: UInt64, to end: UInt64) -> Double {
    end > start ? Double(end - start) / 1_000_000 : 0
  }
}

extension PoolStateMachine.JobState {
  /// Whether the content crashed, hung or ran out of memory.
  fileprivate func isStrike(_ verdict: PoolOutcome.Verdict) -> Bool {
    switch verdict {
    case .rendered, .header, .probed, .cancelled: return false
    case .timedOut: return true
    case .failed(let failure):
      switch failure.code {
      case .crashed, .policyViolation: return true
      case .memory:
        // What was killed for its estimate never ran out of anything.
        if case .ending(let ending) = phase { return !ending.killed }
        return true
      default: return false
      }
    }
  }

  /// Whether its memory and its room on the disk are taken.
  fileprivate var holdsOutputs: Bool {
    switch phase {
    case .rendering, .ending: true
    case .waiting, .spawning, .reading, .ready: isVerifying
    }
  }
}

extension PoolStateMachine.Phase {
  /// The stage to name when a process ends in this phase without an answer.
  var stage: RenderStage {
    switch self {
    case .waiting, .spawning: .intake
    case .reading, .ready: .header
    case .rendering: .encode
    case .ending(let ending): ending.stage
    }
  }
}
