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

/// Decides about jobs as `JobDecider` does, and makes ready what is to be rendered.
struct IntakeDecider: Sendable {
  let setting: RunSetting
  /// Outputs get other metadata or stay as they are; nothing is rendered.
  let refreshesMetadata: Bool
  private let decider: JobDecider

  init(
    setting: RunSetting, isForced: Bool, acceptsRemovedEdits: Bool, refreshesMetadata: Bool = false
  ) {
    self.setting = setting
    self.refreshesMetadata = refreshesMetadata
    decider = JobDecider(
      library: setting.library, output: setting.output, ledger: setting.ledger,
      isForced: isForced, acceptsRemovedEdits: acceptsRemovedEdits)
  }

  func decide(_ taken: JobContext) -> IntakeDecision {
    let decision: JobDecision
    do throws(LedgerError) {
      decision = try decider.decide(taken)
    } catch {
      setting.ledgerFailed(error)
      return .returned
    }
    switch decision {
    case .fresh: return .fresh
    case .settled(let context, let outcome): return .settled(context, outcome)
    case .render(_, let findings):
      let prepared = prepare(findings)
      return refreshesMetadata ? refresh(prepared, findings.entry) : prepared
    }
  }

  /// A render becomes a refresh of what was rendered, where that is enough.
  private func refresh(_ decision: IntakeDecision, _ entry: LedgerEntry?) -> IntakeDecision {
    guard case .render(let context, var input) = decision else { return decision }
    do throws(RefreshableOutputs.Refusal) {
      input.existing = try RefreshableOutputs(
        output: setting.output, entry: entry, context: context, isForced: decider.isForced
      ).open()
      return .render(context, input)
    } catch {
      return .settled(context, .kept(.pixelsOutdated, detail: error.detail))
    }
  }

  private func prepare(_ findings: JobFindings) -> IntakeDecision {
    var context = findings.context
    var files: [FilterFiles.Ready] = []
    for (index, file) in findings.filterFiles.enumerated() {
      switch findings.read[index].map(Result.success) ?? decider.filterFiles.read(file) {
      case .success(let ready): files.append(ready)
      case .failure(let failure): return .settled(context, .failed(failure))
      }
    }
    let original: OpenedOriginal
    if let known = findings.original {
      original = known
    } else {
      switch decider.reader.read(findings.file, context.job.asset) {
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
  var entry: JobReport.Resource {
    let identity = found.status.identity
    return JobReport.Resource(
      path: found.path, bytes: Int(found.status.size), sha256: sha256,
      identity: identity.isSettled(at: WallClock.now()) ? identity : nil)
  }
}
