import RenderModel
import Testing
import WorkerPool
import WorkerProtocol

/// What the first process claims counts once a second one has seen it.
@Suite("Verification in the pool")
struct PoolVerificationTests {
  typealias Scenario = PoolScenario

  private func failure(_ actions: [PoolStateMachine.Action]) -> RenderFailure? {
    guard case .failed(let failure) = actions.verdicts.first else { return nil }
    return failure
  }

  @Test("what the second process finds wrong is the job's failure")
  func refused() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.answer(1)
    _ = scenario.machine.processSpawned(1, now: 0)
    let found = RenderFailure(code: .internal, stage: .verify, detail: "is a stone")
    _ = scenario.machine.replyReceived(1, .failed(found), now: 0)
    let actions = scenario.machine.processReaped(1, Scenario.exit(), lastWords: "", now: 0)
    #expect(actions.verdicts == [.failed(found)])
    #expect(scenario.machine.isEmpty)
  }

  @Test("outputs that cannot be sealed fail their job, and no process looks at them")
  func unsealed() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.answer(1)
    let actions = scenario.machine.sealFailed(1, detail: "it is still mapped for writing", now: 0)
    #expect(failure(actions)?.code == .internal)
    #expect(failure(actions)?.stage == .verify)
    #expect(failure(actions)?.detail.contains("mapped for writing") == true)
  }

  @Test("a second process that crashes has the job rendered again, once")
  func crashes() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.answer(1)
    _ = scenario.machine.processSpawned(1, now: 0)
    let again = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(11)), lastWords: "", now: 0)
    #expect(again.spawned == [1])
    _ = scenario.machine.processSpawned(1, now: 0)
    _ = scenario.machine.replyReceived(1, .header(Scenario.header, milliseconds: 1), now: 0)
    #expect(scenario.answer(1).verified == [1])
    _ = scenario.machine.processSpawned(1, now: 0)
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(11)), lastWords: "", now: 0)
    #expect(failure(actions)?.code == .crashed)
    #expect(failure(actions)?.stage == .verify)
  }

  @Test("a second process that hangs is killed at the deadline of headers")
  func hangs() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.answer(1)
    _ = scenario.machine.processSpawned(1, now: 0)
    #expect(scenario.machine.timerFired(now: 10 * Scenario.second).killed == [1])
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 10 * Scenario.second)
    #expect(actions.verdicts == [.timedOut(.verify)])
  }

  @Test("decoding everything has as long as rendering had")
  func fullDeadline() {
    var scenario = Scenario(verification: .full)
    _ = scenario.render(1)
    _ = scenario.answer(1)
    _ = scenario.machine.processSpawned(1, now: 0)
    #expect(scenario.machine.timerFired(now: 29 * Scenario.second).killed == [])
    #expect(scenario.machine.timerFired(now: 30 * Scenario.second).killed == [1])
  }

  @Test(
    "a look at headers leaves its slot to the next job, decoding everything does not",
    arguments: [VerificationDepth.header, .full])
  func slots(depth: VerificationDepth) {
    var scenario = Scenario(slots: 1, verification: depth)
    _ = scenario.render(1)
    _ = scenario.answer(1)
    #expect(scenario.render(2).started == (depth == .header ? [2] : []))
    #expect(scenario.verify(1).started == (depth == .header ? [] : [2]))
  }

  @Test("a zygote lost during the look has the job rendered again")
  func lostZygote() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.answer(1)
    #expect(scenario.machine.zygoteLost(now: 0) == [.startZygote])
    #expect(scenario.machine.zygoteStarted(now: 0).spawned == [1])
    _ = scenario.machine.processSpawned(1, now: 0)
    let header = JobReply.header(Scenario.header, milliseconds: 1)
    #expect(scenario.machine.replyReceived(1, header, now: 0).started == [1])
  }

  @Test("a zygote lost while an answered process lingers publishes nothing unseen")
  func lostWithAnswer() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 0)
    _ = scenario.machine.timerFired(now: 250_000_000)
    #expect(scenario.machine.zygoteLost(now: 0).verdicts == [])
  }

  @Test("an answer of the other kind ends either process")
  func otherAnswers() {
    for reply in [JobReply.rendered(Scenario.result), .header(Scenario.header, milliseconds: 1)] {
      var scenario = Scenario()
      _ = scenario.render(1)
      _ = scenario.answer(1)
      _ = scenario.machine.processSpawned(1, now: 0)
      #expect(scenario.machine.replyReceived(1, reply, now: 0).killed == [1])
    }
    var scenario = Scenario()
    _ = scenario.render(1)
    #expect(scenario.machine.replyReceived(1, .verified, now: 0).killed == [1])
  }

  @Test("a stop lets the look end, and the end of its time cancels it")
  func stops() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.answer(1)
    let stop = scenario.machine.stopRequested(drainDeadline: Scenario.second, now: 0)
    #expect(stop.killed == [])
    #expect(scenario.verify(1).verdicts == [.rendered(Scenario.result)])

    var late = Scenario()
    _ = late.render(1)
    _ = late.answer(1)
    _ = late.machine.processSpawned(1, now: 0)
    _ = late.machine.stopRequested(drainDeadline: Scenario.second, now: 0)
    #expect(late.machine.timerFired(now: Scenario.second).killed == [1])
    let end = late.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: Scenario.second)
    #expect(end.verdicts == [.cancelled])
  }

  @Test("nothing more is started when an answer comes after the time for stopping")
  func lateAnswer() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.replyReceived(1, .rendered(Scenario.result), now: 0)
    _ = scenario.machine.stopRequested(drainDeadline: Scenario.second, now: 0)
    _ = scenario.machine.timerFired(now: Scenario.second)
    let end = scenario.machine.processReaped(
      1, Scenario.exit(), lastWords: "", now: Scenario.second)
    #expect(end.verdicts == [.cancelled])
    #expect(end.verified == [])
  }
}
