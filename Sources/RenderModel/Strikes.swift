/// How often a photo's content ended the process that tried it, and how the last time.
///
/// What counts is one content under one engine, within limits that were no wider.
package struct Strikes: Sendable, Codable, Hashable {
  /// Attempts of different runs.
  package var count: Int
  /// SHA-256 of the original.
  package var source: String
  /// The original's, when it was settled; nil: the file has to be read to be known again.
  package var identity: FileIdentity?
  /// As `EngineVersions.whole` spells it.
  package var engine: String
  /// The widest of those that the strikes happened within.
  package var limits: StrikeLimits
  /// The job whose process ended; copies of its content are set aside with it.
  package var job: String
  /// How the last one ended: `timedOut`, or `failed` with a code.
  package var state: String
  package var code: String?
  package var stage: String?
  package var detail: String?
  /// Bytes that the last one's process had at most.
  package var peakMemory: Int?
  /// The run of the last one.
  package var run: String
  /// When the last one was reported, UTC, ISO 8601.
  package var finished: String

  package init(
    count: Int, source: String, identity: FileIdentity?, engine: String, limits: StrikeLimits,
    job: String, state: String, code: String? = nil, stage: String? = nil, detail: String? = nil,
    peakMemory: Int? = nil, run: String, finished: String
  ) {
    self.count = count
    self.source = source
    self.identity = identity
    self.engine = engine
    self.limits = limits
    self.job = job
    self.state = state
    self.code = code
    self.stage = stage
    self.detail = detail
    self.peakMemory = peakMemory
    self.run = run
    self.finished = finished
  }

  /// Whether nothing has changed that could let the next attempt end otherwise.
  package func hold(engine: String, within limits: StrikeLimits) -> Bool {
    engine == self.engine && !limits.isWider(than: self.limits, afterTimeout: hungLast)
  }

  private var hungLast: Bool { state == OutcomeState.timedOut.rawValue }
}

/// What a job was allowed when it ended its process.
package struct StrikeLimits: Sendable, Codable, Hashable {
  /// Milliseconds that any picture was given.
  package var deadline: Int
  /// Milliseconds for every million pixels on top.
  package var deadlinePerMegapixel: Int
  /// Bytes that all jobs together could have.
  package var memory: Int

  package init(deadline: DeadlinePolicy, memory: Int) {
    self.deadline = deadline.baseMilliseconds
    deadlinePerMegapixel = deadline.perMegapixelMilliseconds
    self.memory = memory
  }

  /// Whether what ended within `other` may come to its end within these.
  ///
  /// Memory counts from half as much again: what a machine grants differs a little from run to run.
  func isWider(than other: StrikeLimits, afterTimeout: Bool) -> Bool {
    if afterTimeout {
      return deadline > other.deadline || deadlinePerMegapixel > other.deadlinePerMegapixel
    }
    return memory / 3 * 2 >= other.memory
  }

  /// The wider of both in each respect.
  package func union(_ other: StrikeLimits) -> StrikeLimits {
    var result = self
    result.deadline = max(deadline, other.deadline)
    result.deadlinePerMegapixel = max(deadlinePerMegapixel, other.deadlinePerMegapixel)
    result.memory = max(memory, other.memory)
    return result
  }
}

/// The strikes of a job's content are forgotten, because somebody wants it to be tried again.
///
/// One line of a journal.
package struct QuarantineRelease: Sendable, Codable, Hashable {
  package var schema: Int
  package var kind: String
  package var job: String
  package var run: String
  /// SHA-256 of the content that is released.
  package var source: String
  /// UTC, ISO 8601.
  package var released: String

  package init(job: String, run: String, source: String, released: String) {
    schema = JobReport.schemaVersion
    kind = "release"
    self.job = job
    self.run = run
    self.source = source
    self.released = released
  }
}
