import Ledger
package import Manifest
package import RenderModel
import Reporting
import SystemSupport

/// How an explanation ended.
package enum ExplanationEnd {
  /// How many jobs the name stands for; none when nobody has heard of it.
  case told(Int)
  case manifestInvalid([ManifestProblem], more: Int)
  case refused(ExitStatus, String)
}

extension PlanCoordinator {
  /// Tells the story of every job that has this id, or this asset; nothing is changed.
  ///
  /// Without such a job in the manifests, what is recorded under the id is told.
  package func explain(_ name: [UInt8], onStory: (JobExplanation) -> Void) -> ExplanationEnd {
    do {
      let places = try PlanPlaces.look(configuration)
      let end = try explain(name, places, onStory)
      try places.checkUnchanged()
      return end
    } catch {
      let refusal = RunRefusal(error)
      return .refused(refusal.status, refusal.words)
    }
  }

  private func explain(
    _ name: [UInt8], _ places: PlanPlaces, _ onStory: (JobExplanation) -> Void
  ) throws -> ExplanationEnd {
    let manifests: [ManifestSlice]
    switch try RunManifests.open(configuration, options: options(places)) {
    case .valid(let opened): manifests = opened
    case .invalid(let problems, let more): return .manifestInvalid(problems, more: more)
    case .refused(let status, let words): return .refused(status, words)
    }
    var count = 0
    for manifest in manifests {
      let planner = try planner(of: manifest, places)
      try manifest.source.jobs { line in
        guard line.isNamed(name) else { return true }
        onStory(try story(line, planner, manifest, places))
        count += 1
        return true
      }
    }
    let id = String(decoding: name, as: UTF8.self)
    if count == 0, let entry = try places.ledger.lookUp(id) {
      var told = ExplainedJob(PlannedJob(job: id, asset: entry.asset, action: .skipped))
      told.planned.detail = "no job of these manifests has this id any more"
      told.lastWords = places.lastWords(of: entry)
      onStory(JobExplanation(told: told, entry: entry))
      count = 1
    }
    return .told(count)
  }

  private func story(
    _ line: JobLine, _ planner: JobPlanner, _ manifest: ManifestSlice, _ places: PlanPlaces
  ) throws -> JobExplanation {
    guard case .job(let job) = line else {
      var told = ExplainedJob(try planner.plan(line).line, manifest: manifest.entry.path)
      told.remedy = Self.remedy(told.planned)
      return JobExplanation(told: told)
    }
    let decision = try planner.decide(job)
    var told = ExplainedJob(
      try planner.plan(job, decision).line, manifest: manifest.entry.path)
    told.remedy = Self.remedy(told.planned)
    guard let entry = try places.ledger.lookUp(job.id) else { return JobExplanation(told: told) }
    told.comparisons = JobStory(
      planner: planner, job: job, decision: decision, entry: entry, engine: engine()
    ).comparisons()
    told.lastWords = places.lastWords(of: entry)
    return JobExplanation(told: told, entry: entry)
  }

  private static func remedy(_ planned: PlannedJob) -> String? {
    switch planned.action {
    case .render, .refresh, .fresh: nil
    case .skipped: planned.reason.map { _ in "render without --only-reason, or with its reason" }
    case .kept: planned.code.flatMap(KeptCode.init).map(FailureText.advice)
    case .failed: FailureText.advice(state: OutcomeState.failed.rawValue, code: planned.code)
    case .quarantined:
      FailureText.advice(state: OutcomeState.quarantined.rawValue, code: planned.code)
    }
  }
}

extension JobLine {
  /// Whether a job has this id, or a file this path.
  fileprivate func isNamed(_ name: [UInt8]) -> Bool {
    switch self {
    case .job(let job): job.asset.bytes == name || job.id.utf8.elementsEqual(name)
    case .skipped(let asset, _): asset.bytes == name
    case .invalid(let id, _): id.utf8.elementsEqual(name)
    }
  }
}
