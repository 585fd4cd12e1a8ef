import Glibc
import JSONText
import RenderModel
import SystemSupport
import Testing

/// `minilab orphans`: outputs that no job makes any more.
@Suite("Orphans", .serialized)
struct OrphanTests {
  private static let old = """
    {"renditions": [{"name": "full", "type": "public.png"}], "output": "old/{stem}.{extension}",
     "report": "old/{stem}.json"}
    """
  private static let new = """
    {"renditions": [{"name": "full", "type": "public.png"}], "output": "new/{stem}.{extension}"}
    """

  /// Three jobs that were rendered under old names and then under new ones.
  private func renamed() throws -> RenderScene {
    let scene = try RenderScene()
    let names = (0..<3).map { "p\($0).png" }
    for (index, name) in names.enumerated() { try scene.draw(name, seed: index) }
    for defaults in [Self.old, Self.new] {
      try scene.write(assets: names, defaults: defaults)
      let end = try scene.render()
      try #require(end.exitStatus == 0, "\(end.errorText)")
    }
    return scene
  }

  @Test("former names are found, listed by folder, and stay without --prune")
  func listed() throws {
    let scene = try renamed()
    try scene.folder.write("out/old/stranger.txt", "of somebody else")
    let end = try scene.command(["orphans"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    #expect(end.outputText.contains("in 6 files: old\n"))
    #expect(end.outputText.contains("6 of 3 known outputs") || end.outputText.contains("6 of 6"))
    #expect(end.outputText.contains("--prune removes them"))
    #expect(try scene.outputs().count == 10)
    let json = try scene.lines(try scene.command(["orphans"], flags: ["--format", "json"]))
    #expect(json.count == 7)
    #expect(json.dropLast().allSatisfy { $0["kind"]?.string == "orphan" })
    #expect(json.last?["byFolder"]?.array?.first?["files"]?.number?.integer == 6)
    let list = try scene.command(["orphans", "--list"])
    #expect(list.outputText.hasPrefix("orphan   old/p0.json ("))
  }

  @Test("what is removed is written down, what somebody changed stays, and folders go when empty")
  func pruned() throws {
    let scene = try renamed()
    try scene.folder.write("out/old/p1.png", "somebody's own")
    let end = try scene.command(["orphans", "--prune", "--yes"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    #expect(end.outputText.contains("changed  old/p1.png"))
    #expect(end.outputText.contains("5 removed"))
    #expect(
      try scene.outputs().sorted() == ["new/p0.png", "new/p1.png", "new/p2.png", "old/p1.png"])
    let run = try scene.lastRun()
    #expect(run.lines.map { $0["kind"]?.string ?? "" }.filter { $0 == "intent" }.count == 3)
    #expect(run.reports.values.allSatisfy { $0.outcome == "skipped(pruned)" })
    #expect(run.isBalanced)
    #expect(try scene.temporaries() == [])
    let known = try scene.known()
    #expect(try scene.knownAnew() == known)
    #expect(try scene.command(["verify"], manifest: false).exitStatus == 0)

    try scene.folder.remove("out/old/p1.png")
    let rest = try scene.command(["orphans"])
    #expect(rest.outputText.contains("0 of "))
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test(
    "the renders of photos that left the manifest go, with their folders, and come back with them")
  func left() throws {
    let scene = try RenderScene()
    for name in ["a/one.png", "b/c/two.png"] { try scene.draw(name, seed: name.count) }
    try scene.write(assets: ["a/one.png", "b/c/two.png"])
    try scene.render()
    try scene.write(assets: ["a/one.png"])
    let end = try scene.command(["orphans", "--prune", "--yes"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    #expect(try scene.outputs() == ["a/one.full.png"])
    #expect(try scene.folder.status("out/b") == nil)
    #expect(try scene.command(["verify"], manifest: false).exitStatus == 0)
    try scene.write(assets: ["a/one.png", "b/c/two.png"])
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("rendered") == 1)
    #expect(try scene.lastRun().total("fresh") == 1)
    #expect(try scene.command(["orphans"]).outputText.contains("0 of 2"))
  }

  @Test("a name that another job makes now is nobody's orphan")
  func takenOver() throws {
    let scene = try RenderScene()
    try scene.draw("one.png", seed: 1)
    try scene.write(jobs: ["{\"id\": \"first\", \"asset\": \"one.png\"}"])
    try scene.render()
    try scene.write(jobs: ["{\"id\": \"second\", \"asset\": \"one.png\"}"])
    let end = try scene.command(["orphans"])
    #expect(end.exitStatus == 0)
    #expect(end.outputText.contains("0 of 1"))
  }

  @Test("more than one in a hundred wants a yes")
  func share() throws {
    let scene = try renamed()
    let end = try scene.command(["orphans", "--prune"])
    #expect(end.exitStatus == 64)
    #expect(end.errorText.contains("then say --yes"))
    #expect(try scene.outputs().count == 9)
    let lonely = try scene.command(["orphans", "--yes"])
    #expect(lonely.exitStatus == 64)
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var words: String
    var act: @Sendable (RenderScene) throws -> Void
  }

  static let refused: [Refused] = [
    Refused(testDescription: "a problem in the manifest", words: "manifest.json:") {
      try $0.write(jobs: ["{\"asset\": 7}"], defaults: new)
    },
    Refused(testDescription: "a selection that matches nothing", words: "nothing in") {
      try $0.write(
        jobs: ["{\"assets\": {\"matching\": [\"public.tiff\"]}}"], defaults: new)
    },
    Refused(testDescription: "a selection of a missing folder", words: "there is no folder") {
      try $0.write(jobs: ["{\"assets\": {\"from\": \"gone/\"}}"], defaults: new)
    },
    Refused(testDescription: "no library", words: "missing or empty") {
      try $0.folder.directory.removeTree(Array("library".utf8))
    },
    Refused(testDescription: "an empty library", words: "missing or empty") {
      try $0.folder.directory.removeTree(Array("library".utf8))
      try $0.folder.makeFolder("library/.cache")
    },
    Refused(testDescription: "no jobs", words: "") {
      try $0.write(jobs: [], defaults: new)
    },
  ]

  @Test("nothing is removed when a manifest or library looks wrong", arguments: refused)
  func refusal(refused: Refused) throws {
    let scene = try renamed()
    try refused.act(scene)
    let end = try scene.command(["orphans", "--prune", "--yes"])
    #expect(end.exitStatus == 65, "\(end.errorText)")
    #expect(end.errorText.contains(refused.words), "\(end.errorText)")
    #expect(try scene.outputs().count == 9)
  }

  static let moments: [KillTests.Moment] =
    [
      ("unlinkat", 1...5), ("fdatasync", 1...4), ("fsync", 1...7), ("renameat,renameat2", 1...1),
    ]
    .flatMap { call, counts in counts.map { KillTests.Moment(call: call, count: $0) } }

  @Test(
    "killed in the middle, the next removal completes it", .enabled(if: Strace.isUsable),
    arguments: moments)
  func killed(moment: KillTests.Moment) throws {
    let scene = try renamed()
    try scene.write(assets: ["p0.png", "p1.png"], defaults: Self.new)
    let manifest = scene.folder.path + "/" + scene.manifest
    _ = try scene.command(["orphans", manifest, "--prune", "--yes"], killedAt: moment)
    let end = try scene.command(["orphans", "--prune", "--yes"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    #expect(try scene.outputs().sorted() == ["new/p0.png", "new/p1.png"])
    #expect(try scene.command(["verify"], manifest: false).exitStatus == 0)
    let known = try scene.known()
    #expect(try scene.knownAnew() == known)
    #expect(try scene.command(["orphans"]).outputText.contains("0 of "))
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 2)
    #expect(try scene.temporaries() == [])
  }
}
