package import RenderModel

/// The end of a run, told to a person: what was done, what was not and why, what to do next.
package enum SummaryText {
  private static let namedFailures = 20

  /// `folder` is where the run's summary and journal are; `elapsed` in seconds. Ends with a newline.
  package static func text(_ summary: RunSummary, elapsed: Double, folder: String) -> String {
    var lines = [headline(summary, elapsed: elapsed)]
    let shown = summary.failures.prefix(namedFailures)
    if !shown.isEmpty {
      lines.append("Not rendered:")
      lines += shown.map { "  " + FailureText.line($0) }
      let rest = summary.failures.count - shown.count + summary.failuresOmitted
      if rest > 0 { lines.append("  ... and \(rest) more, in the report") }
    }
    let advice = self.advice(summary.failures)
    if !advice.isEmpty { lines += ["What helps:"] + advice.map { "  " + $0 } }
    if let jobs = summary.engineDiffers {
      lines.append(
        "\(jobs) up to date, but made by other versions of the libraries; --rebuild-on engine "
          + "renders such jobs again")
    }
    lines.append(
      "Report: \(DisplayText.escaped(folder))/summary.json, one line a job in journal.jsonl")
    if let next = next(summary) { lines.append(next) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func headline(_ summary: RunSummary, elapsed: Double) -> String {
    let totals = summary.totals
    let counts: [(Int, String)] = [
      (totals.rendered, "rendered"), (totals.degraded, "degraded"),
      (totals.fresh, "up to date"), (totals.kept, "kept"), (totals.skipped, "skipped"),
      (totals.failed, "failed"), (totals.timedOut, "timed out"),
      (totals.quarantined, "quarantined"), (totals.cancelled, "put back"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var line = "\(totals.planned) \(totals.planned == 1 ? "job" : "jobs")"
    line += " in \(NumberText.short(elapsed)) s"
    if !parts.isEmpty { line += ": " + parts.joined(separator: ", ") }
    let throughput = summary.throughput
    if throughput.megapixelsPerSecond > 0 {
      line += " (\(NumberText.short(throughput.megapixelsPerSecond)) MP/s,"
      line += " \(NumberText.short(throughput.cpuSecondsPerMegapixel)) CPU s/MP)"
    }
    return line
  }

  /// One line for each kind of failure, in the order in which they occurred.
  private static func advice(_ failures: [RunSummary.Failure]) -> [String] {
    var seen: Set<String> = []
    var lines: [String] = []
    for failure in failures {
      let isSetAside = failure.state == OutcomeState.quarantined.rawValue
      let kind = isSetAside ? failure.state : failure.code ?? failure.state
      guard seen.insert(kind).inserted,
        let advice = FailureText.advice(state: failure.state, code: failure.code)
      else { continue }
      lines.append("\(DisplayText.escaped(kind)): \(advice)")
    }
    return lines
  }

  private static func next(_ summary: RunSummary) -> String? {
    switch ExitStatus(rawValue: summary.exitStatus) {
    case .internalError where !summary.balanced:
      "The accounts do not balance: \(summary.totals.planned) planned, "
        + "\(summary.totals.accounted) accounted for. This is a fault of Minilab's own."
    case .outputUnwritable:
      "The run stopped because the output cannot be written. Put that right, then run the same "
        + "command again."
    case .interrupted: "The run was interrupted. Run the same command again to finish the rest."
    case .someFailed:
      "Run the same command again when the causes are put right: what is done stays done."
    default: nil
    }
  }
}
