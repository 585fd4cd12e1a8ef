import RenderModel
package import WorkerProtocol

extension PoolStateMachine {
  package mutating func jobSubmitted(_ job: PoolJob, now: UInt64) -> [Action] {
    jobs[job.token] = JobState(job: job, submitted: now)
    if draining { return finish(job.token, .cancelled, now: now) }
    if let refusal = job.refusal {
      return finish(job.token, .failed(refusal), now: now) + advance(now: now)
    }
    waiting.append(job.token)
    return advance(now: now)
  }

  package mutating func zygoteStarted(now: UInt64) -> [Action] {
    zygote = .ready
    return advance(now: now)
  }

  /// The zygote is gone and all its children with it: their jobs go back without an attempt counted.
  package mutating func zygoteLost(now: UInt64) -> [Action] {
    zygote = .absent
    zygoteLosses += 1
    var actions: [Action] = []
    readyQueue = []
    for (token, state) in jobs.sorted(by: { $0.key < $1.key }) where state.phase.hasProcess {
      if case .ending(let ending) = state.phase, ending.killed, let verdict = ending.verdict,
        state.isSettled(by: verdict)
      {
        actions += finish(token, verdict, missed: ending.missedDeadline, now: now)
      } else {
        goBack(token)
      }
    }
    waiting.sort()
    if draining { return actions + cancelWaiting(now: now) }
    if zygoteLosses > configuration.maximumZygoteLosses {
      draining = true
      return actions + cancelWaiting(now: now) + [
        .giveUp("the worker ended \(zygoteLosses) times without finishing a job in between")
      ]
    }
    return actions + advance(now: now)
  }

  /// To the start, with nothing kept of what was done.
  private mutating func goBack(_ token: UInt64) {
    jobs[token]?.phase = .waiting
    jobs[token]?.rendered = nil
    waiting.append(token)
  }

  package mutating func processSpawned(_ token: UInt64, now: UInt64) -> [Action] {
    guard let state = jobs[token] else { return [] }
    switch state.phase {
    case .spawning:
      var patience = configuration.headerDeadline
      if state.isVerifying, configuration.verification == .full, let limit = state.deadlineLimit {
        patience = max(patience, UInt64(limit) * 1_000_000)
      }
      jobs[token]?.phase = .reading(deadline: now + patience)
      return []
    case .ending(let ending) where ending.killed:
      // It was condemned before there was a process to kill.
      return [.kill(token)]
    default: return []
    }
  }

  /// The kernel refused the fork: not the job's fault, but it can't go on for ever.
  package mutating func spawnFailed(_ token: UInt64, detail: String, now: UInt64) -> [Action] {
    guard jobs[token] != nil else { return [] }
    let failure = RenderFailure(
      code: .internal, stage: .intake, detail: "no process could be started: \(detail)")
    return finish(token, .failed(failure), now: now) + advance(now: now)
  }

  package mutating func replyReceived(_ token: UInt64, _ reply: JobReply, now: UInt64) -> [Action] {
    // The zygote's word about the process and the process's own come over different sockets.
    if case .spawning = jobs[token]?.phase { _ = processSpawned(token, now: now) }
    guard let state = jobs[token] else { return [] }
    if let rendered = state.rendered {
      return verificationReceived(token, reply, state.phase, of: rendered, now: now)
    }
    switch (reply, state.phase) {
    case (.header(let header, let milliseconds), .reading):
      return headerReceived(token, header, milliseconds, now: now)
    case (.probed(let refused, let observed), .reading):
      awaitEnd(token, .probed(refused: refused, observed: observed), stage: .header, now: now)
    case (.failed(let failure), .reading), (.failed(let failure), .rendering):
      awaitEnd(token, .failed(failure), stage: failure.stage, now: now)
    case (.rendered(let result), .rendering):
      awaitEnd(token, .rendered(result), stage: .encode, now: now)
    case (_, .ending): break
    default: return killForAnswer(token, now: now)
    }
    return advance(now: now)
  }

  private mutating func verificationReceived(
    _ token: UInt64, _ reply: JobReply, _ phase: Phase, of rendered: RenderResult, now: UInt64
  ) -> [Action] {
    switch (reply, phase) {
    case (.verified, .reading):
      awaitEnd(token, .rendered(rendered), stage: .verify, now: now)
    case (.failed(let failure), .reading):
      awaitEnd(token, .failed(failure), stage: .verify, now: now)
    case (_, .ending): break
    default: return killForAnswer(token, now: now)
    }
    return advance(now: now)
  }

  /// For an answer that was not asked for: the process is not what we started.
  private mutating func killForAnswer(_ token: UInt64, now: UInt64) -> [Action] {
    let failure = RenderFailure(
      code: .policyViolation, stage: .verify,
      detail: "the job's process answered what it was not asked")
    return kill(token, verdict: .failed(failure), stage: .verify, now: now)
  }

  /// The outputs cannot be made unchangeable: whoever can still write to them could change them.
  package mutating func sealFailed(_ token: UInt64, detail: String, now: UInt64) -> [Action] {
    let failure = RenderFailure(
      code: .internal, stage: .verify, detail: "an output cannot be sealed: \(detail)")
    return finish(token, .failed(failure), now: now) + advance(now: now)
  }

