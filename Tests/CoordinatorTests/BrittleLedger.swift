import Ledger
import Synchronization

/// A ledger in memory that refuses when it is told to.
final class BrittleLedger: Ledger {
  private let inner = MemoryLedger()
  private let refusing = Mutex<LedgerError?>(nil)

  func refuse(_ error: LedgerError?) { refusing.withLock { $0 = error } }

  private func check() throws(LedgerError) {
    if let error = refusing.withLock({ $0 }) { throw error }
  }

  func lookUp(_ keys: [LedgerKey]) throws(LedgerError) -> [LedgerEntry?] {
    try check()
    return inner.lookUp(keys)
  }

  func record(_ entries: [LedgerEntry], upTo position: JournalPosition?) throws(LedgerError) {
    try check()
    inner.record(entries, upTo: position)
  }

  func positions() throws(LedgerError) -> [JournalPosition] {
    try check()
    return inner.positions()
  }

  func count() throws(LedgerError) -> Int { inner.count() }

  func entries(after key: LedgerKey?, limit: Int) throws(LedgerError) -> [LedgerEntry] {
    inner.entries(after: key, limit: limit)
  }

  func struck(after key: LedgerKey?, limit: Int) throws(LedgerError) -> [LedgerEntry] {
    try check()
    return inner.struck(after: key, limit: limit)
  }

  func clear() throws(LedgerError) {
    try check()
    inner.clear()
  }
}
