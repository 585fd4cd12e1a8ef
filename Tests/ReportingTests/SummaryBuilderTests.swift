import RenderModel
import Testing

@testable import Reporting

@Suite struct SummaryBuilderTests {
  private func build(
    planned: Int, policy: ExitPolicy = ExitPolicy(), elapsed: Double = 2,
    _ feed: (inout SummaryBuilder) -> Void
  ) -> RunSummary {
    var builder = SummaryBuilder(
      run: runName, manifests: [.init(path: "m.json", sha256: nil)], started: "s")
    builder.plan(planned)
    feed(&builder)
    return builder.summary(finished: "f", elapsed: elapsed, policy: policy)
  }

  @Test("every state is counted once, and the accounts balance")
  func totals() {
    let summary = build(planned: 12) { builder in
      for state in OutcomeState.allCases { builder.count(report(state)) }
      builder.count(.fresh, 3)
    }
    #expect(summary.totals.fresh == 4)
    #expect(summary.totals.accounted == 12)
    #expect(summary.balanced)
    #expect(summary.failures.map(\.state) == ["failed", "timedOut", "quarantined"])
    #expect(summary.manifests == nil)
    #expect((summary.started, summary.finished) == ("s", "f"))
  }

  @Test("a job too few or too many, or a state nobody knows, is a fault of our own")
  func unbalanced() {
    let few = build(planned: 2) { $0.count(report(.rendered)) }
    #expect(!few.balanced)
    #expect(few.exitStatus == RenderModel.ExitStatus.internalError.rawValue)
    let many = build(planned: 1) { $0.count(.fresh, 2) }
    #expect(many.exitStatus == RenderModel.ExitStatus.internalError.rawValue)
    let odd = build(planned: 1) {
      var odd = report(.rendered)
      odd.outcome.state = "transmogrified"
      $0.count(odd)
    }
    #expect(odd.exitStatus == RenderModel.ExitStatus.internalError.rawValue)
  }

  @Test("throughput counts the originals and processor time of rendered jobs only")
  func throughput() {
    let summary = build(planned: 3, elapsed: 4) { builder in
      for state in [OutcomeState.rendered, .degraded, .failed] {
        var sized = report(state)
        sized.asset.width = 4000
        sized.asset.height = 3000
        sized.cpu = 1200
        builder.count(sized)
      }
    }
    // 2 jobs of 12 MP and 1.2 s each in 4 s.
    #expect(summary.throughput.jobsPerSecond == 0.5)
    #expect(summary.throughput.megapixelsPerSecond == 6)
    #expect(abs(summary.throughput.cpuSecondsPerMegapixel - 0.1) < 1e-12)
  }

  @Test("a run that took no time or rendered nothing has no speed, but numbers")
  func noThroughput() throws {
    let summary = build(planned: 1, elapsed: 0) { $0.count(report(.rendered)) }
    #expect(summary.throughput.jobsPerSecond == 0)
    #expect(summary.throughput.cpuSecondsPerMegapixel == 0)
    #expect(summary.deadlineOvershoot == .init())
    #expect(summary.peakMemory == 0)
    _ = try ReportText.pretty(summary)
  }

  @Test("overshoot and memory are taken over all jobs, by nearest rank")
  func overshoot() {
    let summary = build(planned: 200) { builder in
      for number in (1...200).shuffled() {
        var late = report(.timedOut)
        late.deadline = .init(limit: 1000, overshoot: Double(number))
        late.peakMemory = number * 1000
        builder.count(late)
      }
    }
    #expect(summary.deadlineOvershoot == .init(p50: 100, p99: 198, max: 200))
    #expect(summary.peakMemory == 200_000)
  }

  @Test(
    "the nearest rank is always one of the values",
    // The table of the definition: rank = ceil(P/100 × N), of 15, 20, 35, 40, 50.
    arguments: [(5, 15.0), (30, 20), (40, 20), (50, 35), (100, 50)])
  func nearestRank(percent: Int, expected: Double) {
    #expect(Percentile.nearestRank(percent, of: [35, 20, 15, 50, 40]) == expected)
  }

  @Test("a single value is every percentile, and no value is none")
  func fewValues() {
    #expect(Percentile.nearestRank(50, of: [7]) == 7)
    #expect(Percentile.nearestRank(99, of: [7]) == 7)
    #expect(Percentile.nearestRank(50, of: []) == nil)
  }

  @Test("the first thousand failures are named, the others counted")
  func manyFailures() {
    let summary = build(planned: 1003) { builder in
      for number in 0..<1003 {
        builder.count(report(.failed, code: "unreadable", job: "\(number)"))
      }
    }
    #expect(summary.failures.count == 1000)
    #expect(summary.failures.last?.job == "999")
    #expect(summary.failuresOmitted == 3)
    #expect(summary.totals.failed == 1003)
  }

  @Test("names in failures are safe to show")
  func escapedNames() {
    let summary = build(planned: 1) { builder in
      var odd = report(.failed)
      odd.asset = .init(path: RelativePath(bytes: [0x1B, 0xFF]))
      builder.count(odd)
    }
    #expect(summary.failures[0].asset == "\\u{1B}\\xFF")
  }

  @Test("failures that were known before don't count as new; quarantined ones are always known")
  func knownFailures() {
    let policy = ExitPolicy(failOn: .new)
    let known = build(planned: 2, policy: policy) {
      $0.count(report(.failed), isKnown: true)
      $0.count(report(.quarantined))
    }
    #expect(known.exitStatus == 0)
    let new = build(planned: 2, policy: policy) {
      $0.count(report(.failed), isKnown: true)
      $0.count(report(.timedOut))
    }
    #expect(new.exitStatus == 3)
  }
}
