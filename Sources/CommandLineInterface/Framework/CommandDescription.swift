package import RenderModel

/// What a command is: its help, its page and its completions are made from this, its parser obeys it.
package struct CommandDescription: Sendable {
  package struct Operand: Sendable {
    package var name: String
    package var summary: String
    package var count: OperandCount
    package var completion: ValueCompletion
    /// Where the name and the count do not say what may be written.
    private let ownSpelling: String?

    package init(
      _ name: String, _ count: OperandCount, _ summary: String,
      completion: ValueCompletion = .none, spelling: String? = nil
    ) {
      self.name = name
      self.count = count
      self.summary = summary
      self.completion = completion
      ownSpelling = spelling
    }

    /// `MANIFEST...`, `[COMMAND]`.
    package var spelling: String {
      if let ownSpelling { return ownSpelling }
      return switch count {
      case .one: name
      case .atMostOne: "[\(name)]"
      case .oneOrMore: "\(name)..."
      case .any: "[\(name)...]"
      }
    }
  }

  package enum OperandCount: Sendable {
    case one, atMostOne, oneOrMore, any
  }

  package struct Example: Sendable {
    package var command: String
    package var explanation: String

    package init(_ command: String, _ explanation: String) {
      self.command = command
      self.explanation = explanation
    }
  }

  package var name: String
  /// One line, beginning with a verb, without a full stop.
  package var summary: String
  /// Paragraphs.
  package var discussion: [String]
  package var operand: Operand?
  package var flags: [FlagDescription]
  package var examples: [Example]
  /// Those that the command can end with, `success` included.
  package var exitStatuses: [ExitStatus]

  package init(
    name: String, summary: String, discussion: [String] = [], operand: Operand? = nil,
    flags: [FlagDescription] = [], examples: [Example], exitStatuses: [ExitStatus]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operand = operand
    self.flags = flags
    self.examples = examples
    self.exitStatuses = exitStatuses
  }

  /// `minilab render [OPTIONS] --output DIR MANIFEST...`
  package var usage: String {
    let required = flags.filter(\.isRequired).map(\.spelling)
    let words = ["minilab", name, "[OPTIONS]"] + required + (operand.map { [$0.spelling] } ?? [])
    return words.joined(separator: " ")
  }

  /// Its own flags and the ones that every command has.
  package var allFlags: [FlagDescription] { flags + [CommonFlags.help.description] }
}

/// The flags of every command.
package enum CommonFlags {
  package static let help = Switch("help", "Show this help and stop; also -h")
}
