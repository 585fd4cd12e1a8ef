import Ledger
import RenderModel
import SystemSupport
import Testing

@testable import Journal

@Suite struct JournalReaderTests {
  let folder: TemporaryFolder
  var root: Directory { folder.directory }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func put(_ bytes: [UInt8]) throws {
    try write(root, JournalWriter.fileName, bytes)
  }

  private func encoded(_ lines: [JournalLine]) throws -> [[UInt8]] {
    try lines.map { try $0.encoded() }
  }

  @Test("no journal is told from an empty one")
  func missing() throws {
    #expect(try JournalReader.open(root) == nil)
    try put([])
    var reader = try #require(try JournalReader.open(root))
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
    #expect(reader.wholeLength == 0)
  }

  @Test("a journal that is a folder is an error")
  func unreadable() throws {
    _ = try root.makeDirectories(JournalWriter.fileName)
    var reader = try #require(try JournalReader.open(root))
    #expect(throws: JournalError.self) { try reader.next() }
  }

  @Test("cut anywhere, a journal gives its whole lines and says how much is torn")
  func everyCut() throws {
    let parts = try encoded([.run(start), .report(report())])
    let text = parts[0] + parts[1]
    for length in 0...text.count {
      try put(Array(text.prefix(length)))
      let read = try readAll(root)
      let whole = length == text.count ? 2 : length >= parts[0].count ? 1 : 0
      #expect(read.lines.count == whole)
      #expect(read.corrupt.isEmpty)
      let wholeBytes = parts.prefix(whole).reduce(0) { $0 + $1.count }
      #expect(read.torn == length - wholeBytes)
      var reader = try #require(try JournalReader.open(root))
      while try reader.next() != nil {}
      #expect(reader.wholeLength == Int64(wholeBytes))
    }
  }

  @Test("a damaged line in the middle is named and passed over, the others are read")
  func corrupt() throws {
    var parts = try encoded([.run(start), .report(report("a")), .report(report("b"))])
    parts[1][10] ^= 1
    try put(Array(parts.joined()) + Array("\n\nnonsense\n".utf8))
    let read = try readAll(root)
    #expect(read.lines == [.run(start), .report(report("b"))])
    #expect(read.corrupt.map(\.number) == [2, 4, 5, 6])
    #expect(read.corrupt.map(\.flaw) == [.wrongChecksum, .noChecksum, .noChecksum, .noChecksum])
    #expect(read.torn == 0)
  }

  @Test("a hole of zeros, as power loss leaves it, hides no line after it")
  func zeros() throws {
    let line = try JournalLine.report(report()).encoded()
    try put(line + [UInt8](repeating: 0, count: 5000) + [UInt8(ascii: "\n")] + line)
    let read = try readAll(root)
    #expect(read.lines.count == 2)
    #expect(read.corrupt.map(\.number) == [2])
  }

  @Test("only the first hundred damaged lines are named, all are counted")
  func manyCorrupt() throws {
    try put([UInt8](repeating: UInt8(ascii: "\n"), count: 1000))
    var reader = try #require(try JournalReader.open(root))
    #expect(try reader.next() == nil)
    #expect(reader.corrupt.count == 100)
    #expect(reader.corruptCount == 1000)
    #expect(reader.wholeLength == 1000)
  }

  @Test(
    "a line longer than allowed is passed over without being held",
    arguments: [0, 1, 70_000, 300_000])
  func longLine(excess: Int) throws {
    let line = try JournalLine.report(report()).encoded()
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: line.count + excess)
    try put(line + long + [UInt8(ascii: "\n")] + line + long)
    let file = try root.openBeneath(JournalWriter.fileName, flags: 0)
    var reader = JournalReader(file, longestLine: line.count - 1)
    #expect(try reader.next() == .report(report()))
    #expect(try reader.next() == .report(report()))
    #expect(try reader.next() == nil)
    #expect(reader.corrupt == [.init(number: 2, flaw: .longerThanAllowed)])
    #expect(reader.wholeLength == Int64(line.count * 2 + long.count + 1))
    #expect(reader.tornBytes == long.count)
  }

  @Test("lines may cross the borders of what is read at once")
  func borders() throws {
    var lines: [JournalLine] = []
    for number in 0..<300 {
      var padded = report("\(number)")
      padded.losses = [String(repeating: "x", count: number * 7 % 1000)]
      lines.append(.report(padded))
    }
    let text = try Array(encoded(lines).joined())
    #expect(text.count > 2 << 16)
    try put(text)
    #expect(try readAll(root).lines == lines)
  }

  @Test("reports are found among all other lines, and a damaged intent is still noticed")
  func reportsOnly() throws {
    var odd = report("\"kind\":\"intent\"")
    odd.outcome.detail = "\\\"kind\":\"intent\""
    let intent = Intent(names: [], report: report("c"))
    var parts = try encoded([
      .run(start), .intent(intent), .report(odd), .intent(intent), .report(report("b")),
      .end(RunEnd(run: runName, finished: "2026-01-31T12:00:09Z", totals: nil)),
    ])
    parts[3][5] ^= 1
    try put(Array(parts.joined()))
    var reader = try #require(try JournalReader.open(root))
    #expect(try reader.nextReport() == odd)
    #expect(try reader.nextReport() == report("b"))
    #expect(try reader.nextReport() == nil)
    #expect(reader.corrupt == [.init(number: 4, flaw: .wrongChecksum)])
  }

  @Test("a ledger made from journals knows what the last reports said")
  func ledger() throws {
    let writer = try JournalWriter(creatingIn: root)
    try writer.append([
      .run(start), .report(report("a", .failed)), .report(report("b")), .report(report("a")),
      .intent(Intent(names: [], report: report("c"))),
    ])
    let ledger = MemoryLedger()
    var reader = try #require(try JournalReader.open(root))
    while let report = try reader.nextReport() { try ledger.absorb([report], upTo: nil) }
    let found = ledger.lookUp(["a", "b", "c"].map { LedgerKey(job: $0) })
    #expect(found.map { $0?.outcome } == [.rendered, .rendered, nil])
  }
}
