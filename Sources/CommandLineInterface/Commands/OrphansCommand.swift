import Coordinator
import Journal
import Manifest
import RenderModel
import Reporting
import SystemSupport

/// `minilab orphans`: outputs that no job makes any more.
package enum OrphansCommand {
  static let prune = Switch(
    "prune", group: .work, "Remove them; without it they are only listed")
  static let yes = Switch(
    "yes", group: .work,
    "Remove them even when they are more than 1 % of all outputs that are known")
  static let list = Switch(
    "list", group: .reporting, "Name each of them, where text would only add up folders")

  package static let command = Command(description) { arguments, context throws(UsageProblem) in
    try perform(arguments, context)
  }

  static let description = CommandDescription(
    name: "orphans",
    summary: "List or remove outputs that no job makes any more",
    discussion: [
      "Photos leave a library, and templates of names change: their renders stay. An orphan is a file "
        + "that a run of this output folder reported and that no job of the given manifests makes. "
        + "Give all manifests that render into the folder. Files of others are never touched.",
      "With --prune they are removed, each only if its bytes are still those that were reported, and "
        + "the removal is written down in the journal. It is refused when a manifest has problems, "
        + "when a library is missing or empty, and above 1 % of all known outputs without --yes. Status 3 means that one could not be removed.",
    ],
    operand: CommandDescription.Operand(
      "MANIFEST", .oneOrMore, "All manifests, or folders, that render into the output folder",
      completion: .files),
    flags: [
      AuditFlags.output.description, AuditFlags.library.description, prune.description,
      yes.description, AuditFlags.workers.description, AuditFlags.state.description,
      AuditFlags.progress.description, AuditFlags.format.description, list.description,
    ],
    examples: [
      .init("minilab orphans jobs/*.json --output /renders", "See how much could go, by folder."),
      .init(
        "minilab orphans jobs/*.json --output /renders --list", "See each file that could go."),
      .init("minilab orphans jobs/*.json --output /renders --prune", "Remove them."),
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
    if arguments[yes], !arguments[prune] {
      throw .refused("--yes says that --prune may go on; without --prune nothing is removed")
    }
    let session: AuditSession
    do {
      session = try AuditSession(
        output: output, state: arguments[AuditFlags.state],
        progress: arguments[AuditFlags.progress] ?? .auto, environment: context.environment,
        name: RunIdentifier().text)
    } catch {
      throw .refused("\(error)")
    }
    var orphans = LibraryOrphans(
      access: session.access, manifestPaths: manifests.map(\.text),
      threads: arguments[AuditFlags.workers] ?? HostResources.detect().cpus)
    orphans.manifestOptions.library = arguments[AuditFlags.library]?.text
    orphans.prunes = arguments[prune]
    orphans.isSure = arguments[yes]
    let format = arguments[AuditFlags.format] ?? .text
    let lines = AuditLines(output: context.output, format: format)
    let isListed = format == .json || arguments[list]
    orphans.onOrphan = { line in
      // What stays although it was to go is always named.
      guard isListed || line.kind == .changed || line.kind == .failed else { return }
      lines.write(line, text: line.line)
    }
    orphans.onProgress = { session.display.update($0) }
    do throws(LedgerAccess.Refusal) {
      let summary = try orphans.perform()
      session.display.finish()
      lines.write(summary, text: summary.text)
      return ExitStatus(rawValue: summary.exitStatus) ?? .internalError
    } catch {
      return session.refuse(error)
    }
  }
}
