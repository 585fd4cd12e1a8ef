import RenderModel
import SystemSupport
import Testing
import WorkerPool
import WorkerProtocol

/// Every way in which a codec can misbehave ends one job with its own reason, and no other job.
@Suite("Kill matrix", .serialized)
struct KillMatrixTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var fault: InjectedFault.Kind
    var expected: @Sendable (PoolOutcome) -> Bool
    var meetsDeadline: Bool { [.hang, .spin, .stop].contains(fault) }
    var testDescription: String { fault.rawValue }
  }

  static let cases: [Case] = [
    Case(fault: .hang, expected: Self.timedOut),
    Case(fault: .spin, expected: Self.timedOut),
    Case(fault: .stop, expected: Self.timedOut),
    Case(fault: .memoryGrowth) { $0.failureCode == .memory },
    Case(fault: .abort) { $0.failureCode == .crashed && $0.attempt == 2 },
    Case(fault: .segmentationFault) { $0.failureCode == .crashed && $0.attempt == 2 },
    Case(fault: .forbiddenCall) { $0.failureCode == .policyViolation && $0.attempt == 2 },
    Case(fault: .outputGrowth) { $0.failureCode == .outputTooLarge },
  ]

  static let timedOut: @Sendable (PoolOutcome) -> Bool = { outcome in
    if case .timedOut = outcome.verdict { true } else { false }
  }

  @Test("a misbehaving process ends with its own cause, the others unharmed", arguments: cases)
  func misbehaviour(matrix: Case) throws {
    // Twenty moments, spread over a quarter of a second by a fixed rule.
    let faulty = (0..<20).map { index in
      let moment = (index * 37) % 61
      // Growing and crashing take their time; only what never ends is to meet its deadline.
      let deadline = matrix.meetsDeadline ? 100 + (index * 53) % 120 : 20_000
      return PoolHarness.job(
        UInt64(index * 2), deadline: deadline,
        fault: InjectedFault(kind: matrix.fault, afterMilliseconds: moment))
    }
    let sound = (0..<20).map { PoolHarness.job(UInt64($0 * 2 + 1)) }
    let jobs = zip(faulty, sound).flatMap { [$0, $1] }
    var harness = PoolHarness()
    harness.memoryBudget = 1 << 30
    let wakefulness = Wakefulness()
    let result = try harness.run(jobs, original: try Drawing.jpegFile())
    let lateness = wakefulness.end()
    #expect(result.end == .completed)
    #expect(result.outcomes.count == jobs.count)
    for job in faulty {
      let outcome = try #require(result.outcomes[job.token])
      #expect(matrix.expected(outcome), "\(outcome.verdict)")
    }
    for job in sound {
      let outcome = try #require(result.outcomes[job.token])
      #expect(outcome.isRendered, "\(outcome.verdict)")
    }
    checkOvershoot(of: matrix.fault.rawValue, result, lateness)
  }

  /// Prints how far the deadlines were passed, and holds the farthest to what is promised.
  ///
  /// A machine that stands still for longer than 50 ms is not the pool's doing: from the deadline to the
  /// confirmed end four processes have to be woken one after the other.
  private func checkOvershoot(
    of name: String, _ result: PoolHarness.Result, _ lateness: Double
  ) {
    let overshoots = result.outcomes.values.compactMap(\.overshoot).sorted()
    guard let worst = overshoots.last else { return }
    func percentile(_ percent: Int) -> Double {
      overshoots[max(1, (overshoots.count * percent + 99) / 100) - 1]
    }
    print(
      "overshoot of \(name): p50 \(percentile(50)) ms, p99 \(percentile(99)) ms, max \(worst) ms"
        + " of \(overshoots.count); a thread that slept woke up to \(lateness) ms late")
    #expect(worst <= (lateness > 50 ? 250 + 4 * lateness : 250))
  }

  @Test("an encoder that is busy with a large picture is stopped in the middle of its work")
  func realEncoder() throws {
    // Noise is what an AV1 encoder takes longest for.
    var state: UInt32 = 1
    let noise = Drawing.png(width: 1200, height: 1000) { _, _ in
      (0..<3).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
    }
    let slow = RenderPlan(renditions: [Rendition(name: "slow", type: .avif)])
    let quick = RenderPlan(
      renditions: [Rendition(name: "quick", targetSize: .init(width: 64, height: 64))])
    let jobs = (0..<30).map { index in
      index % 3 == 2
        ? PoolHarness.job(UInt64(index), plan: quick)
        : PoolHarness.job(UInt64(index), deadline: 150 + (index * 53) % 200, plan: slow)
    }
    let wakefulness = Wakefulness()
    let result = try PoolHarness().run(jobs, original: try Drawing.memoryFile(noise))
    let lateness = wakefulness.end()
    #expect(result.end == .completed)
    for job in jobs {
      let outcome = try #require(result.outcomes[job.token])
      if job.token % 3 == 2 {
        #expect(outcome.isRendered, "\(outcome.verdict)")
      } else {
        #expect(Self.timedOut(outcome), "\(outcome.verdict)")
      }
    }
    checkOvershoot(of: "a real encoder", result, lateness)
  }

  @Test("a zygote that is killed in the middle is started again and no job is lost")
  func zygoteKilled() throws {
    let jobs = (0..<40).map { PoolHarness.job(UInt64($0)) }
    var harness = PoolHarness()
    harness.onFinished = { finished, _ in
      if finished.token == 10 { ProcessList.killChildren(named: "minilab-zygote") }
    }
    let result = try harness.run(jobs, original: try Drawing.jpegFile())
    #expect(result.end == .completed)
    #expect(result.outcomes.values.allSatisfy { $0.isRendered && $0.attempt == 1 })
    #expect(result.outcomes.count == 40)
  }

  @Test("after a run no process is left")
  func nothingLeft() throws {
    _ = try PoolHarness().run([PoolHarness.job(1)], original: try Drawing.jpegFile())
    #expect(ProcessList.children(named: "minilab-zygote") == [])
  }

  @Test("a stop cancels what waits and ends in good order")
  func stop() throws {
    let jobs = (0..<30).map { PoolHarness.job(UInt64($0)) }
    var harness = PoolHarness()
    harness.onFinished = { finished, inbox in
      if finished.token == 5 { inbox.stop(.drain) }
    }
    let result = try harness.run(jobs, original: try Drawing.jpegFile())
    #expect(result.end == .stopped)
    #expect(result.outcomes.values.contains { $0.verdict == .cancelled })
    #expect(result.outcomes[0]?.isRendered == true)
  }
}
