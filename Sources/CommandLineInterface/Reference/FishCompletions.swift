/// The completion script for fish.
enum FishCompletions {
  static func script(_ commands: [CommandDescription]) -> String {
    let names = commands.map(\.name).joined(separator: " ")
    var lines = [
      "# Completions of minilab for fish: ~/.config/fish/completions/minilab.fish",
      "complete -c minilab -f",
      "set -l commands \(names)",
      "complete -c minilab -n \"not __fish_seen_subcommand_from $commands\" -l help -s h"
        + " -d 'Show the help'",
      "complete -c minilab -n \"not __fish_seen_subcommand_from $commands\" -l version"
        + " -d 'Show the version'",
    ]
    for command in commands {
      lines.append(
        "complete -c minilab -n \"not __fish_seen_subcommand_from $commands\""
          + " -a \(command.name) -d \(ShellQuote.fish(command.summary))")
    }
    for command in commands {
      let condition = "complete -c minilab -n '__fish_seen_subcommand_from \(command.name)'"
      lines += command.allFlags.map { "\(condition) \(flag($0))" }
      if let action = command.operand.flatMap({ action(for: $0.completion) }) {
        lines.append("\(condition) \(action)")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func flag(_ flag: FlagDescription) -> String {
    let head = "-l \(flag.name) -d \(ShellQuote.fish(flag.summary))"
    guard let value = flag.value else { return head }
    if value.completion == .files { return "\(head) -r -F" }
    return "\(head) -x" + (action(for: value.completion).map { " \($0)" } ?? "")
  }

  private static func action(for completion: ValueCompletion) -> String? {
    switch completion {
    case .none: nil
    case .files: "-F"
    case .directories: "-a '(__fish_complete_directories)'"
    case .words(let list): "-a \(ShellQuote.fish(list.joined(separator: " ")))"
    }
  }
}
