import Ledger
import RenderModel

/// Which of the decisions about jobs a run carries out, and which it leaves for a later one.
struct DecisionScope: Sendable {
  /// nil: whatever the reason.
  var only: ReasonSelection?
  /// The versions of the libraries that render now, where others are a reason to render; nil where
  /// they are none.
  var engine: String?

  func narrow(_ decision: JobDecision) -> JobDecision {
    switch decision {
    case .settled: return decision
    case .fresh(let findings):
      guard let engine, let made = findings.entry?.engine, made != engine else { return decision }
      var findings = findings
      findings.context.reason = RenderReason.engineDiffers.description
      return narrow(.render(.engineDiffers, findings))
    case .render(let reason, let findings):
      guard let only, !only.contains(reason) else { return decision }
      // It stays due: a skipped job leaves the ledger as it is.
      return .settled(
        findings.context,
        Outcome(
          .skipped,
          detail: "\(reason) is not among the reasons of this run (\(only)); left for later"))
    }
  }
}
