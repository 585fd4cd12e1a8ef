import Ledger
import RenderModel

/// An open ledger file with its prepared statements; used by one thread at a time.
struct LedgerFile: ~Copyable {
  /// For words to a person.
  let path: String
  let connection: Connection
  private let find: Statement
  private let store: Statement
  private let first: Statement
  private let page: Statement
  private let firstStruck: Statement
  private let pageStruck: Statement
  private let addName: Statement
  private let setPosition: Statement
  private let begin: Statement
  private let commit: Statement
  private var names: InternedNames

  /// Takes over a connection to a file whose schema is the newest.
  init(path: String, _ connection: consuming Connection) throws(SQLiteFailure) {
    // All at once at the end: what cannot be copied cannot be half there.
    let find = try connection.prepare("SELECT packed FROM entry WHERE job = ?1")
    let store = try connection.prepare(
      """
      INSERT INTO entry (job, packed, strikes) VALUES (?1, ?2, ?3)
      ON CONFLICT (job) DO UPDATE SET packed = excluded.packed, strikes = excluded.strikes
      """)
    let first = try connection.prepare("SELECT packed FROM entry ORDER BY job LIMIT ?1")
    let page = try connection.prepare(
      "SELECT packed FROM entry WHERE job > ?2 ORDER BY job LIMIT ?1")
    let firstStruck = try connection.prepare(
      "SELECT packed FROM entry WHERE strikes > 0 ORDER BY job LIMIT ?1")
    let pageStruck = try connection.prepare(
      "SELECT packed FROM entry WHERE strikes > 0 AND job > ?2 ORDER BY job LIMIT ?1")
    let addName = try connection.prepare("INSERT INTO name (number, text) VALUES (?1, ?2)")
    let setPosition = try connection.prepare(
      """
      INSERT INTO absorbed (run, bytes) VALUES (?1, ?2)
      ON CONFLICT (run) DO UPDATE SET bytes = excluded.bytes
      """)
    let begin = try connection.prepare("BEGIN")
    let commit = try connection.prepare("COMMIT")
    names = try Self.names(of: connection)
    self.path = path
    self.find = find
    self.store = store
    self.first = first
    self.page = page
    self.firstStruck = firstStruck
    self.pageStruck = pageStruck
    self.addName = addName
    self.setPosition = setPosition
    self.begin = begin
    self.commit = commit
    self.connection = connection
  }

  private static func names(
    of connection: borrowing Connection
  ) throws(SQLiteFailure) -> InternedNames {
    let statement = try connection.prepare("SELECT number, text FROM name ORDER BY number")
    var texts: [String] = []
    while try statement.step() {
      guard statement.number(0) == Int64(texts.count) else {
        throw SQLiteFailure.damage("a name is missing")
      }
      texts.append(statement.text(1))
    }
    return InternedNames(texts)
  }

  func lookUp(_ keys: [LedgerKey]) throws(SQLiteFailure) -> [LedgerEntry?] {
    if keys.count > 1 { try begin.run() }
    defer { if keys.count > 1 { try? commit.run() } }
    var result: [LedgerEntry?] = []
    result.reserveCapacity(keys.count)
    for key in keys {
      defer { find.reset() }
      try find.bind(1, Array(key.job.utf8))
      result.append(try find.step() ? try entry(find.bytes(0)) : nil)
    }
    return result
  }

  mutating func record(
    _ entries: [LedgerEntry], upTo position: JournalPosition?
  ) throws(SQLiteFailure) {
    let stored = names.count
    do throws(SQLiteFailure) {
      try begin.run()
      for entry in entries {
        try store.bind(1, Array(entry.job.utf8))
        try store.bind(2, PackedEntry.bytes(of: entry, &names))
        try store.bind(3, Int64(entry.strikes?.count ?? 0))
        try store.run()
      }
      for number in stored..<names.count {
        try addName.bind(1, Int64(number))
        try addName.bind(2, Array(names.text(number).utf8))
        try addName.run()
      }
      if let position {
        try setPosition.bind(1, Array(position.run.utf8))
        try setPosition.bind(2, position.bytes)
        try setPosition.run()
      }
      try commit.run()
    } catch {
      // A failure may have rolled back already; then there is nothing left to do.
      try? connection.execute("ROLLBACK")
      names.truncate(to: stored)
      throw error
    }
  }

  func positions() throws(SQLiteFailure) -> [JournalPosition] {
    let statement = try connection.prepare("SELECT run, bytes FROM absorbed ORDER BY run")
    var result: [JournalPosition] = []
    while try statement.step() {
      result.append(JournalPosition(run: statement.text(0), bytes: statement.number(1)))
    }
    return result
  }

  func count() throws(SQLiteFailure) -> Int {
    Int(try connection.number("SELECT count(*) FROM entry") ?? 0)
  }

  func entries(after key: LedgerKey?, limit: Int) throws(SQLiteFailure) -> [LedgerEntry] {
    guard let key else { return try entries(first, limit) }
    try page.bind(2, Array(key.job.utf8))
    return try entries(page, limit)
  }

  func struck(after key: LedgerKey?, limit: Int) throws(SQLiteFailure) -> [LedgerEntry] {
    guard let key else { return try entries(firstStruck, limit) }
    try pageStruck.bind(2, Array(key.job.utf8))
    return try entries(pageStruck, limit)
  }

  private func entries(
    _ statement: borrowing Statement, _ limit: Int
  ) throws(SQLiteFailure) -> [LedgerEntry] {
    defer { statement.reset() }
    try statement.bind(1, Int64(max(0, limit)))
    var result: [LedgerEntry] = []
    while try statement.step() { result.append(try entry(statement.bytes(0))) }
    return result
  }

  mutating func clear() throws(SQLiteFailure) {
    do throws(SQLiteFailure) {
      try connection.execute(
        "BEGIN IMMEDIATE; DELETE FROM entry; DELETE FROM name; DELETE FROM absorbed; COMMIT")
      names = InternedNames()
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private func entry(_ bytes: [UInt8]) throws(SQLiteFailure) -> LedgerEntry {
    guard let entry = PackedEntry.entry(bytes, names) else {
      throw SQLiteFailure.damage("the checksum of an entry does not fit")
    }
    return entry
  }
}
