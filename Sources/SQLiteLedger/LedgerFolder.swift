import Glibc
import Ledger
import RenderModel
import SystemSupport

/// The state folder as the place of a ledger file.
struct LedgerFolder: Sendable {
  let directory: Directory
  /// Called with what a person should know at once.
  let onNote: @Sendable (String) -> Void

  /// SQLite's own limit on the length of a file's path, less what it adds.
  static let longestPath = 500

  private static let logName = SQLiteLedger.fileName + Array("-wal".utf8)

  /// The file's path, for SQLite; makes the file when there is none, and refuses unfit places.
  func prepare() throws(LedgerError) -> [UInt8] {
    let path = try wrapping { () throws(SystemError) in
      try directory.realPath() + Array("/".utf8) + SQLiteLedger.fileName
    }
    if path.count > Self.longestPath {
      throw LedgerError(
        .unsuitable,
        detail: "the path of the state folder is too long for a ledger "
          + "(\(path.count) bytes of \(Self.longestPath)); give a shorter one with --state")
    }
    try Self.refuse(try wrapping { () throws(SystemError) in try FileSystemSpace(at: directory) })
    let status = try wrapping { () throws(SystemError) in
      try directory.status(SQLiteLedger.fileName)
    }
    if let status, status.kind != .regular {
      throw LedgerError(
        .unsuitable,
        detail: "\(DisplayText.escaped(path)) is not a regular file; move it away and run again")
    }
    if status == nil {
      // SQLite would not heed the umask's group.
      try wrapping { () throws(SystemError) in
        _ = try directory.openBeneath(
          SQLiteLedger.fileName, flags: O_RDWR | O_CREAT, mode: 0o666)
      }
    }
    return path
  }

  /// The path of a ledger that can be read as it lies there, for SQLite; nil when there is none.
  ///
  /// One that was left open does not lie there whole: its log has to be carried over first.
  func find() throws(LedgerError) -> [UInt8]? {
    let status = try wrapping { () throws(SystemError) in
      try directory.status(SQLiteLedger.fileName)
    }
    guard let status, status.kind == .regular, status.size > 0, try !hasLog() else { return nil }
    return try wrapping { () throws(SystemError) in
      try directory.realPath() + Array("/".utf8) + SQLiteLedger.fileName
    }
  }

  /// A database that other machines may write to is not safe from them, and its locks may not hold.
  static func refuse(_ space: FileSystemSpace) throws(LedgerError) {
    guard space.isNetwork else { return }
    throw LedgerError(
      .unsuitable,
      detail: "the state folder is on a network file system (\(space.kindName)), where a ledger "
        + "cannot be kept safely; give a folder on a disk of this machine with --state")
  }

  /// Whether the last process that had the file open died with it.
  func hasLog() throws(LedgerError) -> Bool {
    try wrapping { () throws(SystemError) in
      (try directory.status(Self.logName)?.size ?? 0) > 0
    }
  }

  /// Gives the file another name, its log too, so that a new one can be made; nothing is deleted.
  func setAside(_ failure: LedgerError) throws(LedgerError) {
    let stamp = WallClock.iso8601(WallClock.now()).prefix(19).filter { $0 != "-" && $0 != ":" }
    let name = "ledger-damaged-\(stamp)Z-\(RandomBytes.hex(2)).sqlite"
    try wrapping { () throws(SystemError) in
      try directory.rename(SQLiteLedger.fileName, to: directory, Array(name.utf8))
      if try directory.status(Self.logName) != nil {
        try directory.rename(Self.logName, to: directory, Array((name + "-wal").utf8))
      }
      try directory.synchronize()
    }
    onNote("\(failure); it was set aside as \(name)")
  }

  /// In the ledger's terms, with the kernel's reason where writing beside the file is refused too.
  func error(
    _ failure: SQLiteFailure, at path: String, otherwise code: LedgerError.Code
  ) -> LedgerError {
    failure.error(
      at: path, otherwise: code, refusal: failure.isRefusal ? directory.writingRefusal() : nil)
  }

  func wrapping<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(LedgerError) -> Value {
    do {
      return try body()
    } catch {
      throw LedgerError(.unreachable, detail: "\(error)", isDiskFull: error.isDiskFull)
    }
  }
}
