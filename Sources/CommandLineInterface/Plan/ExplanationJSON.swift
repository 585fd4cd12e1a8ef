import Coordinator
import Ledger
import Reporting

/// The story of a job as JSON: `docs/schemas/plan.schema.json` describes it.
enum ExplanationJSON {
  /// What is recorded stands last, as `minilab ledger show` tells it; nil when nothing can be written.
  static func object(_ story: JobExplanation) -> String? {
    guard let told = try? ReportText.line(story.told) else { return nil }
    guard let entry = story.entry else { return told }
    return told.dropLast() + ",\"recorded\":\(LedgerEntryJSON.object(entry))}"
  }
}
