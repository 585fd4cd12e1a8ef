package import RenderModel

/// What is known of each job's outputs; an index over the journals that can be rebuilt from them.
///
/// Every implementation passes the conformance suite in the tests.
package protocol Ledger: Sendable {
  /// One answer for each key, in order; nil for a job that is not known.
  func lookUp(_ keys: [LedgerKey]) throws(LedgerError) -> [LedgerEntry?]

  /// Replaces what is known of these jobs and, in the same step, how far a journal is contained.
  ///
  /// Either all of it is kept or nothing; of two entries of one job the later wins.
  func record(_ entries: [LedgerEntry], upTo position: JournalPosition?) throws(LedgerError)

  /// How far each run's journal is contained, in the order of the runs' names.
  func positions() throws(LedgerError) -> [JournalPosition]

  /// Known jobs.
  func count() throws(LedgerError) -> Int

  /// The next entries in the order of their ids' bytes; empty after the last.
  func entries(after key: LedgerKey?, limit: Int) throws(LedgerError) -> [LedgerEntry]

  /// The next entries that have strikes, in the order of their ids' bytes; empty after the last.
  ///
  /// Its cost is that of these entries, not of all.
  func struck(after key: LedgerKey?, limit: Int) throws(LedgerError) -> [LedgerEntry]

  /// Forgets everything, positions too.
  func clear() throws(LedgerError)
}

/// How much of a run's journal a ledger contains.
package struct JournalPosition: Hashable, Sendable {
  package var run: String
  /// Bytes from the journal's beginning, to the end of a line.
  package var bytes: Int64

  package init(run: String, bytes: Int64) {
    self.run = run
    self.bytes = bytes
  }
}

extension Ledger {
  package func record(_ entries: [LedgerEntry]) throws(LedgerError) {
    try record(entries, upTo: nil)
  }

  package func lookUp(_ job: String) throws(LedgerError) -> LedgerEntry? {
    try lookUp([LedgerKey(job: job)]).first ?? nil
  }

  package func absorb(
    _ reports: [JobReport], upTo position: JournalPosition?
  ) throws(LedgerError) {
    try absorb(reports.map(LedgerNews.report), upTo: position)
  }

  /// Takes in the next news of a journal, which end at the position; later ones win.
  package func absorb(
    _ news: [LedgerNews], upTo position: JournalPosition?
  ) throws(LedgerError) {
    var keys: [LedgerKey] = []
    var places: [LedgerKey: Int] = [:]
    for item in news {
      let key = LedgerKey(job: item.job)
      if places[key] != nil { continue }
      places[key] = keys.count
      keys.append(key)
    }
    var known = try lookUp(keys)
    for item in news {
      guard let place = places[LedgerKey(job: item.job)] else { continue }
      known[place] = item.following(known[place])
    }
    try record(known.compactMap { $0 }, upTo: position)
  }
}

/// What of a journal changes what is known of a job.
package enum LedgerNews: Sendable {
  case report(JobReport)
  case release(QuarantineRelease)

  var job: String {
    switch self {
    case .report(let report): report.job
    case .release(let release): release.job
    }
  }

  func following(_ previous: LedgerEntry?) -> LedgerEntry? {
    switch self {
    case .report(let report): LedgerEntry.following(previous, report)
    case .release(let release): LedgerEntry.following(previous, release)
    }
  }
}

/// Names a job byte for byte: ids that differ only in their Unicode form are different jobs.
package struct LedgerKey: Sendable {
  package var job: String
  package init(job: String) { self.job = job }
}

extension LedgerKey: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.job.utf8.elementsEqual(right.job.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in job.utf8 { hasher.combine(byte) }
  }
}

extension LedgerKey: Comparable {
  /// By bytes.
  package static func < (left: Self, right: Self) -> Bool {
    left.job.utf8.lexicographicallyPrecedes(right.job.utf8)
  }
}
