import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Ledger
@testable import SQLiteLedger

/// Files of other versions, and files that are not what they were.
@Suite("Ledger files")
struct LedgerFileTests {
  private func filled(_ jobs: Int = 300) throws -> LedgerPlace {
    let place = try LedgerPlace()
    let entries = try (0..<jobs).map { number in
      try #require(entry(report(.rendered, job: "job \(number)")))
    }
    try place.open().record(entries, upTo: JournalPosition(run: "R1", bytes: 5))
    return place
  }

  private static let nextStep = "ALTER TABLE entry ADD COLUMN seen INTEGER;"

  @Test("a file of an earlier schema takes the steps that it lacks and keeps what it has")
  func migration() throws {
    let place = try filled()
    let later = LedgerSchema.steps + [Self.nextStep, "CREATE TABLE more (x);"]
    let ledger = try place.open(steps: later)
    #expect(try ledger.count() == 300)
    #expect(try ledger.number("PRAGMA user_version") == Int64(later.count))
    #expect(try ledger.number("SELECT count(*) FROM more") == 0)
    #expect(try ledger.number("SELECT count(seen) FROM entry") == 0)
    #expect(try ledger.lookUp("job 7") == entry(report(.rendered, job: "job 7")))
    #expect(place.notes.all == [])
  }

  @Test("entries that say less than today's are forgotten, to be taken in from the journals anew")
  func poorerEntries() throws {
    let place = try LedgerPlace()
    do {
      let old = try place.open(steps: Array(LedgerSchema.steps.prefix(1)))
      try old.record(
        [try #require(entry(report(.rendered)))], upTo: JournalPosition(run: "R1", bytes: 5))
    }
    let ledger = try place.open()
    #expect(try ledger.count() == 0)
    #expect(try ledger.positions() == [])
    #expect(place.notes.all == [])
  }

  @Test("a step that fails leaves the file at the schema it had")
  func failedStep() throws {
    let place = try filled()
    let broken = LedgerSchema.steps + [Self.nextStep, "CREATE TABLE more (x); NONSENSE;"]
    #expect(throws: LedgerError.self) { _ = try place.open(steps: broken) }
    let ledger = try place.open(steps: LedgerSchema.steps + [Self.nextStep])
    #expect(try ledger.number("PRAGMA user_version") == Int64(LedgerSchema.steps.count + 1))
    #expect(try ledger.count() == 300)
  }

  @Test("a file of a later schema is refused and left as it is, with file, version and remedy")
  func newer() throws {
    let place = try filled()
    do { _ = try place.open(steps: LedgerSchema.steps + [Self.nextStep]) }
    let before = try place.read()
    let failure = #expect(throws: LedgerError.self) { _ = try place.open() }
    #expect(failure?.code == .newer)
    let detail = failure?.detail ?? ""
    #expect(detail.contains("\(place.path)/state/ledger.sqlite was written by a later version"))
    let known = LedgerSchema.steps.count
    #expect(detail.contains("its schema is \(known + 1), this one knows \(known)"))
    #expect(detail.contains("move the file away"))
    #expect(try place.read() == before)
    #expect(try place.names() == ["ledger.sqlite"])
  }

  @Test("a database of another program is refused and left as it is")
  func foreign() throws {
    let place = try LedgerPlace()
    do { try place.connect().execute("CREATE TABLE photos (x)") }
    let before = try place.read()
    let failure = #expect(throws: LedgerError.self) { _ = try place.open() }
    #expect(failure?.code == .unsuitable)
    #expect(failure?.detail.contains("another program") == true)
    #expect(try place.read() == before)
  }

  struct Damage: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout [UInt8]) -> Void
  }

  static let damages: [Damage] = [
    Damage(testDescription: "no database at all") { $0 = Array(repeating: 0x20, count: $0.count) },
    Damage(testDescription: "cut off") { $0.removeLast($0.count / 2) },
    Damage(testDescription: "cut off within its header") { $0.removeLast($0.count - 50) },
    Damage(testDescription: "the schema's page is overwritten") { bytes in
      for index in 100..<4096 { bytes[index] = 0x5A }
    },
  ]

