import RenderModel

/// What was typed, checked against a command's description.
package struct ParsedArguments: Sendable {
  private var values: [String: Argument] = [:]
  private var switches: Set<String> = []
  package private(set) var operands: [Argument] = []

  /// nil when the flag was given neither on the command line nor in the environment.
  package subscript<Value>(flag: Flag<Value>) -> Value? {
    values[flag.description.name].flatMap(flag.form.read)
  }

  package subscript(flag: Switch) -> Bool { switches.contains(flag.description.name) }

  fileprivate mutating func set(_ flag: FlagDescription, _ value: Argument?) {
    if let value { values[flag.name] = value } else { switches.insert(flag.name) }
  }

  fileprivate mutating func append(_ operand: Argument) { operands.append(operand) }

  fileprivate func has(_ flag: FlagDescription) -> Bool { values[flag.name] != nil }
}

/// Reads a command line by a command's description.
///
/// `--name value` and `--name=value`; `--` ends the flags; flags and operands may be mixed; of a
/// flag given twice the last one counts; the command line counts before the environment.
package struct ArgumentParser: Sendable {
  private let command: CommandDescription
  private let environment: [String: String]

  package init(_ command: CommandDescription, environment: [String: String] = [:]) {
    self.command = command
    self.environment = environment
  }

  /// The result asks for help when `--help` or `-h` stands anywhere before `--`, whatever else is wrong.
  package func parse(_ words: [Argument]) throws(UsageProblem) -> ParsedArguments {
    var parsed = ParsedArguments()
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      parsed.set(CommonFlags.help.description, nil)
      return parsed
    }
    var index = 0
    var flagsEnded = false
    while index < words.count {
      let word = words[index]
      index += 1
      if flagsEnded || !word.hasPrefix("-") || word == "-" {
        parsed.append(word)
      } else if word == "--" {
        flagsEnded = true
      } else {
        let next = index < words.count ? words[index] : nil
        if try take(word, next: next, into: &parsed) { index += 1 }
      }
    }
    try readEnvironment(into: &parsed)
    try checkCompleteness(of: parsed)
    return parsed
  }

  /// Whether `next` was used up as the flag's value.
  private func take(
    _ word: Argument, next: Argument?, into parsed: inout ParsedArguments
  ) throws(UsageProblem) -> Bool {
    let (name, inline) = word.splitAtEquals.map { ($0.name, Optional($0.value)) } ?? (word, nil)
    guard let flag = command.allFlags.first(where: { name == Argument("--\($0.name)") }) else {
      throw .unknownFlag(name.displayed, nearest: nearestFlag(to: name))
    }
    guard let form = flag.value else {
      if let inline {
        throw .unexpectedValue(flag: "--\(flag.name)", value: inline.displayed)
      }
      parsed.set(flag, nil)
      return false
    }
    // A value that begins with dashes has to be written with `=`: a forgotten value is likelier.
    guard let value = inline ?? next, inline != nil || !value.hasPrefix("--") else {
      throw .missingValue(flag: flag.spelling)
    }
    guard form.accepts(value) else {
      throw .invalidValue(
        source: "--\(flag.name)", value: value.displayed, expectation: form.expectation)
    }
    parsed.set(flag, value)
    return inline == nil
  }

  private func nearestFlag(to name: Argument) -> String? {
    Spelling.nearest(to: name.text, among: command.allFlags.map { "--\($0.name)" })
  }

  private func readEnvironment(into parsed: inout ParsedArguments) throws(UsageProblem) {
    for flag in command.flags where !parsed.has(flag) {
      guard let variable = flag.environmentVariable, let form = flag.value,
        let text = environment[variable], !text.isEmpty
      else { continue }
      let value = Argument(text)
      guard form.accepts(value) else {
        throw .invalidValue(
          source: "the environment variable \(variable)", value: value.displayed,
          expectation: form.expectation)
      }
      parsed.set(flag, value)
    }
  }

  private func checkCompleteness(of parsed: ParsedArguments) throws(UsageProblem) {
    for flag in command.flags where flag.isRequired && !parsed.has(flag) {
      throw .missingFlag(flag.spelling)
    }
    let count = parsed.operands.count
    let most: Int
    switch command.operand?.count {
    case nil: most = 0
    case .one?, .atMostOne?: most = 1
    case .oneOrMore?, .any?: most = .max
    }
    if let operand = command.operand, count == 0, operand.count != .atMostOne, operand.count != .any
    {
      throw .missingOperand(operand.name)
    }
    if count > most { throw .unexpectedOperand(parsed.operands[most].displayed) }
  }
}
