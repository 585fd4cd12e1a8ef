import CSQLite

/// The one connection to a database file; closed when it goes.
@safe struct Connection: ~Copyable {
  private let handle: OpaquePointer

  /// Opens a file that is there; used by one thread at a time.
  init(path: [UInt8]) throws(SQLiteFailure) {
    try self.init(name: path, SQLITE_OPEN_READWRITE)
  }

  /// Opens a file that nobody writes to meanwhile, to read it and leave nothing beside it.
  init(reading path: [UInt8]) throws(SQLiteFailure) {
    let plain = path.map { byte in
      let isPlain = UInt8(ascii: "/") == byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      let digits = String(byte, radix: 16)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }
    let name = "file:\(plain.joined())?mode=ro&immutable=1"
    try self.init(name: Array(name.utf8), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  private init(name path: [UInt8], _ mode: Int32) throws(SQLiteFailure) {
    var opened: OpaquePointer?
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe sqlite3_open_v2(
        bytes.assumingMemoryBound(to: CChar.self).baseAddress, &opened, flags, nil)
    }
    guard let opened = unsafe opened else {
      throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory")
    }
    guard code == SQLITE_OK else {
      let failure = unsafe Self.failure(code, opened)
      unsafe sqlite3_close_v2(opened)
      throw failure
    }
    unsafe handle = opened
    unsafe sqlite3_busy_timeout(opened, 1000)
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements that take no values and give no rows that matter.
  func execute(_ sql: String) throws(SQLiteFailure) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw unsafe Self.failure(code, handle) }
  }

  func prepare(_ sql: String) throws(SQLiteFailure) -> Statement {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      throw unsafe Self.failure(code, handle)
    }
    return unsafe Statement(prepared)
  }

  /// The first column of the first row as a number; nil when there is no row.
  func number(_ sql: String) throws(SQLiteFailure) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.number(0) : nil
  }

  static func failure(_ code: Int32, _ handle: OpaquePointer?) -> SQLiteFailure {
    let text = unsafe sqlite3_errmsg(handle)
    return SQLiteFailure(
      code: code, message: unsafe text.map { unsafe String(cString: $0) } ?? "unknown")
  }
}
