/// What a progress meter shows at one moment; all numbers are finite.
package struct ProgressReading: Sendable, Equatable {
  /// Seconds since the first job was started.
  package var elapsed: Double
  package var planned: Int
  package var finished: Int
  package var failures: Int
  /// 0…1 of the work.
  package var fraction: Double
  /// Megapixels of the originals that were worked on.
  package var megapixels: Double
  package var jobsPerSecond: Double
  package var megapixelsPerSecond: Double
  /// Seconds still to go; nil while there is nothing to tell it from.
  package var eta: Double?

  package init(
    elapsed: Double, planned: Int, finished: Int, failures: Int, fraction: Double,
    megapixels: Double, jobsPerSecond: Double, megapixelsPerSecond: Double, eta: Double?
  ) {
    self.elapsed = elapsed
    self.planned = planned
    self.finished = finished
    self.failures = failures
    self.fraction = fraction
    self.megapixels = megapixels
    self.jobsPerSecond = jobsPerSecond
    self.megapixelsPerSecond = megapixelsPerSecond
    self.eta = eta
  }

  package var percent: Int { Int((fraction * 100).rounded(.down)) }

  /// The facts in a fixed order: share, jobs, speed, time to go, failures.
  var facts: [String] {
    var facts = ["\(percent)%", "\(finished)/\(planned)"]
    if megapixelsPerSecond > 0 {
      facts.append("\(NumberText.short(megapixelsPerSecond)) MP/s")
    } else if jobsPerSecond > 0 {
      facts.append("\(NumberText.short(jobsPerSecond)) jobs/s")
    }
    if let eta, finished < planned { facts.append("ETA \(NumberText.clock(eta))") }
    return facts
  }

  var failureFact: String? { failures > 0 ? "\(failures) failed" : nil }

  /// One line for logs, without a newline.
  package var plainLine: String {
    (facts + [failureFact].compactMap { $0 }).joined(separator: "  ")
  }
}

/// A progress line for programs (`docs/schemas/progress.schema.json`).
package struct ProgressRecord: Sendable, Codable, Equatable {
  package var schema: Int
  package var kind: String
  package var run: String
  package var elapsed: Double
  package var planned: Int
  package var finished: Int
  package var failures: Int
  package var fraction: Double
  package var megapixels: Double
  package var jobsPerSecond: Double
  package var megapixelsPerSecond: Double
  package var eta: Double?

  package init(run: String, _ reading: ProgressReading) {
    schema = 1
    kind = "progress"
    self.run = run
    elapsed = NumberText.thousandths(reading.elapsed)
    planned = reading.planned
    finished = reading.finished
    failures = reading.failures
    fraction = NumberText.thousandths(reading.fraction)
    megapixels = NumberText.thousandths(reading.megapixels)
    jobsPerSecond = NumberText.thousandths(reading.jobsPerSecond)
    megapixelsPerSecond = NumberText.thousandths(reading.megapixelsPerSecond)
    eta = reading.eta.map(NumberText.thousandths)
  }
}