  private mutating func headerReceived(
    _ token: UInt64, _ header: AssetHeader, _ milliseconds: Double, now: UInt64
  ) -> [Action] {
    guard let job = jobs[token]?.job else { return [] }
    jobs[token]?.header = header
    jobs[token]?.headerTime = milliseconds
    guard case .render(let plan) = job.purpose else {
      return kill(token, verdict: .header(header), stage: .header, now: now)
    }
    // The worker checked already; it is the one that is not trusted.
    if let refusal = job.limits.refusal(of: header) {
      let failure = RenderFailure(code: .limitExceeded, stage: .header, detail: refusal)
      return kill(token, verdict: .failed(failure), stage: .header, now: now)
    }
    let memory = MemoryEstimate.bytes(
      header: header, plan: plan, resourceBytes: job.resourceBytes)
    if memory > configuration.memoryBudget {
      let failure = RenderFailure(
        code: .memory, stage: .header,
        detail:
          "needs about \(memory >> 20) MiB, more than the pool's \(configuration.memoryBudget >> 20)"
          + " MiB (--memory)")
      return kill(token, verdict: .failed(failure), stage: .header, now: now)
    }
    jobs[token]?.memory = memory
    jobs[token]?.disk = DiskEstimate.bytes(header: header, plan: plan)
    jobs[token]?.phase = .ready
    readyQueue.append(token)
    return advance(now: now)
  }

  /// The process closed its socket without an answer: its wait status will tell why.
  package mutating func socketClosed(_ token: UInt64, now: UInt64) -> [Action] {
    guard let state = jobs[token] else { return [] }
    switch state.phase {
    case .reading, .ready, .rendering:
      readyQueue.removeAll { $0 == token }
      jobs[token]?.phase = .ending(
        Ending(
          verdict: nil, stage: state.stage, missedDeadline: nil, killed: false,
          limit: now + configuration.exitGrace))
      return advance(now: now)
    case .waiting, .spawning, .ending: return []
    }
  }

  /// The process is gone; everything that it sent must have been delivered before.
  package mutating func processReaped(
    _ token: UInt64, _ exit: ProcessExit, lastWords: String, now: UInt64
  ) -> [Action] {
    guard let state = jobs[token], state.phase.hasProcess else { return [] }
    readyQueue.removeAll { $0 == token }
    jobs[token]?.usage.add(exit)
    zygoteLosses = 0
    if case .ending(let ending) = state.phase, let verdict = ending.verdict,
      ending.killed || exit.status == .exited(0)
    {
      if case .rendered(let result) = verdict, !state.isSettled(by: verdict) {
        return verify(token, result, now: now)
      }
      return finish(token, verdict, missed: ending.missedDeadline, now: now) + advance(now: now)
    }
    let stage = state.stage
    let cause = ExitClassification.cause(of: exit, lastWords: lastWords)
    if cause.isWorthAnotherAttempt, state.attempt < configuration.maximumAttempts, !draining {
      jobs[token]?.attempt += 1
      goBack(token)
      return advance(now: now)
    }
    return finish(
      token, .failed(cause.failure(stage: stage, attempts: state.attempt)), now: now)
      + advance(now: now)
  }

  /// The outputs of a finished job are under their names, or given up.
  package mutating func published(_ token: UInt64, now: UInt64) -> [Action] {
    unpublished[token] = nil
    return advance(now: now)
  }

  package mutating func diskMeasured(available: Int, now: UInt64) -> [Action] {
    diskAvailable = available
    return advance(now: now)
  }

  package mutating func timerFired(now: UInt64) -> [Action] {
    var actions: [Action] = []
    if draining, let limit = drainDeadline, limit <= now {
      drainDeadline = nil
      actions += cancelRunning(now: now)
    }
    for (token, state) in jobs.sorted(by: { $0.key < $1.key }) {
      guard let deadline = state.phase.deadline, deadline <= now else { continue }
      switch state.phase {
      case .waiting, .ready: break
      case .spawning:
        jobs[token]?.phase = .spawning(deadline: now + configuration.spawnDeadline)
        actions.append(.killZygote)
      case .reading, .rendering:
        actions += kill(
          token, verdict: .timedOut(state.stage), stage: state.stage, missed: deadline, now: now)
      case .ending(let ending):
        if ending.killed {
          let failure = RenderFailure(
            code: .ioStalled, stage: ending.stage,
            detail: "the job's process was killed and does not end: it waits in the kernel")
          actions += finish(token, .failed(failure), now: now)
        } else {
          actions += kill(
            token, verdict: ending.verdict, stage: ending.stage, missed: ending.missedDeadline,
            now: now)
        }
      }
    }
    return actions + advance(now: now)
  }

  /// No new job from now on; what renders may end until `drainDeadline`.
  package mutating func stopRequested(drainDeadline limit: UInt64, now: UInt64) -> [Action] {
    draining = true
    drainDeadline = limit
    var actions = cancelWaiting(now: now)
    for (token, state) in jobs.sorted(by: { $0.key < $1.key }) {
      switch state.phase {
      case .spawning, .reading, .ready:
        // What is rendered already is as good as done.
        if state.isVerifying { break }
        actions += kill(token, verdict: .cancelled, stage: state.stage, now: now)
      case .waiting, .rendering, .ending: break
      }
    }
    return actions
  }

  /// Everything ends at once.
  package mutating func stopDemanded(now: UInt64) -> [Action] {
    stopRequested(drainDeadline: now, now: now) + timerFired(now: now)
  }
}
