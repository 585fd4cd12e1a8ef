import Adjustments
import Ledger
import RenderModel
import SystemSupport

/// What is to be done with one job.
enum IntakeDecision: Sendable {
  case settled(JobContext, Outcome)
  case fresh
  /// Nothing could be decided: it goes back without a report, which would say that it was tried.
  case returned
  case render(JobContext, OpenedInput)
}

/// All the files that a job's process is given to read.
struct OpenedInput: Sendable {
  var original: OpenedOriginal
  /// In the order of the plan.
  var files: [FilterFiles.Ready] = []
  /// The outputs that are given other metadata, one a rendition; empty for a render.
  var existing: [OwnedDescriptor] = []
}

/// Reads all that decides about one job: its record, its original, what the ledger knows of it.
struct IntakeDecider: Sendable {
  let setting: RunSetting
  let isForced: Bool
  let acceptsRemovedEdits: Bool
  /// Outputs get other metadata or stay as they are; nothing is rendered.
  let refreshesMetadata: Bool
  private let resolver: AdjustmentResolver
  private let reader: OriginalReader
  private let filterFiles: FilterFiles
  private let recipes = RecipeMemo()

  init(
    setting: RunSetting, isForced: Bool, acceptsRemovedEdits: Bool, refreshesMetadata: Bool = false
  ) {
    self.setting = setting
    self.isForced = isForced
    self.acceptsRemovedEdits = acceptsRemovedEdits
    self.refreshesMetadata = refreshesMetadata
    resolver = AdjustmentResolver(library: setting.library)
    reader = OriginalReader(library: setting.library)
    filterFiles = FilterFiles(library: setting.library)
  }

  func decide(_ taken: JobContext) -> IntakeDecision {
    var context = taken
    let job = context.job
    let adjustment = resolver.resolve(job)
    context.adjustment = adjustment.entry
    switch adjustment {
    case .failed(let failure): return .settled(context, .failed(failure))
    case .kept(let code, let detail, _): return .settled(context, .kept(code, detail: detail))
    case .native, .none: break
    }
    var found: [FilterFiles.Found] = []
    if case .native(_, let filters, let entry) = adjustment {
      switch filterFiles.find(filters, of: entry.relativePath) {
      case .success(let resolved): (context.filters, found) = (resolved.steps, resolved.files)
      case .failure(let failure): return .settled(context, .failed(failure))
      }
    }
    do throws(RenderFailure) {
      context.job.outputs = try filterFiles.find(profilesOf: job.outputs, files: &found)
    } catch {
      return .settled(context, .failed(error))
    }
    let file: OriginalReader.OpenedFile
    switch reader.open(job.asset, limits: job.limits) {
    case .success(let opened): file = opened
    case .failure(let failure): return .settled(context, .failed(failure))
    }
    context.sourceStatus = file.status
    context.asset.bytes = Int(file.status.size)
    context.asset.identity = file.status.identity
    context.recipe = recipes.digest(of: job)
    let entry: LedgerEntry?
    do throws(LedgerError) {
      entry = try setting.ledger.lookUp(job.id)
    } catch {
      setting.ledgerFailed(error)
      return .returned
    }
    var question = FreshnessQuestion(
      setting: setting, entry: entry, context: context,
      adjustment: freshnessAdjustment(adjustment, job), files: found, isForced: isForced)
    // A file whose times say nothing is read at most once, here.
    var original: OpenedOriginal?
    var read: [Int: FilterFiles.Ready] = [:]
    while true {
      switch question.decide() {
      case .fresh: return .fresh
      case .kept(let code): return .settled(context, .kept(code, detail: Self.recordIsGone))
      case .render(let reason):
        context.reason = reason.description
        let decision = prepare(context, file, original, found, read)
        return refreshesMetadata ? refresh(decision, entry) : decision
      case .needsDigest(of: .output(let index)): question.digestOutput(index)
      case .needsDigest(of: .resource(let index)):
        switch filterFiles.read(found[index]) {
        case .success(let ready):
          read[index] = ready
          question.resourceDigested(index, ready.sha256)
        case .failure(let failure): return .settled(context, .failed(failure))
        }
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

  /// A render becomes a refresh of what was rendered, where that is enough.
  private func refresh(_ decision: IntakeDecision, _ entry: LedgerEntry?) -> IntakeDecision {
    guard case .render(let context, var input) = decision else { return decision }
    do throws(RefreshableOutputs.Refusal) {
      input.existing = try RefreshableOutputs(
        output: setting.output, entry: entry, context: context, isForced: isForced
      ).open()
      return .render(context, input)
    } catch {
      return .settled(context, .kept(.pixelsOutdated, detail: error.detail))
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
    _ planned: JobContext, _ file: OriginalReader.OpenedFile, _ known: OpenedOriginal?,
    _ found: [FilterFiles.Found], _ read: [Int: FilterFiles.Ready]
  ) -> IntakeDecision {
    var context = planned
    var files: [FilterFiles.Ready] = []
    for (index, file) in found.enumerated() {
      switch read[index].map(Result.success) ?? filterFiles.read(file) {
      case .success(let ready): files.append(ready)
      case .failure(let failure): return .settled(context, .failed(failure))
      }
    }
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
      recipe: context.recipe ?? "", filters: context.filters, files: files.map(\.sha256))
    context.resources = files.map(\.entry)
    context.sharedFiles = files.filter(\.isShared).map(\.found)
    if original.isShared { context.sharedOriginal = original.descriptor }
    return .render(context, OpenedInput(original: original, files: files))
  }
}

extension FilterFiles.Ready {
  /// What the report says of the file.
  fileprivate var entry: JobReport.Resource {
    let identity = found.status.identity
    return JobReport.Resource(
      path: found.path, bytes: Int(found.status.size), sha256: sha256,
      identity: identity.isSettled(at: WallClock.now()) ? identity : nil)
  }
}
