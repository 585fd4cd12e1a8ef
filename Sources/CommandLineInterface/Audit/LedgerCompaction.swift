import Coordinator
import JSONText
import RenderModel
import SystemSupport

/// `minilab ledger compact`.
enum LedgerCompaction {
  static func perform(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(UsageProblem) -> ExitStatus {
    guard let output = arguments[LedgerCommand.output] else {
      throw .missingFlag(LedgerCommand.output.description.spelling)
    }
    let session: AuditSession
    do {
      session = try AuditSession(
        output: output, state: arguments[LedgerCommand.state], progress: .none,
        environment: context.environment, name: "")
    } catch {
      throw .refused("\(error)")
    }
    do throws(LedgerAccess.Refusal) {
      let result = try JournalCompaction.perform(
        session.access, keepRuns: arguments[LedgerCommand.keepRuns])
      switch arguments[LedgerCommand.format] ?? .text {
      case .text: context.output.writeLine(result.words)
      case .json:
        context.output.writeLine(
          JSONEscaping.object([
            ("shortened", "\(result.shortened)"), ("removed", "\(result.removed)"),
            ("lines", "\(result.lines)"), ("before", "\(result.before)"),
            ("after", "\(result.after)"),
          ]))
      }
      return .success
    } catch {
      return session.refuse(error)
    }
  }
}
