import Journal
import Ledger
import RenderModel
import SystemSupport

/// Brings a ledger up to what the journals say, and reads no more of them than it has to.
package struct LedgerCatchUp {
  /// What was taken in.
  package struct Result: Sendable, Equatable {
    package var runs = 0
    package var reports = 0
    /// Lines that were passed over because they cannot be believed.
    package var damagedLines = 0
  }

  /// Somebody wants the program to stop: what was taken in stays, and the next start goes on.
  struct Stopped: Error {}

  let ledger: any Ledger
  let state: Directory
  let output: Directory
  var isStopped: () -> Bool = { false }
  /// Called with what a person should know at once.
  var onNote: (String) -> Void = { _ in }

  /// Reports and releases that are taken in with one step.
  private static let batch = 1000

  /// `anew`: whatever the ledger knows is forgotten first.
  func perform(anew: Bool = false) throws -> Result {
    let runs = try RunFolder.identifiers(state: state)
    var journals: [JournalPosition] = []
    for run in runs {
      let length = try folder(run).journalLength()
      if length > 0 { journals.append(JournalPosition(run: run.text, bytes: length)) }
    }
    let known = try ledger.positions()
    if anew { return try rebuild(runs) }
    switch CatchUpPlan.decide(known: known, journals: journals) {
    case .upToDate: return Result()
    case .read(let positions):
      if known.isEmpty {
        onNote("the ledger is empty; it is filled from the journals of \(runs.count) runs")
      }
      return try read(
        positions.compactMap { position in
          RunIdentifier(name: Array(position.run.utf8)).map { ($0, position.bytes) }
        })
    case .rebuild(let reason):
      onNote("\(reason.words); the ledger is made anew from the journals")
      return try rebuild(runs)
    }
  }

  private func rebuild(_ runs: [RunIdentifier]) throws -> Result {
    let before = try ledger.count()
    try ledger.clear()
    let result = try read(runs.map { ($0, 0) })
    let forgotten = before - (try ledger.count())
    if forgotten > 0 {
      onNote("\(forgotten) jobs that no journal speaks of any more are forgotten")
    }
    return result
  }

  private func read(_ runs: [(run: RunIdentifier, position: Int64)]) throws -> Result {
    var result = Result()
    for (run, position) in runs {
      guard var reader = try JournalReader.open(try folder(run).directory, from: position) else {
        continue
      }
      var news: [LedgerNews] = []
      while let line = try reader.nextUnlessIntent() {
        switch line {
        case .report(let report): news.append(.report(report))
        case .release(let release): news.append(.release(release))
        case .run, .intent, .end: continue
        }
        if news.count == Self.batch { try take(&news, run, reader, &result) }
      }
      try take(&news, run, reader, &result)
      result.runs += 1
      result.damagedLines += reader.corruptCount
      if reader.corruptCount > 0 {
        onNote("the journal of run \(run.text) has \(reader.corruptCount) damaged lines")
      }
    }
    return result
  }

  private func take(
    _ news: inout [LedgerNews], _ run: RunIdentifier, _ reader: JournalReader,
    _ result: inout Result
  ) throws {
    if isStopped() { throw Stopped() }
    try ledger.absorb(news, upTo: JournalPosition(run: run.text, bytes: reader.wholeLength))
    result.reports += news.count { if case .report = $0 { true } else { false } }
    news.removeAll(keepingCapacity: true)
  }

  private func folder(_ run: RunIdentifier) throws -> RunFolder {
    try RunFolder.open(run, state: state, output: output)
  }
}
