package import RenderModel

/// One line of a run's journal.
package enum JournalLine: Sendable, Equatable {
  /// The first line.
  case run(RunStart)
  /// The outputs of a job are being replaced, until its report follows.
  case intent(Intent)
  case report(JobReport)
  /// A job's content left quarantine; in the journal of a release, which is a run of its own.
  case release(QuarantineRelease)
  /// The last line of a run that was carried through or recovered.
  case end(RunEnd)
}

/// Who carries which manifests through.
package struct RunStart: Sendable, Codable, Equatable {
  package var schema: Int
  package var kind: String
  package var run: String
  /// The machine's name.
  package var node: String
  /// UTC, ISO 8601.
  package var started: String
  package var manifests: [RunSummary.ManifestEntry]

  package init(
    run: String, node: String, started: String, manifests: [RunSummary.ManifestEntry]
  ) {
    schema = JobReport.schemaVersion
    kind = "run"
    self.run = run
    self.node = node
    self.started = started
    self.manifests = manifests
  }
}

/// The names that a job is about to put in place, and the report that holds once all are.
package struct Intent: Sendable, Codable, Equatable {
  package struct Name: Sendable, Codable, Equatable {
    /// nil for the report file beside the renders.
    package var rendition: String?
    /// nil when the name is not UTF-8; then `pathBytes` has it in base64.
    package var path: String?
    package var pathBytes: String?
    /// The name in the run's staging folder.
    package var staged: String
    package var sha256: String
    package var bytes: Int

    package init(
      rendition: String?, path: RelativePath, staged: String, sha256: String, bytes: Int
    ) {
      self.rendition = rendition
      self.path = path.string
      self.pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
      self.staged = staged
      self.sha256 = sha256
      self.bytes = bytes
    }

    package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }
  }

  package var schema: Int
  package var kind: String
  package var job: String
  package var run: String
  /// In the order in which they are put in place.
  package var names: [Name]
  package var report: JobReport

  package init(names: [Name], report: JobReport) {
    schema = JobReport.schemaVersion
    kind = "intent"
    job = report.job
    run = report.run
    self.names = names
    self.report = report
  }
}

/// How a run ended.
package struct RunEnd: Sendable, Codable, Equatable {
  package var schema: Int
  package var kind: String
  package var run: String
  /// UTC, ISO 8601.
  package var finished: String
  /// nil for a run that died and was recovered later.
  package var totals: RunSummary.Totals?
  /// Whether a later run put this one in order; nil otherwise.
  package var recovered: Bool?

  package init(run: String, finished: String, totals: RunSummary.Totals?) {
    schema = JobReport.schemaVersion
    kind = "end"
    self.run = run
    self.finished = finished
    self.totals = totals
    recovered = totals == nil ? true : nil
  }
}
