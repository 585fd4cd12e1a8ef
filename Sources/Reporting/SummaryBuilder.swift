package import RenderModel

/// Adds up a run's summary from its journal's reports and the counts of what is not journalled.
package struct SummaryBuilder: Sendable {
  /// Failures that a summary names; the rest is counted.
  package static let namedFailures = 1000

  private let run: String
  private let manifests: [RunSummary.ManifestEntry]
  private let started: String
  private var totals = RunSummary.Totals()
  private var newFailures = 0
  private var megapixels = 0.0
  private var cpuMilliseconds = 0.0
  private var overshoots: [Double] = []
  private var peakMemory = 0
  private var failures: [RunSummary.Failure] = []
  private var failuresOmitted = 0

  package init(run: String, manifests: [RunSummary.ManifestEntry], started: String) {
    self.run = run
    self.manifests = manifests
    self.started = started
  }

  package mutating func plan(_ jobs: Int) { totals.planned += jobs }

  /// Counts jobs without a report: `fresh`, `skipped`, and what was put back when the run stopped.
  package mutating func count(_ state: OutcomeState, _ jobs: Int = 1) {
    totals.count(state, jobs)
  }

  /// `isKnown`: whether this job had failed in the same way before the run.
  ///
  /// A report with an unknown state is counted nowhere, so that the accounts don't balance.
  package mutating func count(_ report: JobReport, isKnown: Bool = false) {
    peakMemory = max(peakMemory, report.peakMemory ?? 0)
    if let overshoot = report.deadline?.overshoot { overshoots.append(overshoot) }
    guard let state = OutcomeState(rawValue: report.outcome.state) else { return }
    totals.count(state)
    switch state {
    case .rendered, .degraded:
      megapixels += report.megapixels ?? 0
      cpuMilliseconds += report.cpu ?? 0
    case .failed, .timedOut, .quarantined:
      if !isKnown && state != .quarantined { newFailures += 1 }
      name(report)
    case .fresh, .kept, .skipped, .cancelled: break
    }
  }

  /// `elapsed` in seconds, by a clock that nobody sets.
  package func summary(
    finished: String, elapsed: Double, policy: ExitPolicy, isOutputUnwritable: Bool = false
  ) -> RunSummary {
    RunSummary(
      run: run, manifests: manifests, started: started, finished: finished, totals: totals,
      exitStatus: policy.status(
        totals, newFailures: newFailures, isOutputUnwritable: isOutputUnwritable
      ).rawValue,
      throughput: throughput(elapsed: elapsed),
      deadlineOvershoot: RunSummary.Overshoot(
        p50: Percentile.nearestRank(50, of: overshoots),
        p99: Percentile.nearestRank(99, of: overshoots), max: overshoots.max()),
      peakMemory: peakMemory, failures: failures, failuresOmitted: failuresOmitted)
  }

  private func throughput(elapsed: Double) -> RunSummary.Throughput {
    let rendered = Double(totals.rendered + totals.degraded)
    return RunSummary.Throughput(
      jobsPerSecond: elapsed > 0 ? rendered / elapsed : 0,
      megapixelsPerSecond: elapsed > 0 ? megapixels / elapsed : 0,
      cpuSecondsPerMegapixel: megapixels > 0 ? cpuMilliseconds / 1000 / megapixels : 0)
  }

  private mutating func name(_ report: JobReport) {
    guard failures.count < Self.namedFailures else {
      failuresOmitted += 1
      return
    }
    failures.append(
      RunSummary.Failure(
        job: report.job, asset: report.asset.relativePath?.displayed,
        state: report.outcome.state, code: report.outcome.code, stage: report.outcome.stage,
        detail: report.outcome.detail))
  }
}

extension JobReport {
  /// Millions of pixels of the original; nil while its header is not known.
  package var megapixels: Double? {
    guard let width = asset.width, let height = asset.height else { return nil }
    return Double(width) * Double(height) / 1_000_000
  }
}

/// Percentiles that are always one of the values.
enum Percentile {
  /// The smallest value that at least `percent` of all values don't exceed; nil without values.
  static func nearestRank(_ percent: Int, of values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let rank = (values.count * percent + 99) / 100
    return values.sorted()[max(rank, 1) - 1]
  }
}
