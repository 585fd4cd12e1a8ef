import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Ledger
@testable import SQLiteLedger

@Suite("SQLite ledger")
struct SQLiteLedgerTests {
  @Test("the ledger in a file does what every ledger must")
  func conformance() throws {
    var places: [LedgerPlace] = []
    try expectConformance {
      places.append(try LedgerPlace())
      return try places[places.count - 1].open()
    }
  }

  private func sample(_ job: String, run: String = "R1") throws -> LedgerEntry {
    try #require(entry(report(.rendered, job: job, run: run)))
  }

  @Test("everything is there again after it was closed, and the log is gone")
  func reopened() throws {
    let place = try LedgerPlace()
    let jobs = (0..<500).map { "2024/IMG_\($0).jpg" }
    do {
      let ledger = try place.open()
      try ledger.record(jobs.map { try sample($0) }, upTo: JournalPosition(run: "R1", bytes: 10))
      #expect(try place.names().contains("ledger.sqlite-wal"))
    }
    #expect(try place.names() == ["ledger.sqlite"])
    let ledger = try place.open()
    #expect(try ledger.count() == jobs.count)
    #expect(try ledger.positions() == [JournalPosition(run: "R1", bytes: 10)])
    #expect(try ledger.lookUp(jobs.map(LedgerKey.init)) == jobs.map { try sample($0) })
    // Names that are shared go on where they ended.
    try ledger.record([sample("new", run: "R2")])
    #expect(try ledger.lookUp("new") == sample("new", run: "R2"))
    #expect(place.notes.all == [])
  }

  @Test("a step that fails half-way leaves nothing of it, names included")
  func rolledBack() throws {
    let place = try LedgerPlace()
    let ledger = try place.open()
    try ledger.record([sample("a")], upTo: JournalPosition(run: "R1", bytes: 1))
    // A limit on the file's size is a disk that is full.
    try ledger.execute("PRAGMA max_page_count = 8")
    let many = try (0..<2000).map { try sample("job \($0)", run: "R\($0)") }
    let failure = #expect(throws: LedgerError.self) {
      try ledger.record(many, upTo: JournalPosition(run: "R2", bytes: 2))
    }
    #expect(failure?.code == .notRecorded)
    #expect(failure?.isDiskFull == true)
    #expect(try ledger.count() == 1)
    #expect(try ledger.positions() == [JournalPosition(run: "R1", bytes: 1)])
    try ledger.execute("PRAGMA max_page_count = 100000")
    try ledger.record(many, upTo: JournalPosition(run: "R2", bytes: 2))
    #expect(try ledger.lookUp(many.map(\.key)) == many)
  }

  @Test("a second connection is refused while the first is open, and says why")
  func secondConnection() throws {
    let place = try LedgerPlace()
    let first = try place.open()
    try first.record([sample("a")])
    let failure = #expect(throws: LedgerError.self) { _ = try place.open() }
    #expect(failure?.code == .unreachable)
    #expect(failure?.detail.contains("open in another program") == true)
    #expect(try first.lookUp("a") != nil)
    #expect(try place.names().filter { $0.contains("damaged") } == [])
  }

  @Test(
    "the folder may have any name",
    arguments: [
      Array("caf\u{E9} 'x' \"y\"\n?mode=ro".utf8), [0x61, 0xFF, 0xFE],
      Array(repeating: 0x78, count: 255),
    ])
  func oddNames(name: [UInt8]) throws {
    let place = try LedgerPlace(name: name)
    do { try place.open().record([sample("a")]) }
    #expect(try place.open().lookUp("a") == sample("a"))
    #expect(try place.names().contains("ledger.sqlite"))
  }

  @Test("a path that SQLite cannot open is refused with what to do")
  func longPath() throws {
    let place = try LedgerPlace(
      name: Array(repeating: Array(repeating: 0x78, count: 200), count: 3).joined(separator: [0x2F])
        .map { $0 })
    let failure = #expect(throws: LedgerError.self) { _ = try place.open() }
    #expect(failure?.code == .unsuitable)
    #expect(failure?.detail.contains("--state") == true)
  }

  @Test("a folder or link under the ledger's name is refused")
  func notAFile() throws {
    let place = try LedgerPlace()
    _ = try place.state.makeDirectories(SQLiteLedger.fileName)
    let failure = #expect(throws: LedgerError.self) { _ = try place.open() }
    #expect(failure?.code == .unsuitable)
  }

  @Test(
    "network file systems are refused with what to do instead, others are not",
    arguments: [
      (UInt64(0x6969), "nfs"), (0xFF53_4D42, "cifs"), (0x0102_1997, "9p"), (0xEF53, nil),
      (0x0102_1994, nil), (0x6573_5546, nil),
    ] as [(UInt64, String?)])
  func networks(magic: UInt64, name: String?) {
    let space = FileSystemSpace(magic: magic, available: 1)
    var failure: LedgerError?
    do { try LedgerFolder.refuse(space) } catch { failure = error }
    #expect(failure?.code == (name == nil ? nil : .unsuitable))
    if let name {
      #expect(failure?.detail.contains("(\(name))") == true)
      #expect(failure?.detail.contains("--state") == true)
    }
  }

  @Test(
    "where writing beside the ledger is refused as well, that is the reason",
    arguments: [
      (SQLiteFailure(code: 13, message: "full"), nil, true, "no space is left on its disk"),
      (.init(code: 10 | 4 << 8, message: "I/O"), ENOSPC, true, "no space is left on its disk"),
      (.init(code: 10 | 3 << 8, message: "I/O"), EDQUOT, true, "no space is left on its disk"),
      (.init(code: 10, message: "I/O"), EIO, false, "I/O (Input/output error)"),
      (.init(code: 14, message: "cannot open"), EMFILE, false, "cannot open (Too many open files)"),
      (.init(code: 10, message: "I/O"), nil, false, "I/O"),
    ] as [(SQLiteFailure, Int32?, Bool, String)])
  func refusals(failure: SQLiteFailure, errno: Int32?, isFull: Bool, words: String) {
    let refusal = errno.map { SystemError(operation: "write", errno: $0) }
    let error = failure.error(at: "a.sqlite", otherwise: .unreachable, refusal: refusal)
    #expect(error.isDiskFull == isFull)
    #expect(error.detail == "a.sqlite: " + words)
    #expect(failure.isRefusal == (failure.code != 13))
  }
}
