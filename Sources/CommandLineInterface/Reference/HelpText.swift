import RenderModel

/// The help as text for a terminal, 80 columns wide.
package struct HelpText: Sendable {
  private static let width = 80
  private let style: TextStyle

  package init(style: TextStyle = .plain) { self.style = style }

  package static let programSummary =
    "Minilab renders photo libraries: every photo in a sealed process of its own, under a "
    + "deadline, published whole or not at all."
  package static let programUsage = "minilab COMMAND [OPTIONS] ..."

  /// The help of the program itself.
  package func overview() -> String {
    let commands = CommandTable.descriptions.map { (term: $0.name, text: $0.summary) }
    let options = [
      (term: "-h, --help", text: "Show this help and stop"),
      (term: "--version", text: "Show the version and stop"),
    ]
    return WrappedText.paragraph(Self.programSummary, width: Self.width)
      + section("Usage", "  " + Self.programUsage + "\n")
      + section("Commands", table(commands, column: 16))
      + section("Options", table(options, column: 16))
      + section("Exit status", exitStatuses(ExitStatus.allCases))
      + "\nSee 'minilab help COMMAND' for one command.\n"
  }

  /// The help of one command.
  package func page(of command: CommandDescription) -> String {
    var text = WrappedText.paragraph(command.summary + ".", width: Self.width)
    for paragraph in command.discussion {
      text += "\n" + WrappedText.paragraph(paragraph, width: Self.width)
    }
    text += section("Usage", WrappedText.paragraph(command.usage, width: Self.width, indent: 2))
    if let operand = command.operand {
      text += section("Arguments", table([(operand.name, operand.summary)], column: 26))
    }
    for group in FlagGroup.allCases {
      let flags = command.allFlags.filter { $0.group == group }
      if flags.isEmpty { continue }
      let rows = flags.map { (term: $0.spelling, text: FlagText.sentence(of: $0)) }
      text += section(group.rawValue, table(rows, column: 26))
    }
    text += section("Examples", examples(command.examples))
    return text + section("Exit status", exitStatuses(command.exitStatuses))
  }

  private func section(_ title: String, _ body: String) -> String {
    "\n" + style.heading(title + ":") + "\n" + body
  }

  private func table(_ rows: [(term: String, text: String)], column: Int) -> String {
    WrappedText.table(rows, width: Self.width, column: column)
  }

  private func exitStatuses(_ statuses: [ExitStatus]) -> String {
    table(statuses.map { (term: String($0.rawValue), text: $0.meaning) }, column: 6)
  }

  private func examples(_ examples: [CommandDescription.Example]) -> String {
    examples.map { example in
      "  \(example.command)\n"
        + WrappedText.paragraph(example.explanation, width: Self.width, indent: 6)
    }.joined()
  }
}

/// A flag's explanation in words, the same in the help and on the page.
enum FlagText {
  static func sentence(of flag: FlagDescription) -> String {
    var notes: [String] = []
    if flag.isRequired { notes.append("required") }
    if let standard = flag.standard { notes.append("default: \(standard)") }
    if let variable = flag.environmentVariable { notes.append("environment: \(variable)") }
    return notes.isEmpty ? flag.summary : "\(flag.summary) (\(notes.joined(separator: "; ")))"
  }
}
