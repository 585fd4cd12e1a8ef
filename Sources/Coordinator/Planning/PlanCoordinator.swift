import Ledger
package import Manifest
package import RenderModel
package import Reporting
import SystemSupport
import WorkerPool

/// How planning ended.
package enum PlanEnd {
  case planned(PlanSummary)
  case manifestInvalid([ManifestProblem], more: Int)
  case refused(ExitStatus, String)
}

/// Says what a run would do and why; makes, changes and holds nothing.
package struct PlanCoordinator {
  let configuration: RunConfiguration
  /// Processors that the machine grants.
  private let processors: Int
  /// Asks for the versions of the libraries that would render; nil when nobody can say.
  let engine: () -> String?

  package init(
    _ configuration: RunConfiguration, processors: Int, engine: @escaping () -> String?
  ) {
    self.configuration = configuration
    self.processors = processors
    self.engine = engine
  }

  /// Gives every job as soon as it is decided; the body answers false when it wants no more.
  ///
  /// Must be called on the program's first thread, as a selection may have to read headers in workers.
  package func perform(onJob: (PlannedJob) -> Bool) -> PlanEnd {
    do {
      let places = try PlanPlaces.look(configuration)
      let end = try plan(places, onJob)
      try places.checkUnchanged()
      return end
    } catch {
      let refusal = RunRefusal(error)
      return .refused(refusal.status, refusal.words)
    }
  }

  private func plan(_ places: PlanPlaces, _ onJob: (PlannedJob) -> Bool) throws -> PlanEnd {
    let manifests: [ManifestSlice]
    switch try RunManifests.open(configuration, options: options(places)) {
    case .valid(let opened): manifests = opened
    case .invalid(let problems, let more): return .manifestInvalid(problems, more: more)
    case .refused(let status, let words): return .refused(status, words)
    }
    var tally = PlanTally()
    for manifest in manifests {
      let planner = try planner(of: manifest, places)
      var isWanted = true
      try manifest.source.jobs { line in
        let planned = try planner.plan(line)
        tally.count(planned.line, planned.cost, engine: planned.engine)
        isWanted = onJob(planned.line)
        return isWanted
      }
      if !isWanted { break }
    }
    if !tally.hasBasis { try learn(places.ledger, &tally) }
    let pool = PlanTally.Pool(
      workers: configuration.pool.slots, processors: processors,
      freeDiskBytes: places.freeBytes())
    return .planned(
      tally.summary(
        manifests: manifests.map(\.entry), pool: pool,
        engine: tally.totals.fresh > 0 ? engine() : nil))
  }

  func planner(of manifest: ManifestSlice, _ places: PlanPlaces) throws -> JobPlanner {
    JobPlanner(
      library: try Directory(path: manifest.source.libraryPath), places: places, configuration)
  }

  func options(_ places: PlanPlaces) -> ManifestOptions {
    var options = configuration.manifestOptions
    options.outputRoot = places.hasOutput ? places.output : nil
    options.caseInsensitiveOutput =
      switch configuration.caseInsensitive {
      case .detected: places.isCaseInsensitive()
      case .sensitive: false
      case .insensitive: true
      }
    return options
  }

  /// Other jobs that a plan of new photos may go by.
  private static let sample = 2000

  private func learn(_ ledger: any Ledger, _ tally: inout PlanTally) throws(LedgerError) {
    for entry in try ledger.entries(after: nil, limit: Self.sample) {
      tally.learn(JobPlanner.cost(of: entry))
    }
  }
}
