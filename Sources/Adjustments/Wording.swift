import RenderModel

/// Pieces of the sentences in problems.
enum Wording {
  /// A name as it was given, safe to show and not too long.
  static func quoted(_ text: String) -> String {
    let shown = text.count > 48 ? text.prefix(48) + "…" : text[...]
    return "\"" + DisplayText.escaped(String(shown)) + "\""
  }

  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// More names than these would hide what is wrong.
  private static let longestList = 16

  static func unknown(_ what: String, _ name: String, among known: [String]) -> String {
    let start = "there is no \(what) \(quoted(name))"
    if let near = Spelling.nearest(to: name, among: known) {
      return start + "; did you mean \(near)?"
    }
    if known.count > longestList {
      return start + "; 'minilab filters' lists the \(known.count) known"
    }
    return start + "; known are \(list(known))"
  }

  /// Whole numbers without a fraction part.
  static func number(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func count(_ range: ClosedRange<Int>) -> String {
    range.count == 1
      ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
  }

  static func range(_ range: ClosedRange<Double>) -> String {
    "from \(number(range.lowerBound)) to \(number(range.upperBound))"
  }
}
