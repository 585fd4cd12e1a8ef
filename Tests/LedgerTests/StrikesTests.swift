import RenderModel
import Testing

@testable import Ledger

/// When content counts as struck, and when it is set aside for that.
@Suite("Strikes")
struct StrikesTests {
  private let crash = report(.failed, code: "crashed")

  @Test("crashes, hangs and memory of one content count, and a render clears them")
  func counting() {
    let memory = report(.failed, code: "memory")
    let hang = report(.timedOut)
    let harmless = report(.failed, code: "truncated")
    func count(_ reports: JobReport...) -> Int {
      reports.reduce(nil) { LedgerEntry.following($0, $1) }?.strikes?.count ?? 0
    }
    #expect(count(crash) == 1)
    #expect(count(crash, memory, hang) == 3)
    #expect(count(crash, harmless) == 1)
    #expect(count(harmless) == 0)
    #expect(count(crash, report(.cancelled), hang) == 2)
    #expect(count(crash, report(.rendered)) == 0)
    #expect(count(crash, report(.failed, code: "crashed", source: "bb")) == 1)
    #expect(count(crash, report(.failed, code: "truncated", source: "bb")) == 0)
    #expect(count(crash, report(.failed, code: "unreadable", source: nil), hang) == 2)
  }

  @Test("a memory failure that ended no process is no strike")
  func refusal() {
    var refused = report(.failed, code: "memory")
    refused.strike = nil
    #expect(entry(refused)?.strikes == nil)
    #expect(entry(crash, refused)?.strikes?.count == 1)
  }

  @Test("the evidence is that of the last one, with the widest limits of all")
  func evidence() throws {
    var hang = report(.timedOut, run: "R2", finished: "2026-02-01T12:00:00.000Z")
    hang.strike?.deadline = 10_000
    hang.peakMemory = 4096
    hang.outcome.stage = "encode"
    hang.outcome.detail = "killed at its deadline"
    let strikes = try #require(entry(crash, hang)?.strikes)
    #expect(
      strikes
        == Strikes(
          count: 2, source: digest("aa"), identity: identity(1),
          engine: "libheif 1.15.1, libvips 8.14.1, minilab 1.0",
          limits: StrikeLimits(deadline: DeadlinePolicy(), memory: 1 << 30), job: "2024/a.jpg",
          state: "timedOut", stage: "encode", detail: "killed at its deadline", peakMemory: 4096,
          run: "R2", finished: "2026-02-01T12:00:00.000Z"))
  }

  struct Change: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout JobReport) -> Void
    /// Strikes after a crash, or a hang, and a second one under the changed circumstances.
    var afterCrash: Int
    var afterHang: Int
  }

  static let changes: [Change] = [
    Change(testDescription: "nothing", change: { _ in }, afterCrash: 2, afterHang: 2),
    Change(
      testDescription: "another library", change: { $0.engine["libheif"] = "1.16.0" },
      afterCrash: 1, afterHang: 1),
    Change(
      testDescription: "another Minilab", change: { $0.engine["minilab"] = "1.1" },
      afterCrash: 1, afterHang: 1),
    Change(
      testDescription: "a longer deadline", change: { $0.strike?.deadline += 1 },
      afterCrash: 2, afterHang: 1),
    Change(
      testDescription: "more time a megapixel", change: { $0.strike?.deadlinePerMegapixel += 1 },
      afterCrash: 2, afterHang: 1),
    Change(
      testDescription: "a shorter deadline", change: { $0.strike?.deadline -= 1 },
      afterCrash: 2, afterHang: 2),
    Change(
      testDescription: "a little more memory", change: { $0.strike?.memory += 400 << 20 },
      afterCrash: 2, afterHang: 2),
    Change(
      testDescription: "half as much memory again", change: { $0.strike?.memory += 512 << 20 },
      afterCrash: 1, afterHang: 2),
    Change(
      testDescription: "less memory", change: { $0.strike?.memory = 1 << 20 },
      afterCrash: 2, afterHang: 2),
  ]

  @Test("strikes count anew when the engine changed or what was lacking grew", arguments: changes)
  func anew(change: Change) throws {
    let rule = Quarantine(after: 2)
    for (first, expected) in [(crash, change.afterCrash), (report(.timedOut), change.afterHang)] {
      var second = first
      change.change(&second)
      #expect(entry(first, second)?.strikes?.count == expected)
      // Twice under the old circumstances: is it tried under the new ones?
      let strikes = try #require(entry(first, first)?.strikes)
      let limits = try #require(second.strike)
      let engine = EngineVersions.whole(of: second.engine)
      #expect((rule.evidence(strikes, engine: engine, within: limits) == nil) == (expected == 1))
    }
  }

  @Test("as many strikes as allowed set content aside, and with none allowed nothing is")
  func reached() throws {
    let limits = try #require(crash.strike)
    let engine = EngineVersions.whole(of: crash.engine)
    let strikes = try #require(entry(crash, crash)?.strikes)
    for (after, isSetAside) in [(1, true), (2, true), (3, false), (0, false)] {
      let rule = Quarantine(after: after)
      #expect(
        (rule.evidence(strikes, engine: engine, within: limits) == strikes) == isSetAside)
      #expect(rule.evidence(nil, engine: engine, within: limits) == nil)
    }
  }

  @Test("a report of a job that was set aside gives a copy the evidence, and changes no other")
  func setAside() throws {
    let struck = try #require(entry(report(.rendered), crash, crash))
    var aside = report(.quarantined, job: "copy", run: "R3")
    aside.quarantine = struck.strikes
    aside.asset.identity = identity(9)
    let copy = try #require(entry(aside))
    #expect(copy.outcome == .quarantined)
    #expect(copy.strikes?.count == 2)
    #expect(copy.strikes?.job == "2024/a.jpg")
    #expect(copy.strikes?.identity == identity(9))
    aside.job = struck.job
    let after = try #require(LedgerEntry.following(struck, aside))
    var expected = struck
    expected.strikes?.identity = identity(9)
    #expect(after == expected)
    #expect(after.outputs.count == 2)
    aside.quarantine = nil
    #expect(LedgerEntry.following(struck, aside) == struck)
  }

  @Test("a release forgets the strikes of the content that it names, and nothing else")
  func release() throws {
    let struck = try #require(entry(report(.rendered), crash))
    func released(_ source: String) -> LedgerEntry? {
      LedgerEntry.following(
        struck,
        QuarantineRelease(job: struck.job, run: "R9", source: digest(source), released: "now"))
    }
    #expect(released("bb") == struck)
    var expected = struck
    expected.strikes = nil
    #expect(released("aa") == expected)
  }
}
