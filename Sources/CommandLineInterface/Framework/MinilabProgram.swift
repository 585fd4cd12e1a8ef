package import RenderModel
import SystemSupport

/// The program `minilab`: finds the command, runs it, and makes the exit status.
package struct MinilabProgram {
  private let context: CommandContext

  package init(_ context: CommandContext) { self.context = context }

  /// Runs a command line without the program's own name.
  package func run(_ words: [Argument]) -> ExitStatus {
    let status: ExitStatus
    do {
      status = try dispatch(words)
    } catch {
      explain(error, words)
      status = .usage
    }
    return settle(status)
  }

  private func dispatch(_ words: [Argument]) throws(UsageProblem) -> ExitStatus {
    guard let first = words.first else { throw .noCommand }
    switch first {
    case "--help", "-h":
      context.output.write(HelpText(style: context.output.style).overview())
      return .success
    case "--version":
      context.output.writeLine(ProductVersion.line)
      return .success
    default: break
    }
    if first.hasPrefix("-") {
      throw .unknownFlag(
        first.displayed,
        nearest: Spelling.nearest(to: first.text, among: ["--help", "--version"]))
    }
    let command = try CommandTable.find(first.text)
    let parser = ArgumentParser(command.description, environment: context.environment)
    let arguments = try parser.parse(Array(words.dropFirst()))
    if arguments[CommonFlags.help] {
      context.output.write(HelpText(style: context.output.style).page(of: command.description))
      return .success
    }
    return try command.run(arguments, context)
  }

  private func explain(_ problem: UsageProblem, _ words: [Argument]) {
    let command = words.first.flatMap { word in
      CommandTable.descriptions.first { Argument($0.name) == word }
    }
    context.talk.writeLine(context.talk.style.error("error:") + " " + problem.message)
    if problem == .noCommand {
      context.talk.write("\n" + HelpText(style: context.talk.style).overview())
      return
    }
    context.talk.writeLine("usage: " + (command?.usage ?? HelpText.programUsage))
    let help = command.map { "minilab \($0.name) --help" } ?? "minilab --help"
    context.talk.writeLine("See '\(help)' for more.")
  }

  /// A result that could not be written is no success; a reader who has gone is.
  private func settle(_ status: ExitStatus) -> ExitStatus {
    guard case .failed(let number) = context.output.state else { return status }
    context.talk.writeLine(
      context.talk.style.error("error:")
        + " standard output cannot be written: "
        + SystemError(operation: "write", errno: number).reason)
    return status == .success ? .outputUnwritable : status
  }
}
