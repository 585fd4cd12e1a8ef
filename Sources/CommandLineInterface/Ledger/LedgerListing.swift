import Coordinator
import JSONText
import Ledger

/// Writes what a ledger knows, page by page: it may know a million jobs.
struct LedgerListing {
  let output: TextStream
  let format: LedgerCommand.Format

  private static let page = 500

  /// Writes these jobs, or all when none is named; gives the first that is not known, and then nothing
  /// is written.
  func show(_ ledger: any Ledger, _ jobs: [String]) throws(LedgerError) -> String? {
    if jobs.isEmpty {
      try showAll(ledger)
      return nil
    }
    let found = try ledger.lookUp(jobs.map { LedgerKey(job: $0) })
    if let missing = found.firstIndex(where: { $0 == nil }) { return jobs[missing] }
    for entry in found.compactMap({ $0 }) {
      switch format {
      case .text: output.write(LedgerEntryText.page(entry))
      case .json: output.writeLine(LedgerEntryJSON.object(entry))
      }
    }
    return nil
  }

  private func showAll(_ ledger: any Ledger) throws(LedgerError) {
    var last: LedgerKey?
    // A reader who has gone wants no more.
    while output.state == .open {
      let entries = try ledger.entries(after: last, limit: Self.page)
      guard let end = entries.last else { return }
      last = end.key
      switch format {
      case .text: output.write(entries.map { LedgerEntryText.line($0) + "\n" }.joined())
      case .json: output.write(entries.map { LedgerEntryJSON.object($0) + "\n" }.joined())
      }
    }
  }

  /// Writes what a rebuild read.
  func say(_ read: LedgerCatchUp.Result, jobs: Int) {
    switch format {
    case .text:
      output.writeLine(
        "The ledger knows \(jobs) jobs from \(read.reports) reports of \(read.runs) runs.")
    case .json:
      output.writeLine(
        JSONEscaping.object([
          ("jobs", "\(jobs)"), ("reports", "\(read.reports)"), ("runs", "\(read.runs)"),
          ("damagedLines", "\(read.damagedLines)"),
        ]))
    }
  }
}
