/// The completion script for bash.
enum BashCompletions {
  static func script(_ commands: [CommandDescription]) -> String {
    """
    # Completions of minilab for bash: source <(minilab completions bash)
    _minilab() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
      local command='' word
      COMPREPLY=()
      # bash splits --name=value into three words.
      if [[ $current == '=' ]]; then
        current=''
      elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
      fi
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word != -* ]]; then command=$word; break; fi
      done
      case "$command $previous" in
    \(commands.map(values).joined())  esac
      if [[ -z $command ]]; then
        \(words(commands.map(\.name) + ["--help", "--version"]))
        return
      fi
      if [[ $current == -* ]]; then
        case $command in
    \(commands.map(flags).joined())    esac
        return
      fi
      case $command in
    \(commands.compactMap(operands).joined())  esac
    }
    complete -F _minilab minilab

    """
  }

  private static func values(of command: CommandDescription) -> String {
    command.flags.compactMap { flag in
      flag.value.map { value in
        let action = action(for: value.completion) ?? ":"
        return "    '\(command.name) --\(flag.name)') \(action); return;;\n"
      }
    }.joined()
  }

  private static func flags(of command: CommandDescription) -> String {
    "      \(command.name)) \(words(command.allFlags.map { "--\($0.name)" }));;\n"
  }

  private static func operands(of command: CommandDescription) -> String? {
    command.operand.flatMap { action(for: $0.completion) }
      .map { "    \(command.name)) \($0);;\n" }
  }

  private static func action(for completion: ValueCompletion) -> String? {
    switch completion {
    case .none: nil
    case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .directories: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
    case .words(let list): words(list)
    }
  }

  private static func words(_ list: [String]) -> String {
    let quoted = ShellQuote.posix(list.joined(separator: " "))
    return "mapfile -t COMPREPLY < <(compgen -W \(quoted) -- \"$current\")"
  }
}
