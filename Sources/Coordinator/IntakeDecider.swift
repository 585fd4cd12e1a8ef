import Adjustments
import Ledger
import RenderModel
import SystemSupport

/// What is to be done with one job.
enum IntakeDecision: Sendable {
  case settled(JobContext, Outcome)
  case fresh
  case render(JobContext, OpenedOriginal)
}

/// Reads all that decides about one job: its record, its original, what the ledger knows of it.
struct IntakeDecider: Sendable {
  let setting: RunSetting
  let isForced: Bool
  let acceptsRemovedEdits: Bool
  private let resolver: AdjustmentResolver
  private let reader: OriginalReader

  init(setting: RunSetting, isForced: Bool, acceptsRemovedEdits: Bool) {
    self.setting = setting
    self.isForced = isForced
    self.acceptsRemovedEdits = acceptsRemovedEdits
    resolver = AdjustmentResolver(library: setting.library)
    reader = OriginalReader(library: setting.library)
  }

  func decide(_ taken: JobContext) -> IntakeDecision {
    var context = taken
    let job = context.job
    let adjustment = resolver.resolve(job)
    context.adjustment = adjustment.entry
    switch adjustment {
    case .failed(let failure): return .settled(context, .failed(failure))
    case .kept(let code, let detail, _): return .settled(context, .kept(code, detail: detail))
    case .native(_, let filters, _): context.filters = filters
    case .none: break
    }
    let file: OriginalReader.OpenedFile
    switch reader.open(job.asset, limits: job.limits) {
    case .success(let opened): file = opened
    case .failure(let failure): return .settled(context, .failed(failure))
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
      case .fresh: return .fresh
      case .kept(let code): return .settled(context, .kept(code, detail: Self.recordIsGone))
      case .render(let reason):
        context.reason = reason.description
        return prepare(context, file, original)
      case .needsDigest(of: .output(let index)): question.digestOutput(index)
      case .needsDigest(of: .source):
        switch reader.read(file, job.asset) {
        case .success(let opened):
          original = opened
          question.sourceDigest = opened.sha256
        case .failure(let failure): return .settled(context, .failed(failure))
        }
      }
    }
  }

  private static let recordIsGone =
    "the record that this photo was rendered with is gone; the last render stays"
    + " (put it back, or render with --accept-removed-edits)"

  private func freshnessAdjustment(_ adjustment: ResolvedAdjustment, _ job: Job)
    -> Freshness.Adjustment
  {
    if let entry = adjustment.entry { return .record(sha256: entry.sha256) }
    if case .sidecar = job.adjustment, !acceptsRemovedEdits { return .notFound }
    return .none
  }

  private func prepare(
    _ planned: JobContext, _ file: OriginalReader.OpenedFile, _ known: OpenedOriginal?
  ) -> IntakeDecision {
    var context = planned
    let original: OpenedOriginal
    if let known {
      original = known
    } else {
      switch reader.read(file, context.job.asset) {
      case .success(let opened): original = opened
      case .failure(let failure): return .settled(context, .failed(failure))
      }
    }
    context.asset.sha256 = original.sha256
    // A file touched within this clock tick may change once more and look the same: next time it is
    // read again.
    if context.asset.identity?.isSettled(at: WallClock.now()) != true {
      context.asset.identity = nil
    }
    context.renderKey = Recipe.renderKey(
      source: original.sha256, adjustment: context.adjustment?.sha256,
      recipe: context.recipe ?? "", filters: context.filters)
    if original.isShared { context.sharedOriginal = original.descriptor }
    return .render(context, original)
  }
}
