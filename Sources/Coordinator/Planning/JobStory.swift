import Adjustments
import Ledger
import RenderModel
import Reporting
import SystemSupport

/// Compares all that is recorded of one job with what is there, reading every file.
struct JobStory {
  let planner: JobPlanner
  let job: Job
  let decision: JobDecision
  let entry: LedgerEntry
  /// The versions that would render; nil when nobody can say.
  let engine: String?

  private typealias Comparison = ExplainedJob.Comparison

  func comparisons() -> [ExplainedJob.Comparison] {
    var list = [adjustment, source, recipe].compactMap { $0 }
    list += filters + files + [lastAttempt] + outputs
    if let engine, let made = entry.engine {
      list.append(Comparison(.engine, recorded: made, now: engine, same: made == engine))
    }
    if let index = deciding(list) { list[index].decides = true }
    return list
  }

  private var context: JobContext {
    switch decision {
    case .fresh(let findings), .render(_, let findings): findings.context
    case .settled(let context, _): context
    }
  }

  private var findings: JobFindings? {
    switch decision {
    case .fresh(let findings), .render(_, let findings): findings
    case .settled: nil
    }
  }

  // MARK: - What it is made from

  private var adjustment: Comparison? {
    let now = context.adjustment
    let recorded =
      entry.adjustment.map { "\($0.formatIdentifier) \($0.formatVersion), \($0.sha256)" }
      ?? (entry.hadRecord ? "there was one" : nil)
    let present = now.map { "\($0.formatIdentifier) \($0.formatVersion), \($0.sha256)" }
    if recorded == nil, present == nil { return nil }
    return Comparison(
      .adjustment, recorded: recorded, now: present,
      same: entry.adjustment?.sha256 == now?.sha256 && (now != nil || !entry.hadRecord))
  }

  private var source: Comparison? {
    guard let recorded = entry.source?.sha256 else { return nil }
    var now: String?
    if case .success(let file) = planner.decider.reader.open(job.asset, limits: job.limits),
      case .success(let read) = planner.decider.reader.read(file, job.asset)
    {
      now = read.sha256
    }
    return Comparison(.source, recorded: recorded, now: now, same: recorded == now)
  }

  private var recipe: Comparison? {
    guard let now = context.recipe else { return nil }
    return Comparison(.recipe, recorded: entry.recipe, now: now, same: entry.recipe == now)
  }

  /// Of a changed record the filters are others anyway.
  private var filters: [Comparison] {
    guard entry.adjustment?.sha256 == context.adjustment?.sha256 else { return [] }
    var now: [String: Set<Int>] = [:]
    for filter in context.filters { now[filter.name, default: []].insert(filter.version) }
    return entry.filters.map { filter in
      let versions = now[filter.name] ?? []
      let isSame = versions.contains(filter.version)
      return Comparison(
        .filter, filter.name, recorded: "\(filter.version)",
        now: (isSame ? filter.version : versions.max()).map(String.init), same: isSame)
    }
  }

  private var files: [Comparison] {
    guard let findings, entry.adjustment?.sha256 == context.adjustment?.sha256 else { return [] }
    let count = max(findings.filterFiles.count, entry.resources.count)
    return (0..<count).map { index in
      let before = entry.resources.indices.contains(index) ? entry.resources[index] : nil
      let found = findings.filterFiles.indices.contains(index) ? findings.filterFiles[index] : nil
      var now: String?
      if let found, case .success(let read) = planner.decider.filterFiles.read(found) {
        now = read.sha256
      }
      return Comparison(
        .file, (found?.path ?? before?.path)?.displayed ?? "",
        recorded: before?.sha256, now: now, same: before?.sha256 == now)
    }
  }

  private var lastAttempt: Comparison {
    let settled: [OutcomeState] = [.rendered, .degraded, .kept]
    let text = entry.outcome.rawValue + (entry.code.map { "(\($0))" } ?? "")
    let isDone = settled.contains(entry.outcome) && !entry.outputs.isEmpty
    return Comparison(.lastAttempt, recorded: text, now: nil, same: isDone)
  }

  // MARK: - What was made

  private var outputs: [Comparison] {
    let output = planner.decider.output
    var list: [Comparison] = []
    if let path = entry.reportFile {
      let isThere = (try? output.status(path.bytes))?.kind == .regular
      list.append(
        Comparison(
          .reportFile, recorded: path.displayed, now: isThere ? path.displayed : nil,
          same: isThere))
    }
    return list
      + entry.outputs.map { known in
        var now: String?
        if let file = try? output.openBeneath(
          known.path.bytes, flags: FileFlags.readNonBlocking)
        {
          now = try? FileDigest.sha256(of: file)
        }
        return Comparison(
          .output, "\(known.rendition): \(known.path.displayed)",
          recorded: known.sha256, now: now, same: now == known.sha256)
      }
  }

  // MARK: - What decides

  /// The comparison that the decision names; nil when it rests on none of them.
  private func deciding(_ list: [Comparison]) -> Int? {
    func first(_ subjects: ExplainedJob.Subject..., where fits: (Comparison) -> Bool) -> Int? {
      list.firstIndex { subjects.contains($0.subject) && !$0.same && fits($0) }
    }
    switch decision {
    case .fresh: return nil
    case .settled(_, let outcome):
      guard outcome.code == KeptCode.recordMissing.rawValue else { return nil }
      return first(.adjustment) { _ in true }
    case .render(let reason, _):
      switch reason {
      case .new: return first(.lastAttempt) { _ in true }
      case .sourceChanged: return first(.source) { _ in true }
      case .adjustmentChanged: return first(.adjustment) { _ in true }
      case .recipeChanged: return first(.recipe) { _ in true }
      case .filterChanged(let name, _, _): return first(.filter) { $0.name == name }
      case .lookChanged(let file): return first(.file) { $0.name == file }
      case .outputMissing: return first(.reportFile, .output) { $0.now == nil }
      case .outputDamaged: return first(.output) { $0.now != nil }
      case .engineDiffers: return first(.engine) { _ in true }
      case .forced: return nil
      }
    }
  }
}
