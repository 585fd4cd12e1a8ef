import Ledger

/// What of the journals a ledger has still to take in.
enum CatchUpPlan: Equatable {
  case upToDate
  /// Each journal from this position on, in this order.
  case read([JournalPosition])
  /// Everything anew: what the ledger has is not what the journals say.
  case rebuild(Reason)

  enum Reason: Equatable {
    /// The journal of this run has less than was taken in.
    case shorter(run: String)
    /// This run has news, and later runs are in already: their reports would be overruled.
    case outOfOrder(run: String)

    var words: String {
      switch self {
      case .shorter(let run): "the journal of run \(run) is shorter than it was"
      case .outOfOrder(let run): "the journal of run \(run) has more than when later runs were read"
      }
    }
  }

  /// `journals` are the runs that are there and the lengths of their journals, oldest first.
  ///
  /// What is known of runs that are there no more stays known.
  static func decide(known: [JournalPosition], journals: [JournalPosition]) -> CatchUpPlan {
    let contained = Dictionary(known.map { ($0.run, $0.bytes) }) { _, later in later }
    var behind: [JournalPosition] = []
    for journal in journals {
      let bytes = contained[journal.run] ?? 0
      if bytes > journal.bytes { return .rebuild(.shorter(run: journal.run)) }
      if bytes < journal.bytes { behind.append(JournalPosition(run: journal.run, bytes: bytes)) }
    }
    guard let first = behind.first else { return .upToDate }
    if known.contains(where: { $0.run > first.run && $0.bytes > 0 }) {
      return .rebuild(.outOfOrder(run: first.run))
    }
    return .read(behind)
  }
}
