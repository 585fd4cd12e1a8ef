import CSQLite
import Ledger

/// What SQLite answered in place of what was wanted.
struct SQLiteFailure: Error, Equatable {
  /// The extended result code.
  var code: Int32
  var message: String

  /// What SQLite itself did not see.
  static func damage(_ message: String) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: message)
  }

  private var primary: Int32 { code & 0xFF }

  /// Whether what the file holds cannot be a sound database.
  var isDamage: Bool {
    primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || code == Self.corruptFileSystem
  }

  /// SQLITE_IOERR_CORRUPTFS, a macro that is not imported.
  private static let corruptFileSystem = SQLITE_IOERR | 33 << 8

  /// In the ledger's terms; `otherwise` is what it means when nothing is damaged.
  func error(at path: String, otherwise: LedgerError.Code) -> LedgerError {
    if isDamage { return LedgerError(.damaged, detail: "\(path): \(message)") }
    if primary == SQLITE_BUSY {
      return LedgerError(
        .unreachable, detail: "\(path) is open in another program; close it and run again")
    }
    if primary == SQLITE_FULL {
      return LedgerError(
        otherwise, detail: "\(path): no space is left on its disk", isDiskFull: true)
    }
    return LedgerError(otherwise, detail: "\(path): \(message)")
  }
}
