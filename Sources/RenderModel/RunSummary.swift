/// The account of one run, made from its journal.
///
/// The member names are a published interface (`docs/schemas/run-summary.schema.json`).
package struct RunSummary: Sendable, Codable, Equatable {
  package static let schemaVersion = 1

  package struct ManifestEntry: Sendable, Codable, Equatable {
    package var path: String
    package var sha256: String?
    package init(path: String, sha256: String?) {
      self.path = path
      self.sha256 = sha256
    }
  }

  package struct Totals: Sendable, Codable, Equatable {
    package var planned = 0
    package var rendered = 0
    package var degraded = 0
    package var fresh = 0
    package var kept = 0
    package var skipped = 0
    package var failed = 0
    package var timedOut = 0
    package var quarantined = 0
    package var cancelled = 0
    package init() {}

    package mutating func count(_ state: OutcomeState, _ amount: Int = 1) {
      switch state {
      case .rendered: rendered += amount
      case .degraded: degraded += amount
      case .fresh: fresh += amount
      case .kept: kept += amount
      case .skipped: skipped += amount
      case .failed: failed += amount
      case .timedOut: timedOut += amount
      case .quarantined: quarantined += amount
      case .cancelled: cancelled += amount
      }
    }

    package var accounted: Int {
      rendered + degraded + fresh + kept + skipped + failed + timedOut + quarantined + cancelled
    }

    /// Whether every planned job has reached exactly one final state.
    package var isBalanced: Bool { planned == accounted }
  }

  package struct Throughput: Sendable, Codable, Equatable {
    package var jobsPerSecond: Double
    package var megapixelsPerSecond: Double
    package var cpuSecondsPerMegapixel: Double
    package init(
      jobsPerSecond: Double, megapixelsPerSecond: Double, cpuSecondsPerMegapixel: Double
    ) {
      self.jobsPerSecond = jobsPerSecond
      self.megapixelsPerSecond = megapixelsPerSecond
      self.cpuSecondsPerMegapixel = cpuSecondsPerMegapixel
    }
  }

  /// Milliseconds over the deadline among the jobs that were killed at it; nil when there were none.
  package struct Overshoot: Sendable, Codable, Equatable {
    package var p50: Double?
    package var p99: Double?
    package var max: Double?
    package init(p50: Double? = nil, p99: Double? = nil, max: Double? = nil) {
      self.p50 = p50
      self.p99 = p99
      self.max = max
    }

    private enum CodingKeys: String, CodingKey { case p50, p99, max }

    /// All three members are always there, as null when nothing was killed at its deadline.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(p50, forKey: .p50)
      try container.encode(p99, forKey: .p99)
      try container.encode(max, forKey: .max)
    }
  }

  package struct Failure: Sendable, Codable, Equatable {
    package var job: String
    package var asset: String?
    package var state: String
    package var code: String?
    package var stage: String?
    package var detail: String?
    package init(
      job: String, asset: String?, state: String, code: String?, stage: String?, detail: String?
    ) {
      self.job = job
      self.asset = asset
      self.state = state
      self.code = code
      self.stage = stage
      self.detail = detail
    }
  }

  package var schema: Int
  package var run: String
  /// The (first) manifest; `manifests` lists all when there were several.
  package var manifest: ManifestEntry
  package var manifests: [ManifestEntry]?
  package var started: String
  package var finished: String
  package var totals: Totals
  package var balanced: Bool
  package var exitStatus: Int32
  package var throughput: Throughput
  package var deadlineOvershoot: Overshoot
  /// Jobs that were up to date, but made by other versions of the libraries; nil when there were none.
  package var engineDiffers: Int?
  /// The largest resident set of any job's process, in bytes.
  package var peakMemory: Int
  /// The first 1,000 jobs that did not render; `failuresOmitted` counts the rest.
  package var failures: [Failure]
  package var failuresOmitted: Int

  package init(
    run: String, manifests: [ManifestEntry], started: String, finished: String, totals: Totals,
    exitStatus: Int32, throughput: Throughput, deadlineOvershoot: Overshoot, peakMemory: Int,
    failures: [Failure], failuresOmitted: Int
  ) {
    schema = Self.schemaVersion
    self.run = run
    self.manifest = manifests.first ?? ManifestEntry(path: "", sha256: nil)
    self.manifests = manifests.count > 1 ? manifests : nil
    self.started = started
    self.finished = finished
    self.totals = totals
    balanced = totals.isBalanced
    self.exitStatus = exitStatus
    self.throughput = throughput
    self.deadlineOvershoot = deadlineOvershoot
    self.peakMemory = peakMemory
    self.failures = failures
    self.failuresOmitted = failuresOmitted
  }
}
