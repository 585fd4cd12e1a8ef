import Coordinator
import Ledger
import RenderModel
import SQLiteLedger

/// `minilab ledger`: shows or rebuilds what is known of each job.
package enum LedgerCommand {
  package enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  package enum Action: String, Sendable, CaseIterable {
    case show, rebuild, compact
  }

  package static let output = Flag(
    "output", .directory(), "The output folder of the runs that are meant", isRequired: true,
    environment: true)
  package static let state = Flag(
    "state", .directory(), "Their folder of journals, ledger, staging and lock",
    standard: "OUTPUT/.minilab", environment: true)
  package static let keepRuns = Flag(
    "keep-runs", .count(from: 1),
    "compact: leave the newest N runs whole, and remove older ones that say nothing any more",
    standard: "1, and no run is removed")
  package static let format = Flag(
    "format", ValueForm<Format>.choice(),
    "Text for a person, or for a program one JSON object a line for each job", standard: "text")

  package static let command = Command(
    CommandDescription(
      name: "ledger",
      summary: "Show or rebuild what is known of each job",
      discussion: [
        "The ledger is an index over the journals of all runs: what each job's outputs were last "
          + "made from, and how its last attempt ended. It decides what is up to date.",
        "show brings it up to the journals and lists all jobs, or tells everything about some. "
          + "rebuild forgets it and makes it anew from the journals, which are the truth. A run that "
          + "finds no ledger does that by itself.",
        "compact shortens the journals of old runs to what is still the last word on a job; what is "
          + "known stays exactly the same. All refuse while a run holds the state folder.",
      ],
      operand: CommandDescription.Operand(
        "ACTION", .oneOrMore,
        "show, rebuild or compact; after show, the ids of the jobs that are meant",
        completion: .words(Action.allCases.map(\.rawValue)),
        spelling: "show|rebuild|compact [JOB...]"),
      flags: [
        output.description, state.description, keepRuns.description, format.description,
      ],
      examples: [
        .init("minilab ledger show --output /renders", "List all jobs that are known."),
        .init(
          "minilab ledger show --output /renders 2024/harbour.jpg",
          "Tell everything about one job."),
        .init(
          "minilab ledger show --output /renders --format json",
          "All jobs for a program, one a line."),
        .init("minilab ledger rebuild --output /renders", "Make it anew from the journals."),
        .init(
          "minilab ledger compact --output /renders --keep-runs 30",
          "Keep a month of nightly runs, and of older ones what still counts."),
      ],
      exitStatuses: [
        .success, .internalError, .usage, .storeUnreachable, .outputUnwritable, .interrupted,
        .configuration,
      ])
  ) { arguments, context throws(UsageProblem) in
    let jobs = try jobs(of: arguments)
    let isCompaction = arguments.operands.first?.text == Action.compact.rawValue
    if arguments[keepRuns] != nil, !isCompaction {
      throw .refused("--keep-runs belongs to 'minilab ledger compact'")
    }
    if isCompaction { return try LedgerCompaction.perform(arguments, context) }
    guard let output = arguments[output] else {
      throw .missingFlag(Self.output.description.spelling)
    }
    let notes = LedgerNotes()
    defer { notes.write(to: context.talk) }
    let access = LedgerAccess(
      outputPath: output.bytes, statePath: arguments[state]?.bytes,
      openLedger: { state throws(LedgerError) in
        try SQLiteLedger.open(in: state) { notes.add($0) }
      }, onNote: { notes.add($0) })
    let listing = LedgerListing(output: context.output, format: arguments[format] ?? .text)
    var unknown: String?
    do throws(LedgerAccess.Refusal) {
      if let jobs {
        unknown = try access.with { ledger, _ in try listing.show(ledger, jobs) }
      } else {
        try access.with(anew: true) { ledger, read in listing.say(read, jobs: try ledger.count()) }
      }
    } catch {
      context.talk.writeLine(context.talk.style.error("error:") + " " + error.words)
      return error.status
    }
    if let unknown {
      throw .refused(
        "the ledger knows no job '\(DisplayText.escaped(unknown))'; "
          + "'minilab ledger show' lists all that it knows")
    }
    return .success
  }

  /// The jobs to show, none for all; nil to rebuild.
  private static func jobs(of arguments: ParsedArguments) throws(UsageProblem) -> [String]? {
    let words = arguments.operands
    switch words.first.flatMap({ Action(rawValue: $0.text) }) {
    case .show: return words.dropFirst().map(\.text)
    case .rebuild, .compact:
      if words.count > 1 { throw .unexpectedOperand(words[1].displayed) }
      return nil
    case nil:
      throw .refused(
        "'\(words.first?.displayed ?? "")' is nothing that can be done with a ledger: "
          + "show, rebuild and compact are")
    }
  }
}
