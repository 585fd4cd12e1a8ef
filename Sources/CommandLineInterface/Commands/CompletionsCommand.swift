import RenderModel

/// `minilab completions`: a script that teaches a shell the commands and options.
package enum CompletionsCommand {
  package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
  }

  private static let form = ValueForm<Shell>.choice()

  package static let command = Command(
    CommandDescription(
      name: "completions",
      summary: "Write a completion script for a shell",
      operand: CommandDescription.Operand(
        "SHELL", .one, "bash, zsh or fish", completion: form.completion),
      examples: [
        .init("source <(minilab completions bash)", "Complete in this shell; zsh likewise."),
        .init(
          "minilab completions fish > ~/.config/fish/completions/minilab.fish",
          "Complete in every fish shell from now on."),
      ],
      exitStatuses: [.success, .usage])
  ) { arguments, context throws(UsageProblem) in
    guard let word = arguments.operands.first else { throw .missingOperand("SHELL") }
    guard let shell = form.read(word) else {
      throw .invalidValue(
        source: "SHELL", value: word.displayed, expectation: form.expectation)
    }
    context.output.write(script(for: shell, commands: CommandTable.descriptions))
    return .success
  }

  package static func script(for shell: Shell, commands: [CommandDescription]) -> String {
    switch shell {
    case .bash: BashCompletions.script(commands)
    case .zsh: ZshCompletions.script(commands)
    case .fish: FishCompletions.script(commands)
    }
  }
}
