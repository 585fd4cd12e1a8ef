/// Text broken into lines between words.
enum WrappedText {
  /// Lines of at most `width` columns where the words allow it.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  static func paragraph(_ text: String, width: Int, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    return lines(text, width: width - indent).map { margin + $0 + "\n" }.joined()
  }

  /// Two columns: terms on the left, their explanation on the right, wrapped.
  static func table(_ rows: [(term: String, text: String)], width: Int, column: Int) -> String {
    var result = ""
    for row in rows {
      let explanation = lines(row.text, width: width - column)
      let margin = String(repeating: " ", count: column)
      let term = "  " + row.term
      if term.count + 2 > column {
        result += term + "\n" + margin + (explanation.first ?? "") + "\n"
      } else {
        let gap = String(repeating: " ", count: column - term.count)
        result += term + gap + (explanation.first ?? "") + "\n"
      }
      result += explanation.dropFirst().map { margin + $0 + "\n" }.joined()
    }
    return result
  }
}
