import RenderModel
import Testing
import WorkerPool
import WorkerProtocol

@Suite("Pool decisions")
struct PoolStateMachineTests {
  typealias Scenario = PoolScenario

  @Test("the first job starts the zygote, and only once")
  func firstJob() {
    var scenario = Scenario()
    #expect(scenario.machine.jobSubmitted(Scenario.job(1), now: 0) == [.startZygote])
    #expect(scenario.machine.jobSubmitted(Scenario.job(2), now: 0) == [])
    #expect(scenario.machine.zygoteStarted(now: 0).spawned == [1, 2])
  }

  @Test("a job is read, started, answered, looked at by a second process, and then finished")
  func wholeLife() {
    var scenario = Scenario()
    #expect(scenario.render(1).started == [1])
    #expect(scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 5) == [])
    let first = scenario.machine.processReaped(1, Scenario.exit(), lastWords: "", now: 1_000_000)
    #expect(first == [.verify(1, Scenario.result)])
    let actions = scenario.verify(1, at: 2_000_000)
    #expect(actions.verdicts == [.rendered(Scenario.result)])
    #expect(actions.outcomes.first?.usage.cpuMicroseconds == 20)
    #expect(actions.outcomes.first?.header == Scenario.header)
    #expect(actions.outcomes.first?.totalTime == 2)
    #expect(scenario.machine.isEmpty)
  }

  @Test("no more jobs render than there are slots, and the next starts when one has answered")
  func slots() {
    var scenario = Scenario(slots: 1)
    _ = scenario.render(1)
    #expect(scenario.render(2).started == [])
    #expect(scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 0).started == [2])
  }

  @Test("demand counts the look-ahead and falls as jobs wait")
  func demand() {
    var scenario = Scenario(slots: 2)
    #expect(scenario.machine.demand == 4)
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    #expect(scenario.machine.demand == 3)
  }

  @Test("a job that does not end by its deadline is killed and reported with the overshoot")
  func deadline() {
    var scenario = Scenario()
    _ = scenario.render(1)
    let limit = 30 * Scenario.second
    #expect(scenario.machine.nextTimer == limit)
    #expect(scenario.machine.timerFired(now: limit - 1) == [])
    #expect(scenario.machine.timerFired(now: limit).killed == [1])
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: limit + 7_000_000)
    #expect(actions.verdicts == [.timedOut(.encode)])
    #expect(actions.outcomes.first?.overshoot == 7)
    #expect(actions.outcomes.first?.deadlineLimit == 30_000)
  }

  @Test("the header step has a deadline of its own")
  func headerDeadline() {
    var scenario = Scenario()
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    _ = scenario.machine.zygoteStarted(now: 0)
    _ = scenario.machine.processSpawned(1, now: 0)
    #expect(scenario.machine.timerFired(now: 10 * Scenario.second).killed == [1])
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 10 * Scenario.second)
    #expect(actions.verdicts == [.timedOut(.header)])
  }

  @Test("a process that is killed and does not end is given up as stalled, and the run goes on")
  func stalled() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.render(2)
    _ = scenario.machine.timerFired(now: 30 * Scenario.second)
    let actions = scenario.machine.timerFired(now: 35 * Scenario.second)
    guard case .failed(let failure) = actions.verdicts.first else {
      Issue.record("nothing was given up")
      return
    }
    #expect(failure.code == .ioStalled)
    #expect(scenario.machine.processReaped(1, Scenario.exit(), lastWords: "", now: 0) == [])
  }

  @Test("a process that answered and does not end is killed after its grace, its answer kept")
  func lingering() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 0)
    #expect(scenario.machine.timerFired(now: 250_000_000).killed == [1])
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 250_000_000)
    #expect(actions.verified == [1])
    #expect(scenario.verify(1).verdicts == [.rendered(Scenario.result)])
  }

  @Test("a job that kills its process twice is not tried a third time")
  func crashes() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.socketClosed(1, now: 0)
    let again = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(11)), lastWords: "", now: 0)
    #expect(again.spawned == [1])
    _ = scenario.machine.processSpawned(1, now: 0)
    _ = scenario.machine.replyReceived(1, .header(Scenario.header, milliseconds: 1), now: 0)
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(11)), lastWords: "", now: 0)
    guard case .failed(let failure) = actions.verdicts.first else {
      Issue.record("not finished")
      return
    }
    #expect(failure.code == .crashed)
    #expect(failure.detail.contains("SIGSEGV"))
    #expect(actions.outcomes.first?.attempt == 2)
    #expect(actions.outcomes.first?.usage.cpuMicroseconds == 20)
  }

  @Test("a crash after the answer is not a success")
  func crashAfterAnswer() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 0)
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(11)), lastWords: "", now: 0)
    #expect(actions.verdicts == [])
    #expect(actions.spawned == [1])
  }

  @Test("a lost zygote sends its jobs back without counting an attempt")
  func lostZygote() {
    var scenario = Scenario()
    _ = scenario.render(1)
    #expect(scenario.machine.zygoteLost(now: 0) == [.startZygote])
    #expect(scenario.machine.zygoteStarted(now: 0).spawned == [1])
    _ = scenario.machine.processSpawned(1, now: 0)
    _ = scenario.machine.replyReceived(1, .header(Scenario.header, milliseconds: 1), now: 0)
    _ = scenario.answer(1)
    #expect(scenario.verify(1).outcomes.first?.attempt == 1)
  }

  @Test("zygotes that die again and again end the run and leave no job without an outcome")
  func zygotesThatDie() {
    var scenario = Scenario()
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    var actions: [PoolStateMachine.Action] = []
    for _ in 0..<6 {
      _ = scenario.machine.zygoteStarted(now: 0)
      actions = scenario.machine.zygoteLost(now: 0)
    }
    #expect(actions.verdicts == [.cancelled])
    #expect(actions.contains { if case .giveUp = $0 { true } else { false } })
    #expect(scenario.machine.isEmpty)
  }

  @Test("a zygote that does not answer a fork request is killed")
  func deafZygote() {
    var scenario = Scenario()
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    _ = scenario.machine.zygoteStarted(now: 0)
    #expect(scenario.machine.timerFired(now: 10 * Scenario.second) == [.killZygote])
  }

  @Test("a header beyond the limits ends the job even when the worker let it pass")
  func lyingWorker() {
    var scenario = Scenario()
    let huge = AssetHeader(type: .jpeg, width: 65_500, height: 65_500)
    #expect(scenario.render(1, header: huge).killed == [1])
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 0)
    guard case .failed(let failure) = actions.verdicts.first else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .limitExceeded)
  }

  @Test("an answer that was not asked for ends the process")
  func unaskedAnswer() {
    var scenario = Scenario()
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    _ = scenario.machine.zygoteStarted(now: 0)
    _ = scenario.machine.processSpawned(1, now: 0)
    #expect(scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 0).killed == [1])
  }
}

@Suite("Words that arrive in another order")
struct PoolOrderingTests {
  typealias Scenario = PoolScenario

  @Test("a header that overtakes the zygote's word of the process is taken")
  func earlyHeader() {
    var scenario = Scenario()
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    _ = scenario.machine.zygoteStarted(now: 0)
    let actions = scenario.machine.replyReceived(
      1, .header(Scenario.header, milliseconds: 1), now: 0)
    #expect(actions.started == [1])
    #expect(scenario.machine.processSpawned(1, now: 0) == [])
  }
}
