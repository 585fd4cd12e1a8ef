package import RenderModel

/// What a run would do, added up: the last line of `minilab plan --format json`.
///
/// The member names are a published interface (`docs/schemas/plan.schema.json`).
package struct PlanSummary: Sendable, Codable, Equatable {
  package static let schemaVersion = 1

  /// Jobs by what would become of them; `planned` is the sum of the others.
  package struct Totals: Sendable, Codable, Equatable {
    package var planned = 0
    package var render = 0
    package var refresh = 0
    package var fresh = 0
    package var kept = 0
    package var skipped = 0
    package var failed = 0
    package var quarantined = 0
    package init() {}

    mutating func count(_ action: PlannedJob.Action) {
      planned += 1
      switch action {
      case .render: render += 1
      case .refresh: refresh += 1
      case .fresh: fresh += 1
      case .kept: kept += 1
      case .skipped: skipped += 1
      case .failed: failed += 1
      case .quarantined: quarantined += 1
      }
    }
  }

  /// Jobs that have one action and one cause.
  package struct Group: Sendable, Codable, Equatable {
    package var action: PlannedJob.Action
    /// A reason as reports spell it, or the code of what is kept or fails; `notSelected` or
    /// `leftForLater` for what is skipped.
    package var cause: String
    /// The cause without what it says in brackets.
    package var name: String
    package var jobs: Int
    /// Of the originals, those that are estimated included; nil while nothing can be told.
    package var megapixels: Double?
    /// Jobs whose megapixels are an estimate.
    package var estimated: Int
  }

  /// What the renders would cost, from what past ones did.
  package struct Quote: Sendable, Codable, Equatable {
    /// What it rests on.
    package struct Basis: Sendable, Codable, Equatable {
      package var renders: Int
      package var megapixels: Double
      package var cpuSeconds: Double
    }

    package var basis: Basis
    package var megapixels: Double
    package var cpuSeconds: Double
    package var coreHours: Double
    /// With all workers busy: at the least.
    package var wallSeconds: Double
    package var workers: Int
    /// Bytes of all outputs that would be written.
    package var writtenBytes: Int
    /// What the outputs would take more than those that they replace, and the room that they are staged
    /// in: bytes that have to be free.
    package var peakDiskBytes: Int
    /// nil when the output folder is not there yet.
    package var freeDiskBytes: Int?
  }

  /// Up-to-date outputs that other versions of the libraries made.
  package struct EngineDifference: Sendable, Codable, Equatable {
    package var jobs: Int
    /// The versions that would render now.
    package var engine: String
    package init(jobs: Int, engine: String) {
      self.jobs = jobs
      self.engine = engine
    }
  }

  package var schema = PlanSummary.schemaVersion
  package var kind = "plan"
  package var manifests: [RunSummary.ManifestEntry]
  package var totals: Totals
  /// By action, and the causes of each by their number of jobs.
  package var groups: [Group]
  /// nil when nothing would be rendered, or nothing is known to tell it from.
  package var quote: Quote?
  /// Why there is no quote.
  package var quoteMissing: String?
  /// nil when there are none, or the worker could not be asked.
  package var engineDiffers: EngineDifference?
}
