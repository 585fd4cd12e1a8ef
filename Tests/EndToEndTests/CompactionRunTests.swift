import JSONText
import RenderModel
import SystemSupport
import Testing

/// `--keep-runs` and `minilab ledger compact` over real runs.
@Suite("Compaction after runs", .serialized)
struct CompactionRunTests {
  /// Runs that rendered all, one of them, one of them again, and nothing.
  private func history() throws -> RenderScene {
    let scene = try RenderScene()
    try scene.fill(3)
    try scene.render()
    for seed in [7, 8] {
      try scene.draw("p1.png", seed: seed)
      try scene.render()
    }
    for _ in 0..<2 { try scene.render() }
    try #require(try scene.runs().count == 5)
    return scene
  }

  @Test("ledger compact keeps what is the last word, and the next run decides as before")
  func compact() throws {
    let scene = try history()
    let known = try scene.known()
    let end = try scene.command(
      ["ledger", "compact"], manifest: false, flags: ["--keep-runs", "1", "--format", "json"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let told = try #require(try scene.lines(end).last)
    #expect(told["removed"]?.number?.integer == 1)
    #expect((told["after"]?.number?.integer ?? .max) < (told["before"]?.number?.integer ?? 0))
    #expect(try scene.runs().count == 4)
    #expect(try scene.known() == known)
    #expect(try scene.knownAnew() == known)
    #expect(try scene.temporaries() == [])
    #expect(try scene.outputsNotAsReported() == [])
    let next = try scene.render()
    #expect(next.exitStatus == 0)
    #expect(!next.errorText.contains("made anew"))
    #expect(try scene.lastRun().total("fresh") == 3)
    #expect(try scene.runs().allSatisfy { $0.summary != nil })
  }

  @Test("render --keep-runs removes old runs that say nothing any more")
  func keepRuns() throws {
    let scene = try history()
    let known = try scene.known()
    let end = try scene.render(["--keep-runs", "2"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    #expect(end.errorText.contains("1 runs removed"), "\(end.errorText)")
    #expect(try scene.runs().count == 5)
    #expect(try scene.knownAnew() == known)
    for _ in 0..<4 { #expect(try scene.render(["--keep-runs", "2"]).exitStatus == 0) }
    #expect(try scene.runs().count == 5)
    #expect(try scene.lastRun().total("fresh") == 3)
    #expect(try scene.knownAnew() == known)
  }

  @Test("without the flag no run goes, and nothing of a small state is touched")
  func noFlag() throws {
    let scene = try history()
    let texts = try scene.runs().map(\.text)
    #expect(try scene.render().exitStatus == 0)
    #expect(Array(try scene.runs().map(\.text).dropLast()) == texts)
  }

  static let moments: [KillTests.Moment] =
    [
      ("fsync", 1...8), ("renameat,renameat2", 1...5), ("unlinkat", 1...6), ("mkdirat", 1...2),
      ("sendfile", 1...2),
    ]
    .flatMap { call, counts in counts.map { KillTests.Moment(call: call, count: $0) } }

  @Test(
    "killed in the middle, nothing that is known is lost", .enabled(if: Strace.isUsable),
    arguments: moments)
  func killed(moment: KillTests.Moment) throws {
    let scene = try history()
    let known = try scene.known()
    _ = try scene.command(["ledger", "compact", "--keep-runs", "1"], killedAt: moment)
    #expect(try scene.known() == known)
    #expect(try scene.knownAnew() == known)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
    #expect(try scene.temporaries() == [])
    let end = try scene.command(
      ["ledger", "compact"], manifest: false, flags: ["--keep-runs", "1"])
    #expect(end.exitStatus == 0)
    #expect(try scene.knownAnew() == known)
    #expect(try scene.outputsNotAsReported() == [])
  }
}
