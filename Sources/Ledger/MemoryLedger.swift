import Synchronization

/// The ledger of one process, filled from the journals and gone when the process ends.
///
/// A typical entry with two outputs costs at most 400 bytes.
package final class MemoryLedger: Ledger {
  private struct State {
    var entries: PackedEntries
    var positions: [String: Int64] = [:]
    /// Jobs with strikes.
    var struck: Set<LedgerKey> = []

    func page(_ jobs: some Sequence<LedgerKey>, after key: LedgerKey?, limit: Int)
      -> [LedgerEntry]
    {
      let rest = jobs.filter { job in key.map { $0 < job } ?? true }
      return rest.sorted().prefix(max(0, limit)).compactMap { entries.entry($0.job) }
    }
  }

  private let state: Mutex<State>
  private let hash: @Sendable ([UInt8]) -> UInt64

  package convenience init() {
    self.init(hash: PackedEntries.hash)
  }

  /// `hash` is replaced in tests of colliding ids.
  init(hash: @escaping @Sendable ([UInt8]) -> UInt64) {
    self.hash = hash
    state = Mutex(State(entries: PackedEntries(hash: hash)))
  }

  package func count() -> Int { state.withLock { $0.entries.count } }

  /// Bytes that the packed entries and their index hold, dead ones included.
  package var footprint: Int { state.withLock { $0.entries.footprint } }

  package func lookUp(_ keys: [LedgerKey]) -> [LedgerEntry?] {
    state.withLock { state in keys.map { state.entries.entry($0.job) } }
  }

  package func record(_ new: [LedgerEntry], upTo position: JournalPosition?) {
    state.withLock { state in
      for entry in new {
        state.entries.store(entry)
        if entry.strikes != nil {
          state.struck.insert(entry.key)
        } else if !state.struck.isEmpty {
          state.struck.remove(entry.key)
        }
      }
      if let position { state.positions[position.run] = position.bytes }
    }
  }

  package func positions() -> [JournalPosition] {
    state.withLock { $0.positions }.sorted { $0.key < $1.key }
      .map { JournalPosition(run: $0.key, bytes: $0.value) }
  }

  /// Sorts all ids anew for every page.
  package func entries(after key: LedgerKey?, limit: Int) -> [LedgerEntry] {
    state.withLock { state in
      let jobs = state.entries.jobs.map { LedgerKey(job: String(decoding: $0, as: UTF8.self)) }
      return state.page(jobs, after: key, limit: limit)
    }
  }

  package func struck(after key: LedgerKey?, limit: Int) -> [LedgerEntry] {
    state.withLock { $0.page($0.struck, after: key, limit: limit) }
  }

  package func clear() {
    state.withLock { $0 = State(entries: PackedEntries(hash: hash)) }
  }
}
