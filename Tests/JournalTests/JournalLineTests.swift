import JSONText
import RenderModel
import Testing

@testable import Journal

@Suite struct JournalLineTests {
  private static let lines: [JournalLine] = [
    .run(start), .report(report()),
    .intent(
      Intent(
        names: [
          .init(
            rendition: "full", path: RelativePath("a.full.jpg"), staged: "1-full",
            sha256: fingerprint([2]), bytes: 7),
          .init(
            rendition: nil, path: RelativePath(bytes: [0xFF]), staged: "1-report",
            sha256: fingerprint([3]), bytes: 8),
        ], report: report())),
    .release(
      QuarantineRelease(
        job: "a.jpg", run: runName, source: fingerprint([4]), released: "2026-01-31T12:00:09Z")),
    .end(RunEnd(run: runName, finished: "2026-01-31T12:00:09Z", totals: .init())),
    .end(RunEnd(run: runName, finished: "2026-01-31T12:00:09Z", totals: nil)),
  ]

  private func body(_ line: JournalLine) throws -> [UInt8] { try line.encoded().dropLast() }

  @Test(
    "the checksum is CRC-32C",
    // The test patterns of RFC 3720, appendix B.4, and the usual check value.
    arguments: [
      (Array("123456789".utf8), 0xE306_9283), ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0...31), 0x46DD_794E),
      (Array((0...31).reversed()), 0x113F_DB5C), ([], 0),
    ] as [([UInt8], UInt32)])
  func checksum(bytes: [UInt8], expected: UInt32) {
    #expect(CRC32C.checksum(bytes) == expected)
  }

  @Test("a line comes back as it was", arguments: lines)
  func roundTrip(line: JournalLine) throws {
    let text = try line.encoded()
    #expect(text.last == UInt8(ascii: "\n"))
    #expect(text.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try JournalLine.decode(text.dropLast()[...]) == line)
  }

  @Test("a line is JSON whose last member is the checksum of what stands before it")
  func lastMember() throws {
    let text = try body(.report(report()))
    let members = try #require(try JSONParser.parse(text).value.object)
    let last = try #require(members.last)
    #expect(last.key == "checksum")
    // The comma before the key is not covered.
    let covered = text[..<(last.keyOffset - 1)]
    #expect(last.value.string == CRC32C.text(CRC32C.checksum(covered)))
    #expect(members.first { $0.key == "kind" }?.value.string == "report")
  }

  @Test("hostile text stays on its line, escaped")
  func hostile() throws {
    var odd = report("a\n\u{1B}[2J\u{85}\u{2028}\u{202E}\"checksum\":\"")
    odd.outcome.detail = "\u{0}é"
    let text = try body(.report(odd))
    let shown = String(decoding: text, as: UTF8.self)
    #expect(!shown.unicodeScalars.contains(where: DisplayText.isUnsafe))
    #expect(try JournalLine.decode(text[...]) == .report(odd))
  }

  @Test("a number without a JSON form is an error, not a line")
  func notEncodable() {
    var odd = report()
    odd.timings.total = .nan
    #expect(code { _ = try JournalLine.report(odd).encoded() } == .notEncodable)
  }

  @Test("no change of a single byte goes unnoticed")
  func everyByte() throws {
    let text = try body(.report(report()))
    for index in text.indices {
      for flip: UInt8 in [0x01, 0x20, 0x80] {
        var changed = text
        changed[index] ^= flip
        #expect(throws: JournalLine.Flaw.self) { try JournalLine.decode(changed[...]) }
      }
    }
  }

  @Test("no cut of a line goes unnoticed")
  func everyCut() throws {
    let text = try body(.report(report()))
    for length in text.indices {
      #expect(throws: JournalLine.Flaw.self) { try JournalLine.decode(text.prefix(length)) }
    }
  }

  @Test(
    "a whole line of an unknown form is told from a damaged one",
    arguments: [
      ("{\"kind\":\"dance\"", JournalLine.Flaw.unknownForm), ("{\"kind\":\"report\"", .unknownForm),
      ("[1", .unknownForm), ("{", .unknownForm),
    ])
  func unknownForm(body: String, flaw: JournalLine.Flaw) {
    let sum = CRC32C.text(CRC32C.checksum(body.utf8))
    let line = Array((body + ",\"checksum\":\"\(sum)\"}").utf8)
    #expect(throws: flaw) { try JournalLine.decode(line[...]) }
    let wrong = Array((body + ",\"checksum\":\"00000000\"}").utf8)
    #expect(throws: JournalLine.Flaw.wrongChecksum) { try JournalLine.decode(wrong[...]) }
    #expect(throws: JournalLine.Flaw.noChecksum) { try JournalLine.decode(Array(body.utf8)[...]) }
  }

  @Test("members that a later version adds are passed over")
  func laterMembers() throws {
    let text = try body(.run(start))
    let known = String(decoding: text.prefix(text.count - 23), as: UTF8.self)
    let body = known + ",\"zeal\":1"
    let line = body + ",\"checksum\":\"\(CRC32C.text(CRC32C.checksum(body.utf8)))\"}"
    #expect(try JournalLine.decode(Array(line.utf8)[...]) == .run(start))
  }

  @Test("lines have every key of their schema and no other")
  func schema() throws {
    var validator = SchemaValidator()
    let file = "journal-line.schema.json"
    for line in Self.lines {
      let json = String(decoding: try body(line), as: UTF8.self)
      #expect(try validator.validate(json, file) == [])
    }
    let own = validator.visited.filter { $0.hasPrefix(file) }
    #expect(try own == validator.properties(file))
    #expect(try !validator.validate("{\"kind\":\"run\"}", file).isEmpty)
  }
}
