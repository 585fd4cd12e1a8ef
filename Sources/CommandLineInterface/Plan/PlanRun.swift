import Coordinator
import RenderModel
import Reporting
import SystemSupport

/// Makes the plan that was asked for and tells it.
package enum PlanRun {
  static func perform(_ options: PlanOptions, output: TextStream, environment: [String: String])
    -> ExitStatus
  {
    let display = ProgressDisplay(style: .none, environment: environment)
    guard let program = WorkerLocation.runningProgram(),
      let worker = WorkerLocation.find(program: program)
    else {
      display.note("\(WorkerLocation.name) is not beside this program; install both together")
      return .configuration
    }
    guard
      let configuration = RenderRun.configuration(
        options.render, program: program, worker: worker, display: display)
    else { return .configuration }
    let coordinator = PlanCoordinator(
      configuration, processors: HostResources.detect().cpus,
      engine: { WorkerEnquiry.engine(program: program) })
    if let name = options.explained { return explain(name, coordinator, options, output, display) }
    let end = coordinator.perform { job in
      if options.isListed, job.isListed { tell(job, options, output) }
      // A reader who has gone wants no more.
      return output.state == .open
    }
    switch end {
    case .refused(let status, let words):
      display.note(words)
      return status
    case .manifestInvalid(let problems, let more):
      RenderRun.tell(problems, more: more, display)
      return .manifestInvalid
    case .planned(let summary): return tell(summary, options, output)
    }
  }

  private static func explain(
    _ name: [UInt8], _ coordinator: PlanCoordinator, _ options: PlanOptions, _ output: TextStream,
    _ display: ProgressDisplay
  ) -> ExitStatus {
    let end = coordinator.explain(name) { story in
      switch options.format {
      case .text: output.write(ExplanationText.page(story))
      case .json: if let line = ExplanationJSON.object(story) { output.writeLine(line) }
      }
    }
    switch end {
    case .refused(let status, let words):
      display.note(words)
      return status
    case .manifestInvalid(let problems, let more):
      RenderRun.tell(problems, more: more, display)
      return .manifestInvalid
    case .told(0):
      display.note(
        "no job of these manifests has the id or the asset '\(Argument(bytes: name).displayed)', and "
          + "none is recorded; 'minilab ledger show' lists what is recorded")
      return .usage
    case .told: return .success
    }
  }

  private static func tell(_ job: PlannedJob, _ options: PlanOptions, _ output: TextStream) {
    switch options.format {
    case .text: output.writeLine(PlanText.line(job))
    case .json: if let line = try? ReportText.line(job) { output.writeLine(line) }
    }
  }

  private static func tell(_ summary: PlanSummary, _ options: PlanOptions, _ output: TextStream)
    -> ExitStatus
  {
    switch options.format {
    case .json:
      guard let line = try? ReportText.line(summary) else { return .internalError }
      output.writeLine(line)
    case .text: output.write(PlanText.text(summary))
    }
    return .success
  }
}

extension WorkerEnquiry {
  /// The versions of the libraries that the worker of a program renders with; nil when it cannot say.
  static func engine(program: String) -> String? {
    guard case .described(_, let worker) = ask(program: program) else { return nil }
    return EngineVersions.text(
      of: Dictionary(worker.engine.map { ($0.name, $0.number) }) { _, later in later })
  }
}
