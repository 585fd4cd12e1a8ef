import Adjustments
import Ledger
import RenderModel
import SystemSupport

/// What a job needs, as far as it can be told without its pixels.
enum JobDecision: Sendable {
  case fresh(JobFindings)
  case render(RenderReason, JobFindings)
  case settled(JobContext, Outcome)
}

/// What was found out about a job, and the files that were opened for it.
struct JobFindings: Sendable {
  var context: JobContext
  /// What the ledger knows; nil for a job that it does not know.
  var entry: LedgerEntry?
  var file: OriginalReader.OpenedFile
  /// What its filters read.
  var filterFiles: [FilterFiles.Found]
  /// nil unless the original had to be read to decide.
  var original: OpenedOriginal?
  /// Those of the filters' files that had to be read to decide.
  var read: [Int: FilterFiles.Ready] = [:]
}

/// Reads all that decides about one job: its record, its original's times, what the ledger knows of it.
///
/// It changes nothing, and reads a file's content only where its times do not tell enough.
struct JobDecider: Sendable {
  let output: Directory
  let ledger: any Ledger
  let isForced: Bool
  let acceptsRemovedEdits: Bool
  let reader: OriginalReader
  let filterFiles: FilterFiles
  private let resolver: AdjustmentResolver
  private let recipes = RecipeMemo()

  init(
    library: Directory, output: Directory, ledger: any Ledger, isForced: Bool,
    acceptsRemovedEdits: Bool
  ) {
    self.output = output
    self.ledger = ledger
    self.isForced = isForced
    self.acceptsRemovedEdits = acceptsRemovedEdits
    reader = OriginalReader(library: library)
    filterFiles = FilterFiles(library: library)
    resolver = AdjustmentResolver(library: library)
  }

  func decide(_ taken: JobContext) throws(LedgerError) -> JobDecision {
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
    let entry = try ledger.lookUp(job.id)
    return decide(
      JobFindings(context: context, entry: entry, file: file, filterFiles: found),
      freshnessAdjustment(adjustment, job))
  }

  private func decide(
    _ known: JobFindings, _ adjustment: Freshness.Adjustment
  ) -> JobDecision {
    var findings = known
    var question = FreshnessQuestion(
      output: output, entry: known.entry, context: known.context, adjustment: adjustment,
      files: known.filterFiles, isForced: isForced)
    // A file whose times say nothing is read at most once, here.
    while true {
      switch question.decide() {
      case .fresh: return .fresh(findings)
      case .kept(let code):
        return .settled(findings.context, .kept(code, detail: Self.recordIsGone))
      case .render(let reason):
        findings.context.reason = reason.description
        return .render(reason, findings)
      case .needsDigest(of: .output(let index)): question.digestOutput(index)
      case .needsDigest(of: .resource(let index)):
        switch filterFiles.read(findings.filterFiles[index]) {
        case .success(let ready):
          findings.read[index] = ready
          question.resourceDigested(index, ready.sha256)
        case .failure(let failure): return .settled(findings.context, .failed(failure))
        }
      case .needsDigest(of: .source):
        switch reader.read(findings.file, findings.context.job.asset) {
        case .success(let opened):
          findings.original = opened
          question.sourceDigest = opened.sha256
        case .failure(let failure): return .settled(findings.context, .failed(failure))
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
}