  @Test(
    "a damaged file is set aside whole, said aloud, and a new one takes its place",
    arguments: damages)
  func damaged(damage: Damage) throws {
    let place = try filled()
    var bytes = try place.read()
    damage.change(&bytes)
    try place.write(bytes)
    let ledger = try place.open()
    #expect(try ledger.count() == 0)
    #expect(try ledger.positions() == [])
    let aside = try #require(try place.names().first { $0.hasPrefix("ledger-damaged-") })
    #expect(try place.read(aside) == bytes)
    #expect(place.notes.all.count == 1)
    #expect(place.notes.all.first?.contains("the ledger is damaged: ") == true)
    #expect(place.notes.all.first?.contains("set aside as \(aside)") == true)
    try ledger.record([try #require(entry(report(.rendered)))])
    #expect(try ledger.count() == 1)
  }

  @Test(
    "rot in an entry is found when it is asked for; nothing more is believed, and the next is new")
  func rot() throws {
    let place = try filled()
    var bytes = try place.read()
    // In the digest of a source, in the middle of every entry that has one.
    let needle = Array("job 299".utf8)
    let place299 = try #require(
      bytes.indices.dropLast(needle.count).last { index in
        bytes[index] == needle[0] && bytes[index..<(index + needle.count)].elementsEqual(needle)
          && bytes[index - 1] == UInt8(needle.count)
      })
    bytes[place299 + 40] ^= 0x01
    try place.write(bytes)
    let ledger = try place.open()
    #expect(try ledger.lookUp("job 3") != nil)
    let failure = #expect(throws: LedgerError.self) { _ = try ledger.lookUp("job 299") }
    #expect(failure?.code == .damaged)
    #expect(throws: LedgerError.self) { _ = try ledger.lookUp("job 3") }
    #expect(throws: LedgerError.self) { try ledger.record([]) }
    #expect(place.notes.all.count == 1)
    let next = try place.open()
    #expect(try next.count() == 0)
    #expect(try place.names().filter { $0.hasPrefix("ledger-damaged-") }.isEmpty == false)
  }

  @Test("pages that were torn while a process died are found when the next opens the file")
  func tornAfterDeath() throws {
    let place = try filled()
    var bytes = try place.read()
    for index in stride(from: 4096 * 3, to: bytes.count, by: 64) { bytes[index] = 0xFF }
    try place.write(bytes)
    // A log that holds nothing valid is what a process leaves that died early.
    try place.write(Array(repeating: 0, count: 64), "ledger.sqlite-wal")
    let ledger = try place.open()
    #expect(try ledger.count() == 0)
    #expect(place.notes.all.count == 1)
  }

  @Test("a process that dies leaves a ledger that is whole, with all it had committed")
  func death() throws {
    let place = try LedgerPlace()
    let copy = try LedgerPlace()
    let ledger = try place.open()
    for number in 0..<50 {
      try ledger.record(
        [try #require(entry(report(.rendered, job: "job \(number)")))],
        upTo: JournalPosition(run: "R1", bytes: Int64(number)))
    }
    // What a kill leaves: the file and its log as they are at this moment.
    try copy.write(try place.read())
    try copy.write(try place.read("ledger.sqlite-wal"), "ledger.sqlite-wal")
    let after = try copy.open()
    #expect(try after.count() == 50)
    #expect(try after.positions() == [JournalPosition(run: "R1", bytes: 49)])
    #expect(copy.notes.all == [])
  }
}

extension SQLiteLedger {
  /// For tests that look past the ledger.
  func execute(_ sql: String) throws {
    try withFile { (file) throws(SQLiteFailure) in try file.connection.execute(sql) }
  }

  func number(_ sql: String) throws -> Int64? {
    try withFile { (file) throws(SQLiteFailure) in try file.connection.number(sql) }
  }
}
