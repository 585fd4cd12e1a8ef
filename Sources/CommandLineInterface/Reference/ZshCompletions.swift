/// The completion script for zsh.
enum ZshCompletions {
  static func script(_ commands: [CommandDescription]) -> String {
    """
    #compdef minilab
    # Completions of minilab for zsh: source <(minilab completions zsh), or a file _minilab in $fpath
    _minilab() {
      local -a commands=(
    \(commands.map { "    \(entry(of: $0))\n" }.joined())  )
      if (( CURRENT == 2 )); then
        if [[ $words[2] == -* ]]; then
          _arguments '--help[Show the help]' '--version[Show the version]'
        else
          _describe -t commands command commands
        fi
        return
      fi
      local command=$words[2]
      shift words
      (( CURRENT-- ))
      case $command in
    \(commands.map(arguments).joined())  esac
    }
    if [[ $funcstack[1] == _minilab ]]; then
      _minilab "$@"
    else
      compdef _minilab minilab
    fi

    """
  }

  private static func entry(of command: CommandDescription) -> String {
    ShellQuote.posix("\(command.name):\(escaped(command.summary))")
  }

  private static func arguments(of command: CommandDescription) -> String {
    var specifications = command.allFlags.map { flag in
      let summary = "[\(escaped(flag.summary))]"
      guard let value = flag.value else { return "--\(flag.name)\(summary)" }
      return "--\(flag.name)=\(summary):\(name(of: value)):\(action(for: value.completion))"
    }
    if let operand = command.operand {
      let position = operand.count == .oneOrMore ? "*" : "1"
      specifications.append("\(position):\(operand.name):\(action(for: operand.completion))")
    }
    let lines = specifications.map { " \\\n        \(ShellQuote.posix($0))" }.joined()
    return "    \(command.name))\n      _arguments -S\(lines);;\n"
  }

  private static func name(of value: ValueDescription) -> String {
    if case .words = value.completion { return "value" }
    return escaped(value.placeholder)
  }

  private static func action(for completion: ValueCompletion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .directories: "_files -/"
    case .words(let list): "(\(list.joined(separator: " ")))"
    }
  }

  /// Colons and brackets end the parts of a specification.
  private static func escaped(_ text: String) -> String {
    text.map { ":[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
