package import RenderModel

/// Which failures make a run's exit status 3.
package struct ExitPolicy: Hashable, Sendable {
  package enum FailOn: Hashable, Sendable {
    case any
    /// Only failures that were not known before the run.
    case new
    case none
    /// More than this many percent of the planned jobs.
    case percent(Double)
  }

  package var failOn: FailOn

  package init(failOn: FailOn = .any) { self.failOn = failOn }

  /// Reads `any`, `new`, `none` or a percentage such as `5%`; nil for anything else.
  package init?(_ text: String) {
    switch text {
    case "any": failOn = .any
    case "new": failOn = .new
    case "none": failOn = .none
    default:
      guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent)
      else { return nil }
      failOn = .percent(percent)
    }
  }

  /// Accounts that don't balance come first, then what stopped the run, then what failed in it.
  package func status(
    _ totals: RunSummary.Totals, newFailures: Int, isOutputUnwritable: Bool = false
  ) -> ExitStatus {
    if !totals.isBalanced { return .internalError }
    if isOutputUnwritable { return .outputUnwritable }
    if totals.cancelled > 0 { return .interrupted }
    return isFailure(totals, newFailures: newFailures) ? .someFailed : .success
  }

  private func isFailure(_ totals: RunSummary.Totals, newFailures: Int) -> Bool {
    let failures = totals.failed + totals.timedOut + totals.quarantined
    switch failOn {
    case .any: return failures > 0
    case .new: return newFailures > 0
    case .none: return false
    case .percent(let limit):
      return Double(failures) * 100 > limit * Double(totals.planned)
    }
  }
}
