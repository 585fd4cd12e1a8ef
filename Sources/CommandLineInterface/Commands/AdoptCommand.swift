import Coordinator
import Journal
import Manifest
import RenderModel
import Reporting
import SystemSupport
import WorkerPool

/// `minilab adopt`: accepts existing outputs as current.
package enum AdoptCommand {
  static let dryRun = Switch(
    "dry-run", group: .work, "Say what would be adopted and what not; no report is written")
  static let acceptOlder = Switch(
    "accept-older", group: .work,
    "Adopt outputs that are older than their original, its record or its LUTs as well")

  package static let command = Command(description) { arguments, context throws(UsageProblem) in
    try perform(arguments, context)
  }

  static let description = CommandDescription(
    name: "adopt",
    summary: "Accept existing outputs as current, without rendering",
    discussion: [
      "For renders that another program made, or whose state folder was lost. A job is adopted when "
        + "all its outputs are there under their names, and each is of the type and the size that the "
        + "job would give it. Headers are read in sealed processes. From then on the job is up to "
        + "date, until its original, its record, its filters or what is asked for changes.",
      "Nothing of the outputs is touched. What a picture shows is not compared: adopt what you trust. "
        + "Where a filter decides the size (straighten, perspective, pad, border) it is said that it "
        + "could not be checked. Status 3 means that a job was refused.",
    ],
    operand: CommandDescription.Operand(
      "MANIFEST", .oneOrMore, "Manifests, or folders, whose jobs are to be adopted",
      completion: .files),
    flags: [
      AuditFlags.output.description, AuditFlags.library.description, dryRun.description,
      acceptOlder.description, AuditFlags.workers.description, RenderFlags.sandbox.description,
      AuditFlags.state.description, AuditFlags.progress.description,
      AuditFlags.format.description,
    ],
    examples: [
      .init(
        "minilab adopt jobs/nightly.json --output /renders --dry-run",
        "See what would be adopted, and what not and why."),
      .init("minilab adopt jobs/nightly.json --output /renders", "Adopt what is right."),
      .init(
        "minilab adopt jobs/nightly.json --output /renders --accept-older --format json",
        "Take renders for current whose originals were copied later; for a program."),
    ],
    exitStatuses: [
      .success, .internalError, .someFailed, .usage, .manifestInvalid, .storeUnreachable,
      .outputUnwritable, .interrupted, .sandboxUnavailable, .configuration,
    ])

  private static func perform(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(UsageProblem) -> ExitStatus {
    guard let output = arguments[AuditFlags.output] else {
      throw .missingFlag(AuditFlags.output.description.spelling)
    }
    let manifests = arguments.operands.map { HostPath(bytes: $0.bytes) }
    for manifest in manifests { try manifest.requireText("the manifest") }
    try arguments[AuditFlags.library]?.requireText("the library")
    let session: AuditSession
    do {
      session = try AuditSession(
        output: output, state: arguments[AuditFlags.state],
        progress: arguments[AuditFlags.progress] ?? .auto, environment: context.environment,
        name: RunIdentifier().text)
    } catch {
      throw .refused("\(error)")
    }
    guard let program = WorkerLocation.runningProgram(),
      let worker = WorkerLocation.find(program: program)
    else {
      session.display.note(
        "\(WorkerLocation.name) is not beside this program; install both together")
      return .configuration
    }
    let resources = HostResources.detect()
    var adoption = LibraryAdoption(
      access: session.access, manifestPaths: manifests.map(\.text),
      pool: PoolConfiguration(
        slots: arguments[AuditFlags.workers] ?? resources.cpus,
        memoryBudget: MemoryBudget.bytes(resources)),
      worker: WorkerSettings(
        programPath: worker,
        arguments: [
          "--zygote", "--sandbox", (arguments[RenderFlags.sandbox] ?? .required).rawValue,
        ]))
    adoption.manifestOptions.library = arguments[AuditFlags.library]?.text
    adoption.isDryRun = arguments[dryRun]
    adoption.acceptsOlder = arguments[acceptOlder]
    let lines = AuditLines(
      output: context.output, format: arguments[AuditFlags.format] ?? .text)
    adoption.onRemark = { lines.write($0, text: $0.line) }
    adoption.onProgress = { session.display.update($0) }
    do throws(LedgerAccess.Refusal) {
      let summary = try adoption.perform()
      session.display.finish()
      lines.write(summary, text: summary.text)
      return ExitStatus(rawValue: summary.exitStatus) ?? .internalError
    } catch {
      return session.refuse(error)
    }
  }
}
