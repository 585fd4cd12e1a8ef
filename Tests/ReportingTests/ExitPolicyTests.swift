import RenderModel
import Testing

@testable import Reporting

@Suite struct ExitPolicyTests {
  private func totals(_ change: (inout RunSummary.Totals) -> Void) -> RunSummary.Totals {
    var totals = RunSummary.Totals()
    change(&totals)
    totals.planned = totals.accounted
    return totals
  }

  @Test(
    "each kind of failure counts, and nothing else does",
    arguments: OutcomeState.allCases)
  func states(state: OutcomeState) {
    let expected: RenderModel.ExitStatus =
      switch state {
      case .failed, .timedOut, .quarantined: .someFailed
      case .cancelled: .interrupted
      case .rendered, .degraded, .fresh, .kept, .skipped: .success
      }
    #expect(ExitPolicy().status(totals { $0.count(state) }, newFailures: 1) == expected)
  }

  @Test("no jobs are all well")
  func empty() {
    #expect(ExitPolicy().status(totals { _ in }, newFailures: 0) == .success)
  }

  @Test("interrupted wins over failed, unwritable output over both, unbalanced over all")
  func precedence() {
    var mixed = totals {
      $0.failed = 1
      $0.cancelled = 1
    }
    let policy = ExitPolicy()
    #expect(policy.status(mixed, newFailures: 1) == .interrupted)
    #expect(policy.status(mixed, newFailures: 1, isOutputUnwritable: true) == .outputUnwritable)
    mixed.planned += 1
    #expect(policy.status(mixed, newFailures: 1, isOutputUnwritable: true) == .internalError)
    #expect(ExitPolicy(failOn: .none).status(mixed, newFailures: 0) == .internalError)
  }

  @Test(
    "only as many failures as allowed are forgiven",
    arguments: [
      (5, 0, false), (5, 5, false), (5, 6, true), (0, 1, true), (0, 0, false), (100, 100, false),
    ])
  func percent(limit: Double, failed: Int, fails: Bool) {
    let result = ExitPolicy(failOn: .percent(limit)).status(
      totals {
        $0.failed = failed
        $0.rendered = 100 - failed
      }, newFailures: failed)
    #expect(result == (fails ? .someFailed : .success))
  }

  @Test("with none, failures are no reason")
  func none() {
    #expect(ExitPolicy(failOn: .none).status(totals { $0.failed = 1 }, newFailures: 1) == .success)
  }

  @Test(
    "the flag's values are read",
    arguments: [
      ("any", .any), ("new", .new), ("none", ExitPolicy.FailOn.none), ("5%", .percent(5)),
      ("2.5%", .percent(2.5)), ("0%", .percent(0)), ("", nil), ("%", nil), ("5", nil),
      ("101%", nil), ("-1%", nil), ("nan%", nil), ("inf%", nil), ("Any", nil),
    ] as [(String, ExitPolicy.FailOn?)])
  func reading(text: String, expected: ExitPolicy.FailOn?) {
    #expect(ExitPolicy(text)?.failOn == expected)
  }
}
