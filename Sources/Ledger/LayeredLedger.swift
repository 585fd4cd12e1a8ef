import Synchronization

/// A ledger in memory over another that is only read: what is recorded hides what lies beneath.
package final class LayeredLedger: Ledger {
  private struct State {
    /// nil once everything was forgotten.
    var base: (any Ledger)?
    var top = MemoryLedger()
    /// Jobs of the top that the base does not know.
    var added = 0
  }

  private let state: Mutex<State>

  package init(over base: any Ledger) { state = Mutex(State(base: base)) }

  package func lookUp(_ keys: [LedgerKey]) throws(LedgerError) -> [LedgerEntry?] {
    let (top, base) = layers
    var found = top.lookUp(keys)
    guard let base else { return found }
    let missing = found.indices.filter { found[$0] == nil }
    if missing.isEmpty { return found }
    let below = try base.lookUp(missing.map { keys[$0] })
    for (index, entry) in zip(missing, below) { found[index] = entry }
    return found
  }

  package func record(
    _ entries: [LedgerEntry], upTo position: JournalPosition?
  ) throws(LedgerError) {
    let known = try lookUp(entries.map(\.key))
    var unknown: Set<LedgerKey> = []
    for (entry, before) in zip(entries, known) where before == nil { unknown.insert(entry.key) }
    state.withLock { state in
      if state.base != nil { state.added += unknown.count }
      state.top.record(entries, upTo: position)
    }
  }

  package func positions() throws(LedgerError) -> [JournalPosition] {
    let (top, base) = layers
    var bytes: [String: Int64] = [:]
    for position in try base?.positions() ?? [] { bytes[position.run] = position.bytes }
    for position in top.positions() { bytes[position.run] = position.bytes }
    return bytes.sorted { $0.key < $1.key }.map { JournalPosition(run: $0.key, bytes: $0.value) }
  }

  package func count() throws(LedgerError) -> Int {
    let (base, top, added) = state.withLock { ($0.base, $0.top, $0.added) }
    guard let base else { return top.count() }
    return try base.count() + added
  }

  package func entries(
    after key: LedgerKey?, limit: Int
  ) throws(LedgerError) -> [LedgerEntry] {
    let (top, base) = layers
    let over = top.entries(after: key, limit: limit)
    guard let base else { return over }
    var merged: [LedgerKey: LedgerEntry] = [:]
    for entry in try base.entries(after: key, limit: limit) { merged[entry.key] = entry }
    for entry in over { merged[entry.key] = entry }
    return merged.sorted { $0.key < $1.key }.prefix(max(0, limit)).map(\.value)
  }

  package func struck(after key: LedgerKey?, limit: Int) throws(LedgerError) -> [LedgerEntry] {
    let (top, base) = layers
    var found = top.struck(after: key, limit: limit)
    guard let base, limit > 0 else { return found }
    var (last, wanted) = (key, limit)
    // What the top knows anew may have no strikes any more.
    while wanted > 0 {
      let below = try base.struck(after: last, limit: limit)
      guard let end = below.last else { break }
      last = end.key
      let above = top.lookUp(below.map(\.key))
      let seen = zip(below, above).filter { $1 == nil }.map(\.0)
      found += seen
      wanted -= seen.count
    }
    return Array(found.sorted { $0.key < $1.key }.prefix(limit))
  }

  /// The base is left as it is, and no longer looked at.
  package func clear() { state.withLock { $0 = State(base: nil) } }

  private var layers: (MemoryLedger, (any Ledger)?) { state.withLock { ($0.top, $0.base) } }
}
