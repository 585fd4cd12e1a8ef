import Adjustments
import Ledger
import Manifest
import RenderModel
import Synchronization
import SystemSupport
import WorkerPool

/// Turns lines of the manifest into jobs for the pool, or settles them at once.
///
/// It opens and digests originals, so that the pool's thread never waits for a disk.
final class Intake {
  /// What the intake did, for the accounts.
  struct Counts: Sendable {
    /// Lines that were taken from the manifest.
    var taken = 0
    var fresh = 0
  }

  let setting: RunSetting
  let isForced: Bool
  let acceptsRemovedEdits: Bool
  let jobs: JobTable
  let settled: BoundedQueue<Completion>
  let progress: RunProgress
  private let resolver: AdjustmentResolver
  private let reader: OriginalReader
  private(set) var counts = Counts()
  private var nextToken: UInt64 = 1

  init(
    setting: RunSetting, isForced: Bool, acceptsRemovedEdits: Bool, jobs: JobTable,
    settled: BoundedQueue<Completion>, progress: RunProgress
  ) {
    self.setting = setting
    self.isForced = isForced
    self.acceptsRemovedEdits = acceptsRemovedEdits
    self.jobs = jobs
    self.settled = settled
    self.progress = progress
    resolver = AdjustmentResolver(library: setting.library)
    reader = OriginalReader(library: setting.library)
  }

  /// Takes one line; false when no more should come.
  func take(_ line: JobLine) -> Bool {
    if setting.isStopping { return false }
    counts.taken += 1
    switch line {
    case .job(let job): return take(job)
    case .skipped(let asset, let reason):
      let job = Job(id: asset.displayed, asset: asset, adjustment: .none, outputs: [])
      return settle(context(job), Outcome(.skipped, detail: reason))
    case .invalid(let id, let problem):
      let job = Job(id: id, asset: RelativePath(bytes: []), adjustment: .none, outputs: [])
      return settle(
        context(job),
        .failed(
          RenderFailure(code: .invalidJob, stage: .intake, detail: problem.description)))
    }
  }

  private func take(_ job: Job) -> Bool {
    var context = context(job)
    let adjustment = resolver.resolve(job)
    context.adjustment = adjustment.entry
    switch adjustment {
    case .failed(let failure): return settle(context, .failed(failure))
    case .kept(let code, let detail, _): return settle(context, .kept(code, detail: detail))
    case .native(_, let filters, _): context.filters = filters
    case .none: break
    }
    let file: OriginalReader.OpenedFile
    switch reader.open(job.asset, limits: job.limits) {
    case .success(let opened): file = opened
    case .failure(let failure): return settle(context, .failed(failure))
    }
    context.sourceStatus = file.status
    context.asset.bytes = Int(file.status.size)
    context.asset.identity = file.status.identity
    context.recipe = Recipe.digest(of: job)
    let entry = setting.ledger.lookUp([LedgerKey(job: job.id)]).first.flatMap { $0 }
    var question = FreshnessQuestion(
      setting: setting, entry: entry, context: context,
      adjustment: freshnessAdjustment(adjustment, job), isForced: isForced)
    // A file whose times say nothing is read at most once, here.
    var original: OpenedOriginal?
    while true {
      switch question.decide() {
      case .fresh:
        counts.fresh += 1
        progress.wasFresh()
        return true
      case .kept(let code):
        return settle(
          context,
          .kept(
            code,
            detail: "the record that this photo was rendered with is gone; the last render stays"
              + " (put it back, or render with --accept-removed-edits)"))
      case .render(let reason):
        context.reason = reason.description
        return submit(context, file, original)
      case .needsDigest(of: .output(let index)): question.digestOutput(index)
      case .needsDigest(of: .source):
        switch reader.read(file, job.asset) {
        case .success(let opened):
          original = opened
          question.sourceDigest = opened.sha256
        case .failure(let failure): return settle(context, .failed(failure))
        }
      }
    }
  }

  private func freshnessAdjustment(_ adjustment: ResolvedAdjustment, _ job: Job)
    -> Freshness.Adjustment
  {
    if let entry = adjustment.entry { return .record(sha256: entry.sha256) }
    if case .sidecar = job.adjustment, !acceptsRemovedEdits { return .notFound }
    return .none
  }

  private func submit(
    _ context: JobContext, _ file: OriginalReader.OpenedFile, _ known: OpenedOriginal?
  ) -> Bool {
    var context = context
    let original: OpenedOriginal
    if let known {
      original = known
    } else {
      switch reader.read(file, context.job.asset) {
      case .success(let opened): original = opened
      case .failure(let failure): return settle(context, .failed(failure))
      }
    }
    context.asset.sha256 = original.sha256
    context.renderKey = Recipe.renderKey(
      source: original.sha256, adjustment: context.adjustment?.sha256,
      recipe: context.recipe ?? "", filters: context.filters)
    if original.isShared { context.sharedOriginal = original.descriptor }
    let job = context.job
    let plan = RenderPlan(
      filters: context.filters, renditions: job.outputs.map(\.rendition), tolerant: job.tolerant,
      limits: job.limits)
    jobs.insert(context)
    let request = PoolRequest(
      job: PoolJob(
        token: context.token, purpose: .render(plan), deadline: job.deadline, limits: job.limits,
        tolerant: job.tolerant), original: original.descriptor)
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
    return JobContext(
      token: nextToken, job: job, asset: JobReport.Asset(path: job.asset), assetPath: job.asset,
      taken: BootClock.now())
  }
}
