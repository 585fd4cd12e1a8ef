/// Why a command line is refused.
package enum UsageProblem: Error, Hashable, Sendable {
  case noCommand
  case unknownCommand(String, nearest: String?)
  case unknownFlag(String, nearest: String?)
  case missingValue(flag: String)
  /// A switch was given a value with `=`.
  case unexpectedValue(flag: String, value: String)
  /// `source` is the flag or the environment variable that the value came from.
  case invalidValue(source: String, value: String, expectation: String)
  case missingFlag(String)
  case missingOperand(String)
  case unexpectedOperand(String)
  /// A combination or value that is well written but cannot be had.
  case refused(String)

  package var message: String {
    switch self {
    case .noCommand: "a command is missing"
    case .unknownCommand(let name, let nearest):
      "there is no command '\(name)'" + Self.hint(nearest)
    case .unknownFlag(let name, let nearest):
      "there is no option '\(name)'" + Self.hint(nearest)
    case .missingValue(let flag): "\(flag) needs a value"
    case .unexpectedValue(let flag, let value): "\(flag) takes no value, but '\(value)' was given"
    case .invalidValue(let source, let value, let expectation):
      "'\(value)' is no value for \(source): it must be \(expectation)"
    case .missingFlag(let spelling): "\(spelling) is missing"
    case .missingOperand(let name): "\(name) is missing"
    case .unexpectedOperand(let word): "'\(word)' is one argument too many"
    case .refused(let reason): reason
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}
