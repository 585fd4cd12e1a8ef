import RenderModel

/// `minilab help`: the help of the program or of one command.
package enum HelpCommand {
  package enum Format: String, Sendable, CaseIterable {
    case text, markdown
  }

  package static let format = Flag(
    "format", ValueForm<Format>.choice(), "Text for a terminal, or the reference as Markdown",
    standard: "text")

  package static let command = Command(
    CommandDescription(
      name: "help",
      summary: "Show the help of the program or of one command",
      operand: CommandDescription.Operand(
        "COMMAND", .atMostOne, "The command to explain", completion: .words(commandNames)),
      flags: [format.description],
      examples: [
        .init("minilab help render", "The same as minilab render --help."),
        .init("minilab help --format markdown > cli.md", "The reference of all commands."),
      ],
      exitStatuses: [.success, .usage])
  ) { arguments, context throws(UsageProblem) in
    let subject = try arguments.operands.first.map { word throws(UsageProblem) in
      try CommandTable.find(word.text).description
    }
    context.output.write(
      text(of: subject, format: arguments[format] ?? .text, style: context.output.style))
    return .success
  }

  /// Spelled out, since the table of commands is made from this description among others; a test holds it.
  package static let commandNames = [
    "render", "validate", "filters", "verify", "adopt", "orphans", "ledger", "doctor", "version",
    "help", "completions",
  ]

  private static func text(
    of subject: CommandDescription?, format: Format, style: TextStyle
  ) -> String {
    switch (format, subject) {
    case (.text, let command?): HelpText(style: style).page(of: command)
    case (.text, nil): HelpText(style: style).overview()
    case (.markdown, let command?): MarkdownReference.section(of: command)
    case (.markdown, nil): MarkdownReference.document()
    }
  }
}
