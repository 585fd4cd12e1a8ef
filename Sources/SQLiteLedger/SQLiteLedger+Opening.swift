package import Ledger
import RenderModel
package import SystemSupport

extension SQLiteLedger {
  /// Opens or makes the ledger of a state folder whose lock the caller holds.
  ///
  /// A damaged file is set aside under another name and told of; a new one takes its place.
  package static func open(
    in state: Directory, onNote: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(LedgerError) -> SQLiteLedger {
    try open(in: LedgerFolder(directory: state, onNote: onNote), steps: LedgerSchema.steps)
  }

  /// `steps` are replaced in tests of later schemas.
  static func open(
    in folder: LedgerFolder, steps: [String]
  ) throws(LedgerError) -> SQLiteLedger {
    do {
      return try openAsItIs(folder, steps)
    } catch {
      guard error.code == .damaged else { throw error }
      try folder.setAside(error)
      return try openAsItIs(folder, steps)
    }
  }

  private static func openAsItIs(
    _ folder: LedgerFolder, _ steps: [String]
  ) throws(LedgerError) -> SQLiteLedger {
    let path = try folder.prepare()
    let isLeftOpen = try folder.hasLog()
    let result: Result<SQLiteLedger, LedgerError>
    do throws(SQLiteFailure) {
      result = try open(path, in: folder, isLeftOpen: isLeftOpen, steps)
    } catch {
      throw folder.error(error, at: DisplayText.escaped(path), otherwise: .unreachable)
    }
    return try result.get()
  }

  private static func open(
    _ path: [UInt8], in folder: LedgerFolder, isLeftOpen: Bool, _ steps: [String]
  ) throws(SQLiteFailure) -> Result<SQLiteLedger, LedgerError> {
    let displayed = DisplayText.escaped(path)
    let connection = try Connection(path: path)
    // The journals are synced before anything of them is recorded here: the ledger itself need not be.
    try connection.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA synchronous = NORMAL;
      PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16384;
      """)
    let version = Int(try connection.number("PRAGMA user_version") ?? 0)
    if let refusal = try refusal(of: connection, version, at: displayed, steps) {
      return .failure(refusal)
    }
    if isLeftOpen { try check(connection) }
    try connection.execute("PRAGMA journal_mode = WAL")
    try LedgerSchema.migrate(connection, from: version, steps: steps)
    return .success(SQLiteLedger(try LedgerFile(path: displayed, connection), folder))
  }

  /// Why a file must be left alone; nil when it is a ledger that this program understands.
  static func refusal(
    of connection: borrowing Connection, _ version: Int, at displayed: String, _ steps: [String]
  ) throws(SQLiteFailure) -> LedgerError? {
    let isEmpty = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
    let identifier = try connection.number("PRAGMA application_id")
    if !isEmpty, identifier != LedgerSchema.applicationID {
      return LedgerError(
        .unsuitable,
        detail: "\(displayed) is a database of another program; move it away and run again")
    }
    guard version > steps.count else { return nil }
    return LedgerError(
      .newer,
      detail: "\(displayed) was written by a later version of Minilab (its schema is "
        + "\(version), this one knows \(steps.count)); use that version, or move the file away "
        + "and it is made anew from the journals")
  }

  /// A file whose process died is looked through: a power cut on a bad disk may have torn it.
  private static func check(_ connection: borrowing Connection) throws(SQLiteFailure) {
    let statement = try connection.prepare("PRAGMA quick_check(1)")
    let answer = try statement.step() ? statement.text(0) : ""
    if answer != "ok" { throw .damage(answer) }
  }
}
