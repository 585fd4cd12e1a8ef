import Glibc
import RenderModel
import Reporting
import Synchronization
import SystemSupport

/// Writes a run's progress and its failures to standard error, from whichever thread has news.
final class ProgressDisplay: Sendable {
  private struct State {
    var printer: ProgressPrinter?
    var meter: ProgressMeter?
    let stream: TextStream
  }

  private let style: ProgressStyle
  private let noColor: String?
  private let state: Mutex<State>

  init(style: ProgressStyle, environment: [String: String]) {
    self.style = style
    noColor = environment["NO_COLOR"]
    state = Mutex(
      State(
        printer: nil, meter: nil,
        stream: TextStream(descriptor: STDERR_FILENO, environment: environment)))
  }

  /// The run has a name from here on.
  func start(run: String) {
    let target = ProgressPrinter.Target(
      isTerminal: isatty(STDERR_FILENO) == 1, columns: Self.columns(), noColor: noColor)
    state.withLock { $0.printer = ProgressPrinter(style: style, target: target, run: run) }
  }

  func update(_ meter: ProgressMeter) {
    state.withLock { state in
      state.meter = meter
      if let text = state.printer?.update(meter, at: Self.now()) { state.stream.write(text) }
    }
  }

  /// Failures are told at once; what went well only moves the bar.
  func report(_ report: JobReport) {
    switch OutcomeState(rawValue: report.outcome.state) {
    case .failed, .timedOut, .degraded, .quarantined: break
    default: return
    }
    state.withLock { state in
      if let line = state.printer?.note(report) { state.stream.write(line) }
    }
  }

  /// A line as it is, of text that is safe to show.
  func say(_ line: String) {
    state.withLock { $0.stream.writeLine(line) }
  }

  func note(_ text: String) {
    state.withLock { $0.stream.writeLine("minilab: " + DisplayText.escaped(text)) }
  }

  func finish() {
    state.withLock { state in
      guard let meter = state.meter else { return }
      if let text = state.printer?.finish(meter, at: Self.now()) { state.stream.write(text) }
    }
  }

  private static func now() -> Double { Double(BootClock.now()) / 1_000_000_000 }

  private static func columns() -> Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
