import Adjustments
import Ledger
import RenderModel
import SystemSupport

/// What is to be done with one job.
enum IntakeDecision: Sendable {
  case settled(JobContext, Outcome)
  /// With the versions of the libraries that made the outputs, where they are known.
  case fresh(engine: String?)
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
  private let scope: DecisionScope
  private let decider: JobDecider

  init(
    setting: RunSetting, isForced: Bool, acceptsRemovedEdits: Bool, ignoresTimes: Bool = false,
    refreshesMetadata: Bool = false, scope: DecisionScope = DecisionScope()
  ) {
    self.setting = setting
    self.refreshesMetadata = refreshesMetadata
    self.scope = scope
    decider = JobDecider(
      library: setting.library, output: setting.output, ledger: setting.ledger,
      isForced: isForced, acceptsRemovedEdits: acceptsRemovedEdits, ignoresTimes: ignoresTimes)
  }

  func decide(_ taken: JobContext) -> IntakeDecision {
    let decision: JobDecision
    do throws(LedgerError) {
      decision = scope.narrow(try decider.decide(taken))
    } catch {
      setting.ledgerFailed(error)
      return .returned
    }
    switch decision {
    case .fresh(let findings):
      if let entry = findings.refreshed { setting.recorder.refresh(entry) }
      return .fresh(engine: findings.entry?.engine)
    case .settled(let context, let outcome): return .settled(context, outcome)
    case .render(let reason, var findings):
      let known = setting.quarantine?.evidence(of: findings.context, findings.entry)
      if let known { return findings.context.setAside(for: known) }
      findings.context.hasOtherNames =
        reason == .recipeChanged && JobDecider.hasOtherNames(findings)
      let prepared = prepare(findings)
      return refreshesMetadata ? refresh(prepared, findings.entry) : prepared
    }
  }

  /// A render becomes a refresh of what was rendered, where that is enough.
  private func refresh(_ decision: IntakeDecision, _ entry: LedgerEntry?) -> IntakeDecision {
    guard case .render(let context, var input) = decision else { return decision }
    switch decider.refreshable(context, entry) {
    case .success(let existing):
      input.existing = existing
      return .render(context, input)
    case .failure(let refusal):
      return .settled(context, .kept(.pixelsOutdated, detail: refusal.detail))
    }
  }

  private func prepare(_ findings: JobFindings) -> IntakeDecision {
    var context = findings.context
    let files: [FilterFiles.Ready]
    switch decider.readFilterFiles(of: findings) {
    case .success(let ready): files = ready
    case .failure(let failure): return .settled(context, .failed(failure))
    }
    let original: OpenedOriginal
    switch decider.original(of: findings) {
    case .success(let opened): original = opened
    case .failure(let failure): return .settled(context, .failed(failure))
    }
    context.asset.sha256 = original.sha256
    let struck = setting.quarantine?.evidence(of: context, content: original.sha256)
    if let struck { return context.setAside(for: struck) }
    // A file touched within the clock tick in which it was opened may change once more and look the
    // same: next time it is read again.
    if context.asset.identity?.isSettled(at: findings.file.opened) != true {
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
      identity: identity.isSettled(at: found.opened) ? identity : nil)
  }
}
