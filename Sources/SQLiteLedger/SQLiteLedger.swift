package import Ledger
import Synchronization

/// The ledger in one SQLite file of the state folder.
///
/// Whoever opens it holds the state folder's lock: there is one connection in one process. The journals
/// are what is durable: after a power cut the file may lag behind them, and is whole.
package final class SQLiteLedger: Ledger {
  package static let fileName = Array("ledger.sqlite".utf8)

  private struct State: ~Copyable {
    var file: LedgerFile
    /// Why nothing more can be had from this file; nil while all is well.
    var failure: LedgerError?
  }

  private let state: Mutex<State>
  /// nil for one that is only read: then damage is told and left where it is.
  private let folder: LedgerFolder?

  init(_ file: consuming sending LedgerFile, _ folder: LedgerFolder?) {
    state = Mutex(State(file: file, failure: nil))
    self.folder = folder
  }

  package func lookUp(_ keys: [LedgerKey]) throws(LedgerError) -> [LedgerEntry?] {
    try perform(.unreachable) { (file) throws(SQLiteFailure) in try file.lookUp(keys) }
  }

  package func record(
    _ entries: [LedgerEntry], upTo position: JournalPosition?
  ) throws(LedgerError) {
    try perform(.notRecorded) { (file) throws(SQLiteFailure) in
      try file.record(entries, upTo: position)
    }
  }

  package func positions() throws(LedgerError) -> [JournalPosition] {
    try perform(.unreachable) { (file) throws(SQLiteFailure) in try file.positions() }
  }

  package func count() throws(LedgerError) -> Int {
    try perform(.unreachable) { (file) throws(SQLiteFailure) in try file.count() }
  }

  package func entries(
    after key: LedgerKey?, limit: Int
  ) throws(LedgerError) -> [LedgerEntry] {
    try perform(.unreachable) { (file) throws(SQLiteFailure) in
      try file.entries(after: key, limit: limit)
    }
  }

  package func struck(
    after key: LedgerKey?, limit: Int
  ) throws(LedgerError) -> [LedgerEntry] {
    try perform(.unreachable) { (file) throws(SQLiteFailure) in
      try file.struck(after: key, limit: limit)
    }
  }

  package func clear() throws(LedgerError) {
    try perform(.notRecorded) { (file) throws(SQLiteFailure) in try file.clear() }
  }

  /// For tests that look past the ledger.
  func withFile<Result: Sendable>(
    _ body: (inout LedgerFile) throws(SQLiteFailure) -> Result
  ) throws(LedgerError) -> Result {
    try perform(.unreachable, body)
  }

  /// A file that turns out to be damaged is set aside at once, so that the next to open it makes a new
  /// one, and nothing more is believed of it.
  private func perform<Result: Sendable>(
    _ code: LedgerError.Code, _ body: (inout LedgerFile) throws(SQLiteFailure) -> Result
  ) throws(LedgerError) -> Result {
    try state.withLock { (state) throws(LedgerError) -> Result in
      if let failure = state.failure { throw failure }
      do throws(SQLiteFailure) {
        return try body(&state.file)
      } catch {
        let failure =
          folder?.error(error, at: state.file.path, otherwise: code)
          ?? error.error(at: state.file.path, otherwise: code)
        if failure.code == .damaged {
          state.failure = failure
          try folder?.setAside(failure)
        }
        throw failure
      }
    }
  }
}
