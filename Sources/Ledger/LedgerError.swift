/// A ledger that cannot answer or cannot keep what it was told.
package struct LedgerError: Error, Equatable, Sendable {
  package enum Code: String, Sendable {
    /// The store does not answer.
    case unreachable
    /// What the store holds cannot be read; it has to be rebuilt from the journals.
    case damaged
    /// The store refused the write.
    case notRecorded
    /// A later version of Minilab wrote it.
    case newer
    /// A ledger must not be kept there, or what is there is something else.
    case unsuitable
  }

  package var code: Code
  package var detail: String
  /// Whether there is no room left for it.
  package var isDiskFull: Bool

  package init(_ code: Code, detail: String, isDiskFull: Bool = false) {
    self.code = code
    self.detail = detail
    self.isDiskFull = isDiskFull
  }
}

extension LedgerError: CustomStringConvertible {
  package var description: String {
    switch code {
    case .unreachable: "the ledger cannot be used: \(detail)"
    case .damaged: "the ledger is damaged: \(detail)"
    case .notRecorded: "the ledger cannot be written: \(detail)"
    case .newer, .unsuitable: detail
    }
  }
}
