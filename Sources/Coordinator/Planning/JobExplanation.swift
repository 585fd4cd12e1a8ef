package import Ledger
package import Reporting

/// The story of one job, and all that is recorded of it.
package struct JobExplanation: Sendable {
  package var told: ExplainedJob
  /// nil for a job that was never heard of.
  package var entry: LedgerEntry?
}
