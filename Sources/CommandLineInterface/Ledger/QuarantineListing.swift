import JSONText
import Ledger
import RenderModel

/// Writes which jobs have strikes, and which were released.
struct QuarantineListing {
  let output: TextStream
  let format: LedgerCommand.Format

  func show(_ entries: [LedgerEntry]) {
    switch format {
    case .text:
      if entries.isEmpty { output.writeLine("No job has strikes.") }
      for entry in entries { output.write(page(entry)) }
    case .json: for entry in entries { output.writeLine(object(entry)) }
    }
  }

  func say(released entries: [LedgerEntry]) {
    switch format {
    case .text:
      let jobs = entries.count == 1 ? "1 job is" : "\(entries.count) jobs are"
      output.writeLine("\(jobs) released; the next run tries them again.")
      for entry in entries { output.writeLine("  " + DisplayText.escaped(entry.job)) }
    case .json: for entry in entries { output.writeLine(object(entry)) }
    }
  }

  /// The job's id and, below it, the evidence a fact a line.
  private func page(_ entry: LedgerEntry) -> String {
    let facts = [("asset", entry.asset.displayed)] + (entry.strikes.map(StrikesText.facts) ?? [])
    return DisplayText.escaped(entry.job) + "\n" + LedgerEntryText.lines(facts)
  }

  private func object(_ entry: LedgerEntry) -> String {
    JSONEscaping.object(
      [("job", JSONEscaping.literal(entry.job))]
        + LedgerEntryJSON.path("asset", entry.asset)
        + (entry.strikes.map { [("strikes", StrikesJSON.object($0))] } ?? []))
  }
}
