import RenderModel

/// The reference of all commands as Markdown: `docs/cli.md` is this text.
package enum MarkdownReference {
  package static func document() -> String {
    let commands = CommandTable.descriptions
    let index = commands.map { "- [`minilab \($0.name)`](#minilab-\($0.name)): \($0.summary)\n" }
    return """
      # Command line

      <!-- Made by scripts/docs from the program's own descriptions; edit those. -->

      \(HelpText.programSummary)

      Results go to standard output; everything said to a person goes to standard error.
      `--name value` and `--name=value` mean the same; of an option given twice the last one counts;
      `--` ends the options. An environment variable stands in for an option that is not given.
      Colour is for terminals only and never used when `NO_COLOR` is set. A reader who closes the
      pipe early is no error.


      """ + index.joined() + commands.map { "\n" + section(of: $0) }.joined() + exitStatuses()
  }

  package static func section(of command: CommandDescription) -> String {
    var text = "## minilab \(command.name)\n\n\(command.summary).\n\n"
    text += command.discussion.map { $0 + "\n\n" }.joined()
    text += "```\n\(command.usage)\n```\n"
    if let operand = command.operand {
      text += "\n- `\(operand.name)`: \(operand.summary)\n"
    }
    for group in FlagGroup.allCases {
      let flags = command.allFlags.filter { $0.group == group }
      if flags.isEmpty { continue }
      text += "\n**\(group.rawValue)**\n\n"
      text += flags.map { "- `\($0.spelling)`: \(FlagText.sentence(of: $0))\n" }.joined()
    }
    text += "\n**Examples**\n"
    for example in command.examples {
      text += "\n```sh\n\(example.command)\n```\n\(example.explanation)\n"
    }
    let statuses = command.exitStatuses.map { "`\($0.rawValue)` \($0.meaning)" }
    return text + "\n**Exit status**: " + statuses.joined(separator: " · ") + "\n"
  }

  private static func exitStatuses() -> String {
    "\n## Exit statuses\n\n| Status | Meaning |\n|---|---|\n"
      + ExitStatus.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }.joined()
  }
}
