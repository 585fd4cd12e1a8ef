/// What is known of each job's outputs; an index over the journals that can be rebuilt from them.
///
/// Every implementation passes the conformance suite in the tests.
package protocol Ledger: Sendable {
  /// One answer for each key, in order; nil for a job that is not known.
  func lookUp(_ keys: [LedgerKey]) throws(LedgerError) -> [LedgerEntry?]

  /// Replaces what is known of these jobs; of two entries of one job the later wins.
  func record(_ entries: [LedgerEntry]) throws(LedgerError)
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

/// A ledger that cannot answer or cannot keep what it was told.
package struct LedgerError: Error, Equatable, Sendable {
  package enum Code: String, Sendable {
    /// The store does not answer.
    case unreachable
    /// What the store holds cannot be read; it has to be rebuilt from the journals.
    case damaged
    /// The store refused the write.
    case notRecorded
  }

  package var code: Code
  package var detail: String

  package init(_ code: Code, detail: String) {
    self.code = code
    self.detail = detail
  }
}
