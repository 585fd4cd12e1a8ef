package import RenderModel

/// What a run would do with one job, and why: a line of `minilab plan --list`.
///
/// The member names are a published interface (`docs/schemas/plan.schema.json`).
package struct PlannedJob: Sendable, Codable, Equatable {
  package enum Action: String, Sendable, Codable, CaseIterable {
    /// All renditions are made.
    case render
    /// The renditions that are there get other metadata.
    case refresh
    case fresh, kept, skipped, failed, quarantined

    /// What becomes of a job that is settled without a process.
    package init(settledAs state: OutcomeState) {
      switch state {
      case .rendered, .degraded: self = .render
      case .fresh: self = .fresh
      case .kept: self = .kept
      case .skipped, .cancelled: self = .skipped
      case .failed, .timedOut: self = .failed
      case .quarantined: self = .quarantined
      }
    }
  }

  package var schema = PlanSummary.schemaVersion
  package var kind = "job"
  package var job: String
  /// Beneath the library; nil for a line of a manifest that cannot be read.
  package var asset: String?
  /// The path in base64 when it is not UTF-8.
  package var assetBytes: String?
  package var action: Action
  /// Why it is rendered, or would be if the run were not narrowed to other reasons.
  package var reason: String?
  /// Of what is kept or fails before it starts.
  package var code: String?
  /// One sentence for a person.
  package var detail: String?
  /// Of the original, when it was last seen; nil while nobody has looked at its header.
  package var megapixels: Double?

  package init(job: String, asset: RelativePath, action: Action) {
    self.job = job
    self.asset = asset.bytes.isEmpty ? nil : asset.string
    assetBytes = asset.string == nil ? Base64.encode(asset.bytes) : nil
    self.action = action
  }

  /// Whether it is told in a list: it is, unless nothing would be done and nothing is amiss.
  package var isListed: Bool { action != .fresh && action != .skipped }
}

/// What is known of a job's cost from its last render.
package struct PlanCost: Sendable, Equatable {
  /// Of the original.
  package var pixels: Int?
  /// Milliseconds of CPU time.
  package var cpu: Double?
  /// Of all its outputs together; nil when there are none.
  package var outputBytes: Int?

  package init(pixels: Int? = nil, cpu: Double? = nil, outputBytes: Int? = nil) {
    self.pixels = pixels
    self.cpu = cpu
    self.outputBytes = outputBytes
  }
}
