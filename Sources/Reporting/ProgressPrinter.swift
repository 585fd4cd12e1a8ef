package import RenderModel

/// How progress is shown.
package enum ProgressStyle: String, Sendable, CaseIterable {
  /// A bar on a terminal, else plain lines.
  case auto
  case plain
  case json
  case none
}

/// Decides when progress is worth a line and what it says; the caller writes what comes back.
package struct ProgressPrinter: Sendable {
  package enum Form: Hashable, Sendable {
    case bar
    case plain
    case json
    case none
  }

  /// What the place that the lines go to can do.
  package struct Target: Sendable, Hashable {
    package var isTerminal: Bool
    package var columns: Int
    package var colour: Bool

    /// `noColor` is the environment's `NO_COLOR`: any text but the empty one forbids colour.
    package init(isTerminal: Bool, columns: Int = 80, noColor: String? = nil) {
      self.isTerminal = isTerminal
      self.columns = columns
      colour = isTerminal && (noColor ?? "").isEmpty
    }
  }

  package let form: Form
  /// May change while the run goes on, when the window is resized.
  package var target: Target
  private let run: String
  /// Seconds between two lines.
  private let interval: Double
  private var lastTime: Double?
  private var lastTenth = 0

  package init(style: ProgressStyle, target: Target, run: String, interval: Double? = nil) {
    form =
      switch style {
      case .auto: target.isTerminal ? .bar : .plain
      case .plain: .plain
      case .json: .json
      case .none: .none
      }
    self.target = target
    self.run = run
    self.interval =
      interval
      ?? {
        switch style {
        case .auto where target.isTerminal: 0.1
        case .json: 1
        default: 30
        }
      }()
  }

  /// The text to write now, newline included where there is one; nil when it is not time yet.
  package mutating func update(_ meter: ProgressMeter, at now: Double) -> String? {
    let reading = meter.reading(at: now)
    guard isTime(reading, now) else { return nil }
    lastTime = now
    lastTenth = reading.percent / 10
    return text(reading)
  }

  /// The last text of a run: the final numbers, on a line that stays.
  package mutating func finish(_ meter: ProgressMeter, at now: Double) -> String? {
    guard form != .none else { return nil }
    return text(meter.reading(at: now)) + (form == .bar ? "\n" : "")
  }

  /// One line about a job that did not render, written above a bar; nil where only programs read.
  package func note(_ report: JobReport) -> String? {
    guard form == .bar || form == .plain else { return nil }
    let line = FailureText.line(report)
    guard form == .bar else { return line + "\n" }
    let padding = String(repeating: " ", count: max(0, target.columns - 1 - line.count))
    return "\r" + line + padding + "\n"
  }

  private func isTime(_ reading: ProgressReading, _ now: Double) -> Bool {
    if form == .none { return false }
    guard let lastTime else { return true }
    let isStep = form == .plain && reading.percent / 10 > lastTenth
    return isStep || now - lastTime >= interval
  }

  private func text(_ reading: ProgressReading) -> String {
    switch form {
    case .bar:
      return ProgressBar.line(reading, columns: target.columns, colour: target.colour)
    case .plain: return reading.plainLine + "\n"
    case .json:
      // All numbers of a record are finite, so it always has a JSON form.
      let line = try? ReportText.line(ProgressRecord(run: run, reading))
      return line.map { $0 + "\n" } ?? ""
    case .none: return ""
    }
  }
}
