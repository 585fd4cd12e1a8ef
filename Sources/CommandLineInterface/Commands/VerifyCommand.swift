import Coordinator
import Journal
import Manifest
import RenderModel
import Reporting
import SystemSupport

/// `minilab verify`: audits outputs against their reports.
package enum VerifyCommand {
  static let quick = Switch(
    "quick", group: .work,
    "Compare sizes, inodes and times only; nothing is read, so rot is not found")
  static let sample = Flag(
    "sample", .share(), group: .work, "Look at that share of the files only, drawn anew each time")

  package static let command = Command(description) { arguments, context throws(UsageProblem) in
    try perform(arguments, context)
  }

  static let description = CommandDescription(
    name: "verify",
    summary: "Audit outputs against their reports",
    discussion: [
      "Every output that is known, or those of the given manifests, is read again: is it there, of "
        + "its size, with its SHA-256? Report files beside renders must be JSON that speaks of the "
        + "same outputs. Whatever is not so is a line with the path and the job.",
      "Nothing is deleted. What was found damaged although its times look untouched is remembered, so "
        + "that the next render makes it again. A render cannot run on the same folder meanwhile. Status 3 "
        + "means that something was found.",
    ],
    operand: CommandDescription.Operand(
      "MANIFEST", .any,
      "Manifests, or folders, whose jobs are meant; none means all that are known",
      completion: .files),
    flags: [
      AuditFlags.output.description, AuditFlags.library.description, quick.description,
      sample.description, AuditFlags.workers.description, AuditFlags.state.description,
      AuditFlags.progress.description, AuditFlags.format.description,
    ],
    examples: [
      .init("minilab verify --output /renders", "Read every output again."),
      .init(
        "minilab verify --output /renders --quick", "See in seconds what was touched or is gone."),
      .init(
        "minilab verify --output /renders --sample 5% --progress none --format json",
        "From a schedule: a twentieth each night, for a program."),
      .init(
        "minilab verify --output /renders jobs/nightly.json", "Only the jobs of one manifest."),
    ],
    exitStatuses: [
      .success, .internalError, .someFailed, .usage, .manifestInvalid, .storeUnreachable,
      .outputUnwritable, .interrupted, .configuration,
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
    var verification = LibraryVerification(
      access: session.access, threads: arguments[AuditFlags.workers] ?? HostResources.detect().cpus)
    verification.manifestPaths = manifests.map(\.text)
    verification.manifestOptions.library = arguments[AuditFlags.library]?.text
    verification.isQuick = arguments[quick]
    verification.sample = arguments[sample]
    let lines = AuditLines(
      output: context.output, format: arguments[AuditFlags.format] ?? .text)
    verification.onFinding = { lines.write($0, text: $0.line) }
    verification.onProgress = { session.display.update($0) }
    do throws(LedgerAccess.Refusal) {
      let summary = try verification.perform()
      session.display.finish()
      lines.write(summary, text: summary.text(elapsed: session.elapsed))
      return ExitStatus(rawValue: summary.exitStatus) ?? .internalError
    } catch {
      return session.refuse(error)
    }
  }
}

/// Results as they come: a line each, for a person or as JSON.
struct AuditLines {
  let output: TextStream
  let format: AuditFlags.Format

  /// `text` may have several lines, and its newline at the end or not.
  func write(_ value: some Encodable, text: @autoclosure () -> String) {
    switch format {
    case .json: output.writeLine((try? ReportText.line(value)) ?? "")
    case .text:
      let text = text()
      output.write(text.hasSuffix("\n") ? text : text + "\n")
    }
  }
}
