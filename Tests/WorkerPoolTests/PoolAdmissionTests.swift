import RenderModel
import Testing
import WorkerPool
import WorkerProtocol

@Suite("Admission and stopping")
struct PoolAdmissionTests {
  typealias Scenario = PoolScenario

  @Test("two jobs that together exceed the memory budget run one after the other")
  func memoryBudget() {
    let one = MemoryEstimate.bytes(header: Scenario.header, plan: Scenario.plan)
    var scenario = Scenario(slots: 2, memoryBudget: one + one / 2)
    #expect(scenario.render(1).started == [1])
    #expect(scenario.render(2).started == [])
    #expect(scenario.answer(1).started == [])
    #expect(scenario.verify(1).started == [2])
  }

  @Test("a job that needs more than the whole budget is refused and says so")
  func tooLargeForBudget() {
    var scenario = Scenario(memoryBudget: 1 << 20)
    _ = scenario.render(1)
    let actions = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 0)
    guard case .failed(let failure) = actions.verdicts.first else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .memory)
    #expect(failure.detail.contains("--memory"))
  }

  @Test("a job whose outputs have no room waits for room and fails when none will come")
  func diskSpace() {
    var scenario = Scenario()
    _ = scenario.machine.diskMeasured(available: 10, now: 0)
    let actions = scenario.render(1)
    #expect(actions.started == [])
    #expect(actions.killed == [1])
    let end = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 0)
    guard case .failed(let failure) = end.verdicts.first else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .diskFull)
  }

  @Test("a stop cancels what has not started and lets what renders end")
  func drain() {
    var scenario = Scenario(slots: 1)
    _ = scenario.render(1)
    _ = scenario.render(2)
    _ = scenario.machine.jobSubmitted(Scenario.job(3), now: 0)
    _ = scenario.machine.jobSubmitted(Scenario.job(4), now: 0)
    let actions = scenario.machine.stopRequested(drainDeadline: 10 * Scenario.second, now: 0)
    #expect(actions.killed.contains(2))
    #expect(!actions.killed.contains(1))
    #expect(scenario.machine.nextTimer == 5 * Scenario.second)
    #expect(scenario.answer(1, at: 1).verified == [1])
    #expect(scenario.verify(1, at: 1).verdicts == [.rendered(Scenario.result)])
    #expect(scenario.machine.demand == 0)
  }

  @Test("what still renders when the drain time is over is killed and cancelled")
  func drainTimeOver() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.stopRequested(drainDeadline: 10 * Scenario.second, now: 0)
    #expect(scenario.machine.timerFired(now: 10 * Scenario.second).killed == [1])
    let end = scenario.machine.processReaped(
      1, Scenario.exit(.signalled(9)), lastWords: "", now: 10 * Scenario.second)
    #expect(end.verdicts == [.cancelled])
    #expect(scenario.machine.isEmpty)
  }

  @Test("a second stop kills at once")
  func stopNow() {
    var scenario = Scenario()
    _ = scenario.render(1)
    _ = scenario.machine.stopRequested(drainDeadline: 10 * Scenario.second, now: 0)
    #expect(scenario.machine.stopDemanded(now: 1).killed == [1])
  }

  @Test("a job condemned before it had a process is killed when the process is there")
  func condemnedEarly() {
    var scenario = Scenario()
    _ = scenario.machine.jobSubmitted(Scenario.job(1), now: 0)
    _ = scenario.machine.zygoteStarted(now: 0)
    _ = scenario.machine.stopRequested(drainDeadline: Scenario.second, now: 0)
    #expect(scenario.machine.processSpawned(1, now: 0).killed == [1])
  }

  @Test("a job submitted after a stop is cancelled, not lost")
  func lateJob() {
    var scenario = Scenario()
    _ = scenario.machine.stopRequested(drainDeadline: 0, now: 0)
    #expect(scenario.machine.jobSubmitted(Scenario.job(1), now: 0).verdicts == [.cancelled])
  }
}

@Suite("Why a process ended")
struct ExitClassificationTests {
  static let cases: [(ProcessExit.Status, String, ExitCause)] = [
    (.signalled(31), "", .policyViolation),
    (.signalled(11), "", .crashed(signal: 11)),
    (.signalled(7), "", .crashed(signal: 7)),
    (.signalled(6), "free(): invalid pointer", .crashed(signal: 6)),
    (
      .signalled(6), "terminate called after throwing an instance of 'std::bad_alloc'",
      .memory("an allocation failed at the job's memory limit")
    ),
    (
      .signalled(5), "GLib-ERROR **: failed to allocate 4294967296 bytes",
      .memory("an allocation failed at the job's memory limit")
    ),
    (.signalled(5), "", .crashed(signal: 5)),
    (
      .signalled(9), "",
      .memory("killed from outside, most likely by the kernel for lack of memory")
    ),
    (.signalled(24), "", .cpuTime),
    (.signalled(25), "", .outputTooLarge),
    (.exited(1), "write: File too large", .outputTooLarge),
    (.exited(40), "no Landlock", .notSealed("no Landlock")),
    (.exited(1), "", .exited(1)),
  ]

  @Test("the wait status decides first and the last words second", arguments: cases)
  func cause(status: ProcessExit.Status, words: String, expected: ExitCause) {
    let exit = ProcessExit(
      status: status, userMicroseconds: 0, systemMicroseconds: 0, peakResidentBytes: 0)
    #expect(ExitClassification.cause(of: exit, lastWords: words) == expected)
  }
}
