/// Swift source text without what is not code.
enum SourceText {
  /// Block comments replaced by their line breaks.
  static func withoutBlockComments(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var depth = 0
    while let character = rest.popFirst() {
      if character == "/", rest.first == "*" {
        rest.removeFirst()
        depth += 1
      } else if depth > 0, character == "*", rest.first == "/" {
        rest.removeFirst()
        depth -= 1
      } else if depth == 0 || character == "\n" {
        result.append(character)
      }
    }
    return result
  }

  /// What no source file may hold, in words; `name` is for the message.
  static func violations(in text: String, name: String) -> [String] {
    var result: [String] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 501 { result.append("\(name) has \(lines.count - 1) lines, more than 500") }
    for (index, line) in lines.enumerated() {
      for (pattern, reason) in forbidden where line.contains(pattern) {
        result.append("\(name):\(index + 1): \(reason)")
      }
    }
    return result
  }

  /// Swift's own concurrency in a file that is linked into a process that forks, in words.
  static func concurrency(in text: String, name: String) -> [String] {
    let lines = withoutBlockComments(text).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      let words = line.prefix { $0 != "\"" }.split { !$0.isLetter }
      let code = line.drop { $0 == " " }.hasPrefix("//") ? [] : words
      return code.contains { ["async", "await", "actor", "Task", "TaskGroup"].contains($0) }
        ? "\(name):\(index + 1): concurrency in a process that forks" : nil
    }
  }

  /// Spelled in two halves, so that this file does not break its own rules.
  private static let forbidden: [(pattern: String, reason: String)] = [
    ("fatal" + "Error(", "a trap that input might reach"),
    ("try" + "!", "a trap that input might reach"),
    (" as" + "! ", "a trap that input might reach"),
    ("TO" + "DO", "something left to do"),
    ("FIX" + "ME", "something left to do"),
    ("// XX" + "X", "something left to do"),
    ("/ro" + "ot/", "a path of one machine"),
    ("/ho" + "me/", "a path of one machine"),
    ("/wo" + "rk/", "a path of one machine"),
    ("/opt/sw" + "ift", "a path of one machine"),
    ("../sha" + "red/", "a path outside the project"),
  ]
}
