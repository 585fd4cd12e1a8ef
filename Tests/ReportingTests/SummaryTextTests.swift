import RenderModel
import Testing

@testable import Reporting

@Suite struct SummaryTextTests {
  @Test("a run without failures is two lines")
  func plain() {
    let text = SummaryText.text(
      summary(exit: .success) {
        $0.planned = 15
        $0.rendered = 12
        $0.fresh = 3
      }, elapsed: 3.21, folder: "out/.minilab/runs/R")
    #expect(
      text == """
        15 jobs in 3.21 s: 12 rendered, 3 up to date (48.3 MP/s, 0.021 CPU s/MP)
        Report: out/.minilab/runs/R/summary.json, one line a job in journal.jsonl

        """)
  }

  @Test("failures come with their reason, what helps, and what to do next")
  func failures() {
    let failures = [
      RunSummary.Failure(
        job: "a", asset: "2024/a.jpg", state: "failed", code: "truncated", stage: "decode",
        detail: "the file ends after 3 of 5 MB"),
      RunSummary.Failure(
        job: "b.jpg", asset: "b.jpg", state: "timedOut", code: nil, stage: nil, detail: nil),
      RunSummary.Failure(
        job: "c.jpg", asset: nil, state: "failed", code: "truncated", stage: nil, detail: ""),
    ]
    let text = SummaryText.text(
      summary(failures: failures) {
        $0.planned = 3
        $0.failed = 2
        $0.timedOut = 1
      }, elapsed: 100, folder: "F")
    #expect(text.contains("3 jobs in 100 s: 2 failed, 1 timed out"))
    #expect(
      text.contains(
        "  a (2024/a.jpg): failed (truncated) in decode: the file ends after 3 of 5 MB\n"))
    #expect(text.contains("  b.jpg: timedOut\n"))
    #expect(text.contains("  c.jpg: failed (truncated)\n"))
    #expect(text.contains("  timedOut: raise the deadline"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("  truncated: ") } == 1)
    #expect(
      text.hasSuffix(
        "Run the same command again when the causes are put right: what is done stays done.\n"))
  }

  @Test("twenty failures are shown, the others counted")
  func manyFailures() {
    let failures = (0..<25).map {
      RunSummary.Failure(
        job: "\($0)", asset: nil, state: "failed", code: nil, stage: nil, detail: nil)
    }
    let text = SummaryText.text(
      summary(failures: failures, omitted: 7) { $0.failed = 32 }, elapsed: 1, folder: "F")
    #expect(text.contains("  19: failed\n  ... and 12 more, in the report\n"))
  }

  @Test(
    "each way to end says what to do next",
    arguments: [
      (RenderModel.ExitStatus.internalError, "do not balance: 2 planned, 1 accounted for"),
      (.interrupted, "Run the same command again to finish the rest."),
      (.outputUnwritable, "the output cannot be written"),
    ])
  func next(status: RenderModel.ExitStatus, words: String) {
    let text = SummaryText.text(
      summary(exit: status) {
        $0.planned = 2
        $0.cancelled = 1
      }, elapsed: 1, folder: "F")
    #expect(text.split(separator: "\n").last?.contains(words) == true)
  }

  @Test("no text from outside reaches the terminal raw")
  func escaped() {
    let hostile = "\u{1B}[2J\n\u{202E}"
    let failure = RunSummary.Failure(
      job: hostile, asset: hostile, state: hostile, code: hostile, stage: hostile, detail: hostile)
    let text = SummaryText.text(
      summary(failures: [failure]) { $0.failed = 1 }, elapsed: 1, folder: hostile)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && DisplayText.isUnsafe($0) })
    #expect(!FailureText.line(report(.failed, code: hostile, job: hostile)).contains("\u{1B}"))
  }

  @Test("every failure code has advice", arguments: FailureCode.allCases)
  func advice(code: FailureCode) {
    #expect(FailureText.advice(state: "failed", code: code.rawValue)?.isEmpty == false)
  }

  @Test("what was not a failure needs no advice")
  func noAdvice() {
    #expect(FailureText.advice(state: "rendered", code: nil) == nil)
    #expect(FailureText.advice(state: "failed", code: "unheardOf") == nil)
    #expect(FailureText.advice(state: "quarantined", code: nil) != nil)
  }

  @Test("JSON holds no raw control characters and says the same")
  func json() throws {
    let hostile = "\u{7F}\u{85}\u{2028}\u{202E}é\u{1}/"
    let text = try ReportText.line(report(.failed, detail: hostile))
    #expect(!text.unicodeScalars.contains(where: DisplayText.isUnsafe))
    #expect(text.contains("\"detail\":\"\\u007f\\u0085\\u2028\\u202eé\\u0001/\""))
    #expect(try ReportText.pretty(report(.failed)).hasSuffix("}\n"))
  }
}
