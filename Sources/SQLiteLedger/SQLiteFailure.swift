import CSQLite
import Ledger
import SystemSupport

/// What SQLite answered in place of what was wanted.
struct SQLiteFailure: Error, Equatable {
  /// The extended result code.
  var code: Int32
  var message: String

  /// What SQLite itself did not see.
  static func damage(_ message: String) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: message)
  }

  /// Whether the kernel refused something, whose reason SQLite does not keep.
  var isRefusal: Bool {
    [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY].contains(primary) && !isDamage
  }

  private var primary: Int32 { code & 0xFF }

  /// Whether what the file holds cannot be a sound database.
  var isDamage: Bool {
    primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || code == Self.corruptFileSystem
  }

  /// SQLITE_IOERR_CORRUPTFS, a macro that is not imported.
  private static let corruptFileSystem = SQLITE_IOERR | 33 << 8

  /// In the ledger's terms; `otherwise` is what it means when nothing is damaged.
  ///
  /// `refusal`: why other files cannot be written beside it.
  func error(
    at path: String, otherwise: LedgerError.Code, refusal: SystemError? = nil
  ) -> LedgerError {
    if isDamage { return LedgerError(.damaged, detail: "\(path): \(message)") }
    if primary == SQLITE_BUSY {
      return LedgerError(
        .unreachable, detail: "\(path) is open in another program; close it and run again")
    }
    if primary == SQLITE_FULL || refusal?.isDiskFull == true {
      return LedgerError(
        otherwise, detail: "\(path): no space is left on its disk", isDiskFull: true)
    }
    let reason = refusal.map { " (\($0.reason))" } ?? ""
    return LedgerError(otherwise, detail: "\(path): \(message)\(reason)")
  }
}
