package import RenderModel

/// How far a run is, weighted by megapixels where they are known and by count until then.
///
/// Jobs that end without work (`fresh`, `kept` …) leave the amount of work, so that they don't
/// promise a speed that renders can't keep. Times are seconds on any clock that only goes forward.
package struct ProgressMeter: Sendable {
  private var planned = 0
  private var finished = 0
  private var failures = 0
  /// Jobs that ended after work, and the sizes of those that had one.
  private var worked = 0
  private var workedMegapixels = 0.0
  private var measured = 0
  private var measuredMegapixels = 0.0
  private var openMeasured = 0
  private var openMegapixels = 0.0
  private var start: Double?

  package init() {}

  package mutating func plan(_ jobs: Int) { planned += jobs }

  /// The first job was started; later calls change nothing.
  package mutating func begin(at now: Double) { start = start ?? now }

  /// The size of one more planned job is known; its `finish` must then name it too.
  package mutating func measure(megapixels: Double) {
    measured += 1
    measuredMegapixels += megapixels
    openMeasured += 1
    openMegapixels += megapixels
  }

  /// `megapixels` is what `measure` was told of this job, nil when it was told nothing.
  package mutating func finish(_ state: OutcomeState, megapixels: Double?, jobs: Int = 1) {
    finished += jobs
    if let megapixels {
      openMeasured -= 1
      openMegapixels = max(0, openMegapixels - megapixels)
    }
    switch state {
    case .failed, .timedOut:
      failures += jobs
      work(jobs, megapixels)
    case .rendered, .degraded: work(jobs, megapixels)
    case .quarantined: failures += jobs
    case .fresh, .kept, .skipped, .cancelled: break
    }
  }

  private mutating func work(_ jobs: Int, _ megapixels: Double?) {
    worked += jobs
    workedMegapixels += megapixels ?? 0
  }

  package func reading(at now: Double) -> ProgressReading {
    let elapsed = max(0, now - (start ?? now))
    let remaining = max(0, planned - finished)
    let (done, left) = weights(remaining)
    let speed = elapsed > 0 ? done / elapsed : 0
    var fraction = done + left > 0 ? done / (done + left) : 0
    if done == 0, worked == 0, planned > 0 { fraction = Double(finished) / Double(planned) }
    if remaining == 0 { fraction = 1 }
    return ProgressReading(
      elapsed: elapsed, planned: planned, finished: finished, failures: failures,
      fraction: min(1, max(0, fraction)), megapixels: workedMegapixels,
      jobsPerSecond: elapsed > 0 ? Double(worked) / elapsed : 0,
      megapixelsPerSecond: elapsed > 0 ? workedMegapixels / elapsed : 0,
      eta: remaining == 0 ? 0 : speed > 0 ? left / speed : nil)
  }

  /// Work done and left, in megapixels once one size is known, else in jobs; a job whose size is
  /// not known yet is taken to be like the others.
  private func weights(_ remaining: Int) -> (done: Double, left: Double) {
    guard measured > 0, measuredMegapixels > 0 else {
      return (Double(worked), Double(remaining))
    }
    let mean = measuredMegapixels / Double(measured)
    let unknown = max(0, remaining - openMeasured)
    return (workedMegapixels, openMegapixels + Double(unknown) * mean)
  }
}
