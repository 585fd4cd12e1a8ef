import Manifest
import RenderModel
import Synchronization
import SystemSupport
import WorkerPool
import WorkerProtocol

/// Turns lines of the manifest into jobs for the pool, or settles them at once.
///
/// It opens and digests originals, so that the pool's thread never waits for a disk.
final class Intake {
  /// What the intake did, for the accounts.
  struct Counts: Sendable {
    /// Lines that were taken from the manifest.
    var taken = 0
    var fresh = 0
    /// Of the fresh ones, by the versions of the libraries that made their outputs.
    var engines: [String: Int] = [:]
    /// Jobs whose recorded outputs have other names than they get now.
    var renamed = 0
  }

  let setting: RunSetting
  let jobs: JobTable
  let settled: BoundedQueue<Completion>
  let progress: RunProgress
  private let decider: IntakeDecider
  private let injectedFault: @Sendable (Job) -> InjectedFault?
  private let stallGuard: StallGuard
  private(set) var counts = Counts()

  /// Reading one original may take so long, in milliseconds: a large file from a slow network.
  private static let stallLimit = 120_000

  /// Jobs that are decided with one visit to the reader's thread, when they are all up to date.
  static let batch = 64

  /// Taken from the manifest and not decided yet.
  private var waiting: [JobContext] = []
  private var nextToken: UInt64 = 1

  init(
    setting: RunSetting, isForced: Bool, acceptsRemovedEdits: Bool, ignoresTimes: Bool = false,
    refreshesMetadata: Bool = false, scope: DecisionScope = DecisionScope(), jobs: JobTable,
    settled: BoundedQueue<Completion>, progress: RunProgress,
    injectedFault: @escaping @Sendable (Job) -> InjectedFault? = { _ in nil }
  ) {
    self.setting = setting
    self.jobs = jobs
    self.settled = settled
    self.progress = progress
    self.injectedFault = injectedFault
    decider = IntakeDecider(
      setting: setting, isForced: isForced, acceptsRemovedEdits: acceptsRemovedEdits,
      ignoresTimes: ignoresTimes, refreshesMetadata: refreshesMetadata, scope: scope)
    stallGuard = StallGuard(name: "reader", limitMilliseconds: Self.stallLimit)
  }

  /// Takes one line; false when no more should come.
  func take(_ line: JobLine) -> Bool {
    if setting.isStopping { return false }
    switch line {
    case .job(let job):
      waiting.append(context(job))
      return waiting.count < Self.batch || finish()
    case .skipped(let asset, let reason):
      let job = Job(id: asset.displayed, asset: asset, adjustment: .none, outputs: [])
      counts.taken += 1
      return settle(context(job), Outcome(.skipped, detail: reason))
    case .invalid(let id, let problem):
      let job = Job(id: id, asset: RelativePath(bytes: []), adjustment: .none, outputs: [])
      var context = context(job)
      // Which photo was meant is not known.
      context.asset = JobReport.Asset()
      counts.taken += 1
      return settle(
        context,
        .failed(
          RenderFailure(code: .invalidJob, stage: .intake, detail: problem.description)))
    }
  }

  /// Decides what was taken and still waits; false when no more should come.
  func finish() -> Bool {
    let contexts = waiting
    waiting = []
    var index = 0
    while index < contexts.count {
      if setting.isStopping { return false }
      let batch = DecisionBatch(contexts, from: index, decider)
      do {
        _ = try stallGuard.perform { batch.decide() }
        let (decisions, isHanging) = batch.end()
        for decision in decisions where !carryOut(decision) { return false }
        index += decisions.count
        if isHanging {
          if !settleStalled(contexts[index]) { return false }
          index += 1
        }
      } catch {
        counts.taken += 1
        let failure = RenderFailure(code: .internal, stage: .intake, detail: "\(error)")
        if !settle(contexts[index], .failed(failure)) { return false }
        index += 1
      }
    }
    return true
  }

  private func carryOut(_ decision: IntakeDecision) -> Bool {
    counts.taken += 1
    switch decision {
    case .returned:
      counts.taken -= 1
      return false
    case .settled(let context, let outcome): return settle(context, outcome)
    case .fresh(let engine):
      counts.fresh += 1
      if let engine { counts.engines[engine, default: 0] += 1 }
      progress.wasFresh()
      return true
    case .render(let context, let input):
      if context.hasOtherNames { counts.renamed += 1 }
      return submit(context, input)
    }
  }

  private func settleStalled(_ context: JobContext) -> Bool {
    counts.taken += 1
    return settle(
      context,
      .failed(
        RenderFailure(
          code: .ioStalled, stage: .intake,
          detail: "\(context.job.asset.displayed): reading it hangs in the kernel; the run goes on "
            + "without it")))
  }

  private func submit(_ context: JobContext, _ input: OpenedInput) -> Bool {
    let job = context.job
    let existing = input.existing.indices.map { "output \($0)" }
    let plan = RenderPlan(
      filters: context.filters, renditions: job.outputs.map(\.rendition), tolerant: job.tolerant,
      limits: job.limits, resources: input.files.map(\.found.name) + existing,
      refreshesMetadata: !existing.isEmpty)
    jobs.insert(context)
    let request = PoolRequest(
      job: PoolJob(
        token: context.token, purpose: .render(plan), deadline: job.deadline, limits: job.limits,
        tolerant: job.tolerant, rawSource: job.rawSource, fault: injectedFault(job),
        resourceBytes: input.files.reduce(0) { $0 + Int($1.found.status.size) }),
      original: input.original.descriptor, resources: input.files.map(\.descriptor) + input.existing
    )
    if setting.inbox.submit(request) { return true }
    // Stopped in between: the job goes back as one that was never taken.
    _ = jobs.take(context.token)
    counts.taken -= 1
    return false
  }

  private func settle(_ context: JobContext, _ outcome: Outcome) -> Bool {
    settled.push(.settled(context, outcome), leavingRoom: RunPart.roomForPool)
  }

  private func context(_ job: Job) -> JobContext {
    defer { nextToken += 1 }
    return JobContext(job, token: nextToken)
  }
}
