import Manifest
import RenderModel
import SystemSupport

/// `minilab validate`: every problem of a manifest, with file, line and field.
package enum ValidateCommand {
  package enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  package enum Answer: String, Sendable, CaseIterable {
    case yes, no
  }

  package static let library = Flag(
    "library", .directory(),
    "The folder that assets are found beneath, in place of the manifest's own", environment: true)
  package static let output = Flag(
    "output", .directory(),
    "Check also that no output name meets a folder or a link in this folder", environment: true)
  package static let caseInsensitive = Flag(
    "case-insensitive", ValueForm<Answer>.choice(),
    "Whether output names that differ only in case are one file", standard: "no")
  package static let format = Flag(
    "format", ValueForm<Format>.choice(), "Text for a person or JSON for a program",
    standard: "text")

  package static let command = Command(
    CommandDescription(
      name: "validate",
      summary: "Report every problem of manifests",
      discussion: [
        "Each line is FILE:LINE:COLUMN: FIELD: PROBLEM, as editors and compilers write it. Nothing "
          + "is started, and nothing is changed."
      ],
      operand: CommandDescription.Operand(
        "MANIFEST", .oneOrMore,
        "A manifest (JSON or JSON Lines), - for standard input, or a folder of pictures",
        completion: .files),
      flags: [
        library.description, output.description, caseInsensitive.description, format.description,
      ],
      examples: [
        .init("minilab validate jobs/nightly.json", "Check one manifest."),
        .init(
          "minilab validate jobs/nightly.jsonl --output /renders --format json",
          "Check against an output folder, for a program."),
      ],
      exitStatuses: [.success, .usage, .manifestInvalid])
  ) { arguments, context throws(UsageProblem) in
    let paths = arguments.operands.map { HostPath(bytes: $0.bytes) }
    for path in paths { try path.requireText("the manifest") }
    let report = ValidationReport(paths: paths, options: try options(from: arguments))
    switch arguments[format] ?? .text {
    case .text: context.output.write(report.text)
    case .json: context.output.write(report.json)
    }
    for entry in report.entries {
      guard case .unreadable(let reason) = entry.finding else { continue }
      context.talk.writeLine(context.talk.style.error("error:") + " " + reason)
    }
    return report.isValid ? .success : .manifestInvalid
  }

  private static func options(
    from arguments: ParsedArguments
  ) throws(UsageProblem) -> ManifestOptions {
    var options = ManifestOptions()
    try arguments[library]?.requireText("the library")
    options.library = arguments[library]?.text
    options.reportsRecordFaults = true
    options.caseInsensitiveOutput = arguments[caseInsensitive] == .yes
    // The order of a selection decides nothing that is checked, so no header is read for it.
    options.captureDates = { paths in paths.map { _ in nil } }
    if let output = arguments[output] {
      do {
        options.outputRoot = try Directory(path: output.bytes)
      } catch  where error.isNotFound {
        // A folder that is still to be made holds nothing that a name could meet.
      } catch {
        throw .refused("--output \(output.displayed) cannot be opened: \(error.reason)")
      }
    }
    return options
  }
}
