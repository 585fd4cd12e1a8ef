import RenderModel
import SystemSupport
import WorkerPool
import WorkerProtocol

extension RunSetting {
  /// The report of a job that was decided without a process.
  func report(_ context: JobContext, outcome: Outcome, attempt: Int) -> JobReport {
    var report = JobReport(
      job: context.job.id, run: run, attempt: attempt, asset: context.asset, outcome: outcome)
    report.adjustment = context.adjustment
    report.filters = context.filters.map { .init(name: $0.name, version: $0.version) }
    if !context.resources.isEmpty { report.resources = context.resources }
    report.renderKey = context.renderKey
    report.recipe = context.recipe
    report.reason = context.reason
    report.quarantine = context.quarantine
    return report
  }

  /// The report of a job that a process worked on.
  func report(_ context: JobContext, finished: PoolOutcome) -> JobReport {
    var report = report(
      context, outcome: outcome(of: finished, context), attempt: finished.attempt)
    if let header = finished.header {
      report.asset.type = header.type.rawValue
      report.asset.width = header.width
      report.asset.height = header.height
      report.asset.orientation = header.orientation
      report.asset.profile = header.profile
      report.asset.captured = header.captured
      let name = report.asset.relativePath.map { String(decoding: $0.pathExtension, as: UTF8.self) }
      let notes =
        [name.flatMap { header.type.note(onExtension: $0) }].compactMap { $0 } + header.notes
      report.asset.notes = notes.isEmpty ? nil : notes
    }
    report.timings.queue = finished.queueTime
    report.timings.header = finished.headerTime
    report.peakMemory = finished.usage.peakResidentBytes
    report.cpu = Double(finished.usage.cpuMicroseconds) / 1000
    if finished.isStrike { report.strike = quarantine?.limits(of: context.job) }
    report.deadline = finished.deadlineLimit.map {
      JobReport.Deadline(limit: $0, overshoot: finished.overshoot)
    }
    if case .rendered(let result) = finished.verdict {
      report.losses = result.losses
      report.notes = result.notes.isEmpty ? nil : result.notes
      report.lossNotes = result.lossNotes.isEmpty ? nil : result.lossNotes
      report.timings.decode = result.stageTimes.decode
      report.timings.filter = result.stageTimes.filter
      report.timings.encode = result.stageTimes.encode
    }
    let worker = workerDescription
    report.sandbox = worker?.sandbox ?? []
    report.engine = worker?.engine ?? [:]
    report.engine["minilab"] = ProgramVersion.current
    return report
  }

  private func outcome(of finished: PoolOutcome, _ context: JobContext) -> Outcome {
    switch finished.verdict {
    case .rendered(let result):
      if result.damage.isEmpty { return Outcome(.rendered) }
      return Outcome(.degraded, detail: result.damage.joined(separator: "; "))
    case .failed(let failure): return .failed(failure)
    case .timedOut(let stage):
      if stage == .verify {
        return Outcome(
          .timedOut, stage: stage, detail: "killed at the deadline for a look at its outputs")
      }
      let limit = finished.deadlineLimit.map { "its deadline of \(Int($0)) ms" }
      return Outcome(
        .timedOut, stage: stage,
        detail: "killed at \(limit ?? "the deadline of the header step")")
    case .cancelled: return Outcome(.cancelled, detail: "stopped before it was done")
    case .header, .probed:
      return .failed(
        RenderFailure(code: .internal, stage: .verify, detail: "an answer that nobody asked for"))
    }
  }
}
