import Ledger
import RenderModel

/// `minilab render`: carries manifests through.
package enum RenderCommand {
  package static let command = Command(description) { arguments, context throws(UsageProblem) in
    context.performRender(try options(from: arguments))
  }

  package static let description = CommandDescription(
    name: "render",
    summary: "Render the photos of manifests",
    discussion: [
      "Every job runs in a sealed process of its own, under a deadline, and is published whole or "
        + "not at all. Jobs that are up to date already are left alone. A run that was stopped is "
        + "continued by running the same command again."
    ],
    operand: CommandDescription.Operand(
      "MANIFEST", .oneOrMore,
      "A manifest (JSON or JSON Lines), or a folder, which means all its pictures",
      completion: .files),
    flags: RenderFlags.descriptions,
    examples: [
      .init(
        "minilab render jobs/nightly.json --output /renders",
        "Render what changed since the last run."),
      .init(
        "minilab render /photos --output /renders --limit 20 --workers 2",
        "Try the first twenty photos of a folder."),
      .init(
        "minilab render nightly.jsonl --output /renders --format json --progress none",
        "Run from a schedule: only the summary, as JSON."),
      .init(
        "minilab render nightly.jsonl --output /renders --fail-on 1% --drain 30s",
        "Accept that one photo in a hundred does not render; stop gently when asked to."),
      .init(
        "minilab render jobs.jsonl --output /renders --only-reason lookChanged:x.cube",
        "Render only what one changed LUT made stale; leave the rest for later."),
    ],
    exitStatuses: [
      .success, .internalError, .someFailed, .usage, .manifestInvalid, .outputUnwritable,
      .interrupted, .sandboxUnavailable, .configuration,
    ])

  /// The options as a value; throws for what is well written but cannot be had.
  package static func options(
    from arguments: ParsedArguments
  ) throws(UsageProblem) -> RenderOptions {
    guard let output = arguments[RenderFlags.output] else {
      throw .missingFlag(RenderFlags.output.description.spelling)
    }
    var options = RenderOptions(
      manifests: arguments.operands.map { HostPath(bytes: $0.bytes) }, output: output)
    for manifest in options.manifests { try manifest.requireText("the manifest") }
    options.library = arguments[RenderFlags.library]
    try options.library?.requireText("the library")
    options.limit = arguments[RenderFlags.limit]
    options.force = arguments[RenderFlags.force]
    options.onlyReasons = try reasons(of: arguments)
    options.rebuildOn = arguments[RenderFlags.rebuildOn]
    options.tolerant = arguments[RenderFlags.tolerant]
    options.acceptRemovedEdits = arguments[RenderFlags.acceptRemovedEdits]
    options.checksum = arguments[RenderFlags.checksum]
    options.metadataOnly = arguments[RenderFlags.metadataOnly]
    options.workers = arguments[RenderFlags.workers]
    options.memoryBytes = arguments[RenderFlags.memory]
    options.deadlineMilliseconds = arguments[RenderFlags.deadline]
    options.maxOutputBytes = arguments[RenderFlags.maxOutputBytes]
    options.state = arguments[RenderFlags.state]
    options.keepRuns = arguments[RenderFlags.keepRuns]
    if let value = arguments[RenderFlags.invalid] { options.invalid = value }
    if let value = arguments[RenderFlags.caseInsensitive] { options.caseInsensitive = value }
    if let value = arguments[RenderFlags.drain] { options.drainMilliseconds = value }
    if let value = arguments[RenderFlags.verify] { options.verification = value }
    if let value = arguments[RenderFlags.isolation] { options.isolation = value }
    if let value = arguments[RenderFlags.sandbox] { options.sandbox = value }
    if let value = arguments[RenderFlags.progress] { options.progress = value }
    if let value = arguments[RenderFlags.format] { options.format = value }
    if let value = arguments[RenderFlags.quarantineAfter] { options.quarantineAfter = value }
    if let value = arguments[RenderFlags.failOn] { options.failOn = value }
    if options.isolation == .reuse {
      throw .refused("--isolation reuse is not available yet; use --isolation fork")
    }
    return options
  }

  /// What a run is narrowed to; refused where no job could ever have such a reason.
  private static func reasons(
    of arguments: ParsedArguments
  ) throws(UsageProblem) -> ReasonSelection? {
    guard let text = arguments[RenderFlags.onlyReason] else { return nil }
    let reasons: ReasonSelection
    do throws(ReasonSelection.Fault) {
      reasons = try ReasonSelection(parsing: text)
    } catch {
      throw .refused("--only-reason: \(error.message)")
    }
    if arguments[RenderFlags.force], !reasons.mentions(.forced) {
      throw .refused(
        "with --force every job has the reason 'forced', so --only-reason would leave them all; "
          + "give one of the two")
    }
    if reasons.consists(of: [.engineDiffers]), arguments[RenderFlags.rebuildOn] == nil {
      throw .refused(
        "engineDiffers is a reason only with --rebuild-on engine; give that too")
    }
    return reasons
  }
}
