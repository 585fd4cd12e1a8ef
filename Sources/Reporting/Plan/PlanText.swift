import RenderModel

/// A plan, told to a person: what would be done and why, what it would cost, what stands in the way.
package enum PlanText {
  /// One job of a list: what would be done, why, and which job it is.
  package static func line(_ job: PlannedJob) -> String {
    let cause = job.action == .kept ? job.code : job.reason ?? job.code
    let words = column(job.action.rawValue, 12) + column(cause ?? "", 32)
    return DisplayText.escaped(words + job.job)
  }

  /// Ends with a newline.
  package static func text(_ plan: PlanSummary) -> String {
    var lines = [headline(plan.totals)]
    for action in PlannedJob.Action.allCases where action != .fresh {
      let groups = plan.groups.filter { $0.action == action }
      if groups.isEmpty { continue }
      lines.append(heading(action))
      lines += groups.prefix(mostGroups).map(line)
      let rest = groups.dropFirst(mostGroups)
      if !rest.isEmpty {
        lines.append("  ... and \(rest.count) more causes, \(rest.reduce(0) { $0 + $1.jobs }) jobs")
      }
      lines += groups.compactMap { advice($0) }
    }
    lines += cost(plan)
    if let engine = plan.engineDiffers { lines.append(line(engine)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let mostGroups = 20

  private static func headline(_ totals: PlanSummary.Totals) -> String {
    let counts: [(Int, String)] = [
      (totals.render, "to render"), (totals.refresh, "to be given other metadata"),
      (totals.fresh, "up to date"), (totals.kept, "kept"), (totals.skipped, "skipped"),
      (totals.failed, totals.failed == 1 ? "fails" : "fail"),
      (totals.quarantined, "quarantined"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let jobs = "\(totals.planned) \(totals.planned == 1 ? "job" : "jobs")"
    return parts.isEmpty ? jobs : jobs + ": " + parts.joined(separator: ", ")
  }

  private static func heading(_ action: PlannedJob.Action) -> String {
    switch action {
    case .render: "To render, by reason:"
    case .refresh: "To be given other metadata:"
    case .fresh: "Up to date:"
    case .kept: "Kept as they are:"
    case .skipped: "Skipped:"
    case .failed: "Fail before they start:"
    case .quarantined: "Set aside:"
    }
  }

  private static func line(_ group: PlanSummary.Group) -> String {
    var line = "  " + column(words[group.cause] ?? group.cause, 40) + "\(group.jobs)"
    if group.action != .failed, group.cause != "notSelected", let megapixels = group.megapixels {
      line += String(repeating: " ", count: max(1, 50 - line.count))
      line += NumberText.short(megapixels) + " MP"
      if group.estimated == group.jobs {
        line += " (estimated)"
      } else if group.estimated > 0 {
        line += " (\(group.estimated) estimated)"
      }
    }
    return DisplayText.escaped(line)
  }

  private static let words = [
    "notSelected": "not in the selection", "leftForLater": "left for later: other reasons",
  ]

  private static func advice(_ group: PlanSummary.Group) -> String? {
    guard group.action == .kept, group.cause == KeptCode.recordMissing.rawValue else { return nil }
    return "  Put the records back, or render without edits with --accept-removed-edits."
  }

  private static func cost(_ plan: PlanSummary) -> [String] {
    guard let quote = plan.quote else {
      return plan.quoteMissing.map { ["No quote: \($0)."] } ?? []
    }
    let work =
      quote.coreHours >= 0.1
      ? "\(NumberText.short(quote.coreHours)) core-hours"
      : "\(NumberText.short(quote.cpuSeconds)) s of CPU time"
    var line = "Quote: \(work), at least "
    line += "\(NumberText.clock(quote.wallSeconds)) with \(quote.workers) "
    line += quote.workers == 1 ? "worker" : "workers"
    line += "; \(size(quote.writtenBytes)) written, \(size(quote.peakDiskBytes)) of disk at most"
    if let free = quote.freeDiskBytes {
      line += free < quote.peakDiskBytes ? " (ONLY \(size(free)) ARE FREE)" : ""
    }
    let renders = quote.basis.renders == 1 ? "1 render" : "\(quote.basis.renders) renders"
    line += "; from \(renders) of \(NumberText.short(quote.basis.megapixels)) MP."
    return [line]
  }

  private static func line(_ engine: PlanSummary.EngineDifference) -> String {
    let renders = engine.jobs == 1 ? "1 up-to-date job was" : "\(engine.jobs) up-to-date jobs were"
    return "\(renders) rendered by other versions of the libraries; --rebuild-on engine renders "
      + (engine.jobs == 1 ? "it" : "them") + " again."
  }

  private static func size(_ bytes: Int) -> String {
    let units = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
    for (unit, name) in units where bytes >= unit {
      return NumberText.short(Double(bytes) / Double(unit)) + " " + name
    }
    return "\(bytes) bytes"
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
