import RenderModel
import Testing

@testable import Ledger

@Suite struct LedgerEntryTests {
  @Test("a render's report says everything")
  func rendered() throws {
    let known = try #require(entry(report(.rendered)))
    #expect(known.job == "2024/a.jpg")
    #expect(known.asset == RelativePath("2024/a.jpg"))
    #expect(known.source == .init(sha256: digest("aa"), identity: identity(1)))
    #expect(known.adjustment?.sha256 == digest("ad"))
    #expect(known.adjustment?.origin == RelativePath("2024/a.jpg.json"))
    #expect(known.renderKey == digest("be"))
    #expect(known.recipe == digest("e0"))
    #expect(known.filters.map(\.version) == [1, 3])
    #expect(
      known.resources == [
        .init(
          path: RelativePath("looks/a.cube"), sha256: digest("10"), bytes: 100,
          identity: identity(20)),
        .init(
          path: RelativePath("b.png"), sha256: digest("11"), bytes: 100, identity: identity(21)),
      ])
    #expect(
      known.outputs.map(\.path) == [
        RelativePath("2024/a.full.jpg"), RelativePath("2024/a.preview.jpg"),
      ])
    #expect(known.outputs[1].identity == identity(11))
    #expect(known.pixels == 12_000_000)
    #expect(known.cpu == 184.5)
    #expect(known.engine == "libheif 1.15.1, libvips 8.14.1")
    #expect(known.finished == noon)
    #expect(known.hadRecord)
  }

  @Test("names that are not UTF-8 come through")
  func oddNames() throws {
    let odd = RelativePath(bytes: [0x61, 0xFF, 0x2F, 0x0A])
    var raw = report(.rendered)
    raw.asset = JobReport.Asset(path: odd)
    raw.resources?[0] = JobReport.Resource(path: odd, bytes: 1, sha256: digest("f0"))
    raw.renditions[0] = JobReport.RenditionEntry(
      name: "full", path: odd, type: "public.jpeg", bytes: 1, sha256: digest("f0"), width: 1,
      height: 1, profile: "sRGB", bitDepth: 8)
    let known = try #require(entry(raw))
    #expect(known.asset == odd)
    #expect(known.outputs[0].path == odd)
    #expect(known.resources[0].path == odd)
    #expect(known.resources[0].identity == nil)
  }

  @Test(
    "an attempt that did not render leaves what stands, and says how it ended",
    arguments: [OutcomeState.failed, .timedOut, .kept, .cancelled])
  func attempt(state: OutcomeState) throws {
    let before = try #require(entry(report(.rendered)))
    var later = report(
      state, code: "x", source: "bb", adjustment: "bd", recipe: "e1", run: "R2",
      finished: "2026-01-31T13:00:00Z")
    later.resources = nil
    let after = try #require(LedgerEntry.following(before, later))
    #expect(after.outputs == before.outputs)
    #expect(after.source == before.source)
    #expect(after.adjustment == before.adjustment)
    #expect(after.recipe == before.recipe)
    #expect(after.resources == before.resources)
    #expect(!after.resources.isEmpty)
    #expect(after.outcome == state)
    #expect(after.code == "x")
    #expect(after.run == "R2")
    #expect(after.finished == noon + 3600 * second)
  }

  @Test("while nothing was published the last attempt is what is known")
  func neverPublished() throws {
    let after = try #require(
      entry(report(.failed, source: "aa"), report(.failed, source: "bb", recipe: "e1")))
    #expect(after.source?.sha256 == digest("bb"))
    #expect(after.recipe == digest("e1"))
    #expect(after.outputs.isEmpty)
  }

  @Test("a record that was seen is remembered until the photo is rendered without one")
  func seenRecord() throws {
    let plain = report(.rendered, adjustment: nil)
    #expect(entry(plain)?.hadRecord == false)
    #expect(entry(plain, report(.kept, code: "unknownFormat"))?.hadRecord == true)
    let lost = report(.failed, code: "unreadable", adjustment: nil)
    #expect(entry(plain, report(.kept), lost)?.hadRecord == true)
    #expect(entry(report(.kept), lost)?.adjustment?.sha256 == digest("ad"))
    #expect(entry(report(.rendered), plain)?.hadRecord == false)
  }

  @Test(
    "what was not attempted changes nothing",
    arguments: [OutcomeState.fresh, .skipped, .quarantined])
  func noAttempt(state: OutcomeState) {
    let before = entry(report(.rendered))
    #expect(LedgerEntry.following(before, report(state, run: "R2")) == before)
    #expect(entry(report(state)) == nil)
  }

  @Test("a state of a later version changes nothing")
  func unknownState() {
    var odd = report(.rendered)
    odd.outcome.state = "transmogrified"
    let before = entry(report(.failed))
    #expect(LedgerEntry.following(before, odd) == before)
  }

  @Test("how a job ended before this run is known while the run is on and after it")
  func earlierEnding() throws {
    let first = try #require(entry(report(.failed, code: "crashed", run: "R1")))
    #expect(first.earlier == nil)
    #expect(first.ending(before: "R1") == nil)
    #expect(first.ending(before: "R2") == .init(.failed, code: "crashed"))
    let second = LedgerEntry.following(first, report(.rendered, run: "R2"))
    #expect(second?.ending(before: "R2") == .init(.failed, code: "crashed"))
    #expect(second?.ending(before: "R3") == .init(.rendered, code: nil))
    // Two reports of one run count as one attempt.
    let again = LedgerEntry.following(second, report(.kept, code: "unknownFormat", run: "R2"))
    #expect(again?.ending(before: "R2") == .init(.failed, code: "crashed"))
  }

  @Test("strikes count crashes, hangs and memory of one content, and a render clears them")
  func strikes() {
    let crash = report(.failed, code: "crashed")
    let memory = report(.failed, code: "memory")
    let hang = report(.timedOut)
    let harmless = report(.failed, code: "truncated")
    #expect(entry(crash)?.strikes == 1)
    #expect(entry(crash, memory, hang)?.strikes == 3)
    #expect(entry(crash, hang)?.struckSource == digest("aa"))
    #expect(entry(crash, harmless)?.strikes == 1)
    #expect(entry(harmless)?.strikes == 0)
    #expect(entry(harmless)?.struckSource == nil)
    #expect(entry(crash, report(.rendered))?.strikes == 0)
    #expect(entry(crash, report(.failed, code: "crashed", source: "bb"))?.strikes == 1)
    #expect(entry(crash, report(.failed, code: "truncated", source: "bb"))?.strikes == 0)
    #expect(entry(crash, report(.timedOut, source: nil))?.strikes == 2)
  }

  @Test(
    "times are read to the nanosecond",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-01-31T12:00:00Z", 1_769_860_800_000_000_000),
      ("2024-02-29T23:59:59.999Z", 1_709_251_199_999_000_000),
      ("2000-03-01T00:00:00.5Z", 951_868_800_500_000_000),
      ("2026-01-31T12:00:00", nil), ("2026-01-31 12:00:00Z", nil), ("2026-13-31T12:00:00Z", nil),
      ("2026-01-31T12:00:00.Z", nil), ("2026-01-31T12:00:00,1Z", nil), ("", nil),
      ("2026-01-31T12:00:00.1234567891Z", nil), ("20x6-01-31T12:00:00Z", nil),
    ] as [(String, Int64?)])
  func times(text: String, expected: Int64?) {
    #expect(Timestamp.nanoseconds(text) == expected)
  }
}
