import Ledger
import Manifest
import RenderModel
import Reporting
import SystemSupport

/// Decides about lines of a manifest as a run would, and says what would be done.
struct JobPlanner {
  /// A job, what would be done with it, and what is known of its cost.
  struct Planned {
    var line: PlannedJob
    var cost = PlanCost()
    /// The versions of the libraries that made its outputs.
    var engine: String?
  }

  let decider: JobDecider
  let scope: DecisionScope
  let refreshesMetadata: Bool

  init(library: Directory, places: PlanPlaces, _ configuration: RunConfiguration) {
    decider = JobDecider(
      library: library, output: places.output, ledger: places.ledger,
      isForced: configuration.isForced, acceptsRemovedEdits: configuration.acceptsRemovedEdits)
    scope = configuration.scope
    refreshesMetadata = configuration.refreshesMetadata
  }

  func plan(_ line: JobLine) throws(LedgerError) -> Planned {
    switch line {
    case .skipped(let asset, let reason):
      var line = PlannedJob(job: asset.displayed, asset: asset, action: .skipped)
      line.detail = reason
      return Planned(line: line)
    case .invalid(let id, let problem):
      var line = PlannedJob(job: id, asset: RelativePath(bytes: []), action: .failed)
      line.code = FailureCode.invalidJob.rawValue
      line.detail = problem.description
      return Planned(line: line)
    case .job(let job): return try plan(job, decide(job))
    }
  }

  func decide(_ job: Job) throws(LedgerError) -> JobDecision {
    scope.narrow(try decider.decide(JobContext(job, token: 0)))
  }

  func plan(_ job: Job, _ decision: JobDecision) throws(LedgerError) -> Planned {
    switch decision {
    case .fresh(let findings):
      return planned(job, .fresh, findings.entry)
    case .render(let reason, let findings):
      var result = planned(job, .render, findings.entry)
      result.line.reason = reason.description
      if reason == .recipeChanged, JobDecider.hasOtherNames(findings) {
        result.line.detail = Self.otherNames
      }
      if refreshesMetadata { refresh(&result.line, findings) }
      return result
    case .settled(let context, let outcome):
      var result = planned(
        job, PlannedJob.Action(settledAs: outcome.state), try decider.ledger.lookUp(job.id))
      result.line.reason = context.reason
      result.line.code = outcome.code
      result.line.detail = outcome.detail
      return result
    }
  }

  private static let otherNames =
    "its outputs had other names; if another manifest makes those, give the jobs of one of them ids "
    + "of their own"

  private func planned(
    _ job: Job, _ action: PlannedJob.Action, _ entry: LedgerEntry?
  ) -> Planned {
    var line = PlannedJob(job: job.id, asset: job.asset, action: action)
    line.megapixels = entry?.pixels.map { (Double($0) / 1000).rounded() / 1000 }
    return Planned(
      line: line, cost: entry.map(Self.cost) ?? PlanCost(), engine: entry?.engine)
  }

  /// What its last render took.
  static func cost(of entry: LedgerEntry) -> PlanCost {
    PlanCost(
      pixels: entry.pixels, cpu: entry.cpu,
      outputBytes: entry.outputs.isEmpty ? nil : entry.outputs.reduce(0) { $0 &+ $1.bytes })
  }

  private func refresh(_ line: inout PlannedJob, _ findings: JobFindings) {
    switch decider.readFilterFiles(of: findings) {
    case .failure(let failure):
      line.action = .failed
      line.code = failure.code.rawValue
      line.detail = failure.detail
    case .success(let files):
      var context = findings.context
      context.resources = files.map(\.entry)
      switch decider.refreshable(context, findings.entry) {
      case .success: line.action = .refresh
      case .failure(let refusal):
        line.action = .kept
        line.code = KeptCode.pixelsOutdated.rawValue
        line.detail = refusal.detail
      }
    }
  }
}
