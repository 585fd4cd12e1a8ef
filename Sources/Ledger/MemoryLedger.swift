package import RenderModel
import Synchronization

/// The ledger of one process, filled from the journals and gone when the process ends.
///
/// A typical entry with two outputs costs at most 400 bytes.
package final class MemoryLedger: Ledger {
  private let entries: Mutex<PackedEntries>

  package convenience init() {
    self.init(hash: PackedEntries.hash)
  }

  /// `hash` is replaced in tests of colliding ids.
  init(hash: @escaping @Sendable ([UInt8]) -> UInt64) {
    entries = Mutex(PackedEntries(hash: hash))
  }

  package var count: Int { entries.withLock { $0.count } }

  /// Bytes that the packed entries and their index hold, dead ones included.
  package var footprint: Int { entries.withLock { $0.footprint } }

  package func lookUp(_ keys: [LedgerKey]) -> [LedgerEntry?] {
    entries.withLock { entries in keys.map { entries.entry($0.job) } }
  }

  package func record(_ new: [LedgerEntry]) {
    entries.withLock { entries in
      for entry in new { entries.store(entry) }
    }
  }

  /// Takes in the next report of a journal; later ones win.
  package func absorb(_ report: JobReport) {
    entries.withLock { entries in
      if let entry = LedgerEntry.following(entries.entry(report.job), report) {
        entries.store(entry)
      }
    }
  }
}
