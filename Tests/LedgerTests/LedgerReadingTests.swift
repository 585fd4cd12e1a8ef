import RenderModel
import SystemSupport
import Testing

@testable import Ledger
@testable import SQLiteLedger

@Suite("A ledger file that is only looked at")
struct LedgerReadingTests {
  private func filled(_ name: String = "state") throws -> LedgerPlace {
    let place = try LedgerPlace(name: Array(name.utf8))
    let ledger = try place.open()
    try ledger.record(
      [try #require(entry(report(.rendered, job: "a")))],
      upTo: JournalPosition(run: "R1", bytes: 10))
    return place
  }

  @Test(
    "it says what was recorded and leaves nothing behind, whatever its folder is called",
    arguments: ["state", "100% of ?mode=rw&x#y", "Größe und ' \""])
  func read(folder: String) throws {
    let place = try filled(folder)
    let before = try (place.names(), place.read())
    do {
      let ledger = try #require(try SQLiteLedger.read(in: place.state))
      #expect(try ledger.lookUp("a")?.job == "a")
      #expect(try ledger.positions() == [JournalPosition(run: "R1", bytes: 10)])
      #expect(try ledger.entries(after: nil, limit: 9).count == 1)
      let more = try #require(entry(report(.rendered, job: "b")))
      #expect(throws: LedgerError.self) { try ledger.record([more]) }
      #expect(try place.names() == before.0)
    }
    #expect(try place.names() == before.0)
    #expect(try place.read() == before.1)
  }

  @Test("where there is none to be read as it lies there, there is none")
  func none() throws {
    let empty = try LedgerPlace()
    #expect(try SQLiteLedger.read(in: empty.state) == nil)
    #expect(try empty.names() == [])
    let open = try filled()
    try open.write([1], "ledger.sqlite-wal")
    #expect(try SQLiteLedger.read(in: open.state) == nil)
    let damaged = try filled()
    try damaged.write(try damaged.read().map { _ in 0x2A })
    #expect(try SQLiteLedger.read(in: damaged.state) == nil)
    #expect(try damaged.names() == ["ledger.sqlite"])
    let older = try filled()
    var bytes = try older.read()
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 1])
    try older.write(bytes)
    #expect(try SQLiteLedger.read(in: older.state) == nil)
    #expect(try older.read() == bytes)
  }

  @Test("damage that shows later is told, and the file stays where it is")
  func rot() throws {
    let place = try filled()
    var bytes = try place.read()
    // The entry begins with the length of the job's id and the id.
    for index in bytes.indices.dropLast(60)
    where bytes[index] == 1 && bytes[index + 1] == UInt8(ascii: "a") { bytes[index + 20] ^= 1 }
    try place.write(bytes)
    let ledger = try #require(try SQLiteLedger.read(in: place.state))
    #expect {
      try ledger.lookUp("a")
    } throws: { ($0 as? LedgerError)?.code == .damaged }
    #expect(try place.names() == ["ledger.sqlite"])
    #expect(place.notes.all.isEmpty)
  }
}
