/// Progress as one line of a terminal, redrawn in place.
enum ProgressBar {
  private static let narrowest = 10
  private static let widest = 40

  /// Begins with a carriage return and fills all columns but the last, so that nothing of an
  /// earlier, longer line stays and no terminal wraps.
  static func line(_ reading: ProgressReading, columns: Int, colour: Bool) -> String {
    let room = max(1, columns - 1)
    let failure = reading.failureFact.map { "  " + $0 } ?? ""
    let facts = fitting(reading.facts, room: room - failure.count)
    let space = room - facts.count - failure.count - 3
    let bar = space >= narrowest ? self.bar(reading.fraction, width: min(space, widest)) + " " : ""
    let visible = String((bar + facts).prefix(max(0, room - failure.count)))
    let shownFailure = String(failure.prefix(room - visible.count))
    let padding = String(repeating: " ", count: room - visible.count - shownFailure.count)
    let painted =
      colour && !shownFailure.isEmpty ? "\u{1B}[31m\(shownFailure)\u{1B}[0m" : shownFailure
    return "\r" + visible + painted + padding
  }

  /// As many facts as there is room for; the first ones say most.
  private static func fitting(_ facts: [String], room: Int) -> String {
    var shown = facts
    while shown.count > 1, shown.joined(separator: "  ").count > room { shown.removeLast() }
    return shown.joined(separator: "  ")
  }

  private static func bar(_ fraction: Double, width: Int) -> String {
    let filled = Int((fraction * Double(width)).rounded(.down))
    let head = filled < width && filled > 0 ? ">" : ""
    let done = String(repeating: "=", count: filled - head.count)
    return "[" + done + head + String(repeating: " ", count: width - filled) + "]"
  }
}
