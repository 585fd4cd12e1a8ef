import CSQLite

/// A prepared statement; values are bound from 1 and columns counted from 0, as SQLite does.
@safe struct Statement: ~Copyable {
  private let handle: OpaquePointer

  /// Takes the statement over.
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe sqlite3_finalize(handle) }

  /// SQLITE_TRANSIENT, a cast that is not imported: SQLite copies what it is given.
  private static var copied: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) throws(SQLiteFailure) {
    let code =
      bytes.isEmpty
      // Without an address it would be NULL.
      ? unsafe sqlite3_bind_zeroblob(handle, index, 0)
      : unsafe bytes.withUnsafeBytes {
        unsafe sqlite3_bind_blob(
          handle, index, $0.baseAddress, Int32(clamping: $0.count), Self.copied)
      }
    try check(code)
  }

  func bind(_ index: Int32, _ number: Int64) throws(SQLiteFailure) {
    try check(unsafe sqlite3_bind_int64(handle, index, number))
  }

  /// Whether there is a row.
  func step() throws(SQLiteFailure) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw unsafe Connection.failure(code, sqlite3_db_handle(handle))
  }

  /// Runs to the end and makes ready for the next time.
  func run() throws(SQLiteFailure) {
    defer { reset() }
    while try step() {}
  }

  /// Makes ready for the next time; bound values stay.
  func reset() { unsafe sqlite3_reset(handle) }

  func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  private func check(_ code: Int32) throws(SQLiteFailure) {
    if code == SQLITE_OK { return }
    throw unsafe Connection.failure(code, sqlite3_db_handle(handle))
  }
}
