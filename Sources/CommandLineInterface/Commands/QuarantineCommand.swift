import Coordinator
import Ledger
import RenderModel
import SQLiteLedger

/// `minilab quarantine`: shows which pictures have ended their processes, and lets them be tried again.
package enum QuarantineCommand {
  package enum Action: String, Sendable, CaseIterable {
    case list, release
  }

  package static let all = Switch("all", "Release all; only with release, and without a JOB")

  package static let command = Command(
    CommandDescription(
      name: "quarantine",
      summary: "List pictures that are not tried any more, or let them be tried",
      discussion: [
        "A picture that crashes its process, hangs or runs out of memory gets a strike. One that has "
          + "as many as allowed (--quarantine-after of 'minilab render') is quarantined: it is not "
          + "tried again, until its content changes, another version of Minilab or of a library is "
          + "there, or it is given more of what it lacked (a longer deadline after a hang, half as "
          + "much memory again after anything else). A render that succeeds clears its strikes.",
        "list shows all pictures that have strikes, with the evidence. release forgets the strikes "
          + "of some jobs or of all; copies of a picture are released with it. That is written to a "
          + "journal, so that it outlives the ledger. Both refuse while a run holds the state folder.",
      ],
      operand: CommandDescription.Operand(
        "ACTION", .oneOrMore, "list or release; after release, the ids of the jobs that are meant",
        completion: .words(Action.allCases.map(\.rawValue)), spelling: "list|release [JOB...]"),
      flags: [
        LedgerCommand.output.description, LedgerCommand.state.description, all.description,
        LedgerCommand.format.description,
      ],
      examples: [
        .init("minilab quarantine list --output /renders", "List what has strikes, and why."),
        .init(
          "minilab quarantine list --output /renders --format json",
          "The same for a program, one a line."),
        .init(
          "minilab quarantine release --output /renders 2024/harbour.jpg",
          "Let one be tried again in the next run."),
        .init(
          "minilab quarantine release --all --output /renders", "Let all of them be tried again."),
      ],
      exitStatuses: [
        .success, .internalError, .usage, .storeUnreachable, .outputUnwritable, .configuration,
      ])
  ) { arguments, context throws(UsageProblem) in
    let wish = try wish(of: arguments)
    guard let output = arguments[LedgerCommand.output] else {
      throw .missingFlag(LedgerCommand.output.description.spelling)
    }
    let notes = LedgerNotes()
    defer { notes.write(to: context.talk) }
    let access = LedgerAccess(
      outputPath: output.bytes, statePath: arguments[LedgerCommand.state]?.bytes,
      openLedger: { state throws(LedgerError) in
        try SQLiteLedger.open(in: state) { notes.add($0) }
      }, onNote: { notes.add($0) })
    let listing = QuarantineListing(
      output: context.output, format: arguments[LedgerCommand.format] ?? .text)
    var unknown: String?
    do throws(LedgerAccess.Refusal) {
      switch wish {
      case .list:
        listing.show(try access.with { ledger, _ in try LedgerAccess.struck(ledger) })
      case .release(let jobs):
        switch try access.release(jobs) {
        case .released(let entries): listing.say(released: entries)
        case .notStruck(let job): unknown = job
        }
      }
    } catch {
      context.talk.writeLine(context.talk.style.error("error:") + " " + error.words)
      return error.status
    }
    if let unknown {
      throw .refused(
        "the job '\(DisplayText.escaped(unknown))' has no strikes; "
          + "'minilab quarantine list' shows those that have, and nothing was released")
    }
    return .success
  }

  private enum Wish {
    case list
    /// These jobs; all when none is named.
    case release([String])
  }

  private static func wish(of arguments: ParsedArguments) throws(UsageProblem) -> Wish {
    let words = arguments.operands
    switch words.first.flatMap({ Action(rawValue: $0.text) }) {
    case .list:
      if words.count > 1 { throw .unexpectedOperand(words[1].displayed) }
      if arguments[all] { throw .refused("--all goes with release; list shows all anyway") }
      return .list
    case .release:
      let jobs = words.dropFirst().map(\.text)
      if jobs.isEmpty != arguments[all] {
        throw .refused(
          jobs.isEmpty
            ? "name the jobs to release, or release all with --all"
            : "--all and the names of jobs do not go together")
      }
      return .release(jobs)
    case nil:
      throw .refused(
        "'\(words.first?.displayed ?? "")' is nothing that can be done with the quarantine: "
          + "list and release are")
    }
  }
}
