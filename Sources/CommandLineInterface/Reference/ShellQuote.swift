/// Text as one word of a shell.
enum ShellQuote {
  /// In single quotes, for bash and zsh.
  static func posix(_ text: String) -> String {
    "'" + replace("'", with: "'\\''", in: text) + "'"
  }

  /// In single quotes, for fish, which knows two escapes there.
  static func fish(_ text: String) -> String {
    "'" + replace("'", with: "\\'", in: replace("\\", with: "\\\\", in: text)) + "'"
  }

  static func replace(_ character: Character, with text: String, in whole: String) -> String {
    whole.map { $0 == character ? text : String($0) }.joined()
  }
}
