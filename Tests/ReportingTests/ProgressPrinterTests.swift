import RenderModel
import Testing

@testable import Reporting

@Suite struct ProgressPrinterTests {
  private static let terminal = ProgressPrinter.Target(isTerminal: true)
  private static let pipe = ProgressPrinter.Target(isTerminal: false)

  private func reading(
    _ fraction: Double = 0.5, failures: Int = 0, eta: Double? = 83
  ) -> ProgressReading {
    ProgressReading(
      elapsed: 10, planned: 300, finished: 123, failures: failures, fraction: fraction,
      megapixels: 100, jobsPerSecond: 12.3, megapixelsPerSecond: 147.6, eta: eta)
  }

  @Test("the bar names share, jobs, speed, time to go and failures, and fills the line")
  func bar() {
    let line = ProgressBar.line(reading(failures: 2), columns: 80, colour: false)
    #expect(line.hasPrefix("\r[==="))
    #expect(line.hasSuffix("] 50%  123/300  148 MP/s  ETA 1:23  2 failed"))
    #expect(line.count == 80)
  }

  @Test("the bar fits any width and never hides failures", arguments: Array(1...120))
  func widths(columns: Int) {
    let line = ProgressBar.line(reading(failures: 2), columns: columns, colour: false)
    #expect(line.count == max(1, columns - 1) + 1)
    if columns >= 20 {
      #expect(line.contains("50%"))
      #expect(line.contains("2 failed"))
    }
  }

  @Test(
    "the bar is as full as the work is done",
    arguments: [(0.0, 0), (0.5, 20), (0.999, 39), (1, 40)])
  func filling(fraction: Double, filled: Int) {
    let line = ProgressBar.line(reading(fraction), columns: 200, colour: false)
    let bar = line.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
    #expect(bar.count == 40)
    #expect(bar.count { $0 != " " } == filled)
  }

  @Test("only failures are coloured, only on a terminal, and not against NO_COLOR")
  func colour() {
    #expect(ProgressPrinter.Target(isTerminal: true).colour)
    #expect(ProgressPrinter.Target(isTerminal: true, noColor: "").colour)
    #expect(!ProgressPrinter.Target(isTerminal: true, noColor: "1").colour)
    #expect(!ProgressPrinter.Target(isTerminal: false).colour)
    let painted = ProgressBar.line(reading(failures: 2), columns: 80, colour: true)
    #expect(painted.contains("\u{1B}[31m  2 failed\u{1B}[0m"))
    let plain = ProgressBar.line(reading(failures: 0), columns: 80, colour: true)
    #expect(!plain.contains("\u{1B}"))
  }

  @Test(
    "the form follows the flag and the place",
    arguments: [
      (ProgressStyle.auto, true, .bar), (.auto, false, .plain), (.plain, true, .plain),
      (.json, true, .json), (.none, true, ProgressPrinter.Form.none),
    ] as [(ProgressStyle, Bool, ProgressPrinter.Form)])
  func form(style: ProgressStyle, isTerminal: Bool, form: ProgressPrinter.Form) {
    let target = isTerminal ? Self.terminal : Self.pipe
    #expect(ProgressPrinter(style: style, target: target, run: "R").form == form)
  }

  /// The times at which a printer speaks, when one of 100 jobs ends each second.
  private func times(_ printer: ProgressPrinter, seconds: Int = 100) -> [Int] {
    var printer = printer
    var meter = ProgressMeter()
    meter.plan(100)
    meter.begin(at: 0)
    return (1...seconds).filter { second in
      meter.finish(.rendered, megapixels: nil)
      return printer.update(meter, at: Double(second)) != nil
    }
  }

  @Test("plain lines come at each tenth, and each interval in between")
  func plainPace() {
    let tenths = ProgressPrinter(style: .plain, target: Self.pipe, run: "R", interval: 1000)
    #expect(times(tenths) == [1] + Array(stride(from: 10, through: 100, by: 10)))
    let often = ProgressPrinter(style: .plain, target: Self.pipe, run: "R", interval: 4)
    #expect(times(often, seconds: 20) == [1, 5, 9, 10, 14, 18, 20])
  }

  @Test("a bar and JSON lines come no more often than their interval")
  func interval() {
    let bar = ProgressPrinter(style: .auto, target: Self.terminal, run: "R", interval: 7)
    #expect(times(bar, seconds: 30) == [1, 8, 15, 22, 29])
    let json = ProgressPrinter(style: .json, target: Self.pipe, run: "R", interval: 25)
    #expect(times(json) == [1, 26, 51, 76])
  }

  @Test("the last line has the final numbers and ends")
  func finish() {
    var meter = ProgressMeter()
    meter.plan(2)
    meter.begin(at: 0)
    meter.finish(.rendered, megapixels: nil)
    meter.finish(.failed, megapixels: nil)
    var plain = ProgressPrinter(style: .plain, target: Self.pipe, run: "R")
    #expect(plain.finish(meter, at: 4) == "100%  2/2  0.500 jobs/s  1 failed\n")
    var bar = ProgressPrinter(style: .auto, target: Self.terminal, run: "R")
    #expect(bar.finish(meter, at: 4)?.hasSuffix("\n") == true)
    var json = ProgressPrinter(style: .json, target: Self.pipe, run: "R")
    #expect(json.finish(meter, at: 4)?.contains("\"finished\":2") == true)
    var none = ProgressPrinter(style: .none, target: Self.pipe, run: "R")
    #expect(none.finish(meter, at: 4) == nil)
    #expect(none.update(meter, at: 9) == nil)
  }

  @Test("a failure is told above the bar, safely, and not to programs")
  func note() throws {
    let failed = report(.failed, code: "crashed", job: "a\u{1B}[2Jb")
    let line = "a\\u{1B}[2Jb: failed (crashed)"
    let bar = ProgressPrinter(style: .auto, target: Self.terminal, run: "R")
    let text = try #require(bar.note(failed))
    #expect(text.hasPrefix("\r" + line + " "))
    #expect(text.hasSuffix(" \n"))
    #expect(text.count == 81)
    let plain = ProgressPrinter(style: .plain, target: Self.pipe, run: "R")
    #expect(plain.note(failed) == line + "\n")
    #expect(ProgressPrinter(style: .json, target: Self.pipe, run: "R").note(failed) == nil)
    #expect(ProgressPrinter(style: .none, target: Self.pipe, run: "R").note(failed) == nil)
  }

  @Test(
    "numbers are shown in few digits",
    arguments: [
      (0, "0.000"), (0.2144, "0.214"), (9.999, "10.00"), (12.34, "12.3"), (99.96, "100.0"),
      (4210.4, "4210"), (-1.5, "-1.50"), (.infinity, "-"), (.nan, "-"), (1e300, "-"),
    ] as [(Double, String)])
  func short(value: Double, text: String) {
    #expect(NumberText.short(value) == text)
  }

  @Test(
    "time to go is a clock",
    arguments: [
      (0, "0:00"), (6.2, "0:07"), (754, "12:34"), (3723, "1:02:03"), (360_000, "100:00:00"),
      (-3, "0:00"), (.infinity, "-"), (.nan, "-"),
    ] as [(Double, String)])
  func clock(seconds: Double, text: String) {
    #expect(NumberText.clock(seconds) == text)
  }
}
