/// The story of one job: what would be done with it, and what was compared to decide that.
///
/// The member names are a published interface (`docs/schemas/plan.schema.json`).
package struct ExplainedJob: Sendable, Codable, Equatable {
  /// What is compared, in the order in which it is looked at.
  package enum Subject: String, Sendable, Codable, CaseIterable {
    case adjustment, source, recipe, filter, file, lastAttempt, reportFile, output, engine
  }

  /// One thing as it was recorded and as it is now.
  package struct Comparison: Sendable, Codable, Equatable {
    package var subject: Subject
    /// Which filter, file or rendition; nil where there is only one.
    package var name: String?
    /// nil when nothing was recorded.
    package var recorded: String?
    /// nil when there is nothing now.
    package var now: String?
    package var same: Bool
    /// Whether the decision rests on it.
    package var decides = false

    package init(
      _ subject: Subject, _ name: String? = nil, recorded: String?, now: String?, same: Bool
    ) {
      self.subject = subject
      self.name = name
      self.recorded = recorded
      self.now = now
      self.same = same
    }
  }

  package var schema = PlanSummary.schemaVersion
  package var kind = "explanation"
  package var planned: PlannedJob
  /// The manifest that makes the job; nil for one that is only recorded.
  package var manifest: String?
  package var comparisons: [Comparison] = []
  /// How the last attempt was reported; nil when its journal is gone.
  package var lastWords: String?
  /// What a person can do; nil where nothing needs to be done.
  package var remedy: String?

  package init(_ planned: PlannedJob, manifest: String? = nil) {
    self.planned = planned
    self.manifest = manifest
  }
}
