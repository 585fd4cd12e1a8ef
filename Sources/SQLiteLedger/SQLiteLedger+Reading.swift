package import Ledger
import RenderModel
package import SystemSupport

extension SQLiteLedger {
  /// Opens the ledger of a state folder to look at it, and changes nothing in the folder.
  ///
  /// Nobody may write to it meanwhile. nil where there is no ledger that could be read as it is: none at
  /// all, one that was left open, damaged, or of an older schema; the journals say the same.
  package static func read(in state: Directory) throws(LedgerError) -> SQLiteLedger? {
    let folder = LedgerFolder(directory: state, onNote: { _ in })
    try LedgerFolder.refuse(
      try folder.wrapping { () throws(SystemError) in try FileSystemSpace(at: state) })
    guard let path = try folder.find() else { return nil }
    let displayed = DisplayText.escaped(path)
    let result: Result<SQLiteLedger?, LedgerError>
    do throws(SQLiteFailure) {
      result = try read(path, displayed)
    } catch {
      let failure = error.error(at: displayed, otherwise: .unreachable)
      if failure.code == .damaged { return nil }
      throw failure
    }
    return try result.get()
  }

  private static func read(
    _ path: [UInt8], _ displayed: String
  ) throws(SQLiteFailure) -> Result<SQLiteLedger?, LedgerError> {
    let steps = LedgerSchema.steps
    let connection = try Connection(reading: path)
    try connection.execute(
      """
      PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16384;
      """)
    let version = Int(try connection.number("PRAGMA user_version") ?? 0)
    if let refusal = try refusal(of: connection, version, at: displayed, steps) {
      return .failure(refusal)
    }
    if version < steps.count { return .success(nil) }
    return .success(SQLiteLedger(try LedgerFile(path: displayed, connection), nil))
  }
}
