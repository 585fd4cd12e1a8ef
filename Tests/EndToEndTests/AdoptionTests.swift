import Glibc
import JSONText
import RenderModel
import SystemSupport
import Testing

/// `minilab adopt`: renders whose state folder was lost, or that somebody else made.
@Suite("Adoption", .serialized)
struct AdoptionTests {
  /// Renders whose state folder is gone.
  private func orphaned(
    _ jobs: [String] = (0..<3).map { "{\"asset\": \"p\($0).png\"}" },
    defaults: String = RenderScene.quick
  ) throws -> RenderScene {
    let scene = try RenderScene()
    for index in 0..<3 { try scene.draw("p\(index).png", seed: index) }
    try scene.write(jobs: jobs, defaults: defaults)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    try scene.folder.directory.removeTree(Array("out/.minilab".utf8))
    return scene
  }

  @Test("what is right is adopted untouched, is fresh then, and a later change is noticed")
  func adopted() throws {
    let scene = try orphaned()
    let before = try scene.outputs().map { try scene.folder.status("out/" + $0) }
    let end = try scene.command(["adopt"], flags: ["--format", "json"])
    #expect(end.exitStatus == 0, "\(end.errorText)\(end.outputText)")
    let told = try #require(try scene.lines(end).last)
    #expect(told["adopted"]?.number?.integer == 3)
    #expect(try scene.outputs().map { try scene.folder.status("out/" + $0) } == before)
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("rendered") == 3)
    #expect(run.lines.last?["kind"]?.string == "end")
    #expect(run.reports.values.allSatisfy { $0.reason == "adopted" && $0.outcome == "rendered" })
    #expect(try scene.temporaries() == [])

    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
    #expect(try scene.command(["verify"], manifest: false).exitStatus == 0)
    let again = try scene.command(["adopt"])
    #expect(again.exitStatus == 0)
    #expect(again.outputText.contains("3 up to date already"))

    try scene.draw("p1.png", seed: 9)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 2)
    #expect(try scene.lastReports()["p1.png"]?.reason == "sourceChanged")
  }

  @Test("a dry run says the same and writes no report")
  func dryRun() throws {
    let scene = try orphaned()
    try scene.folder.remove("out/p2.full.png")
    let end = try scene.command(["adopt", "--dry-run"])
    #expect(end.exitStatus == 3)
    #expect(end.outputText.contains("2 can be adopted, 1 refused"))
    #expect(
      end.outputText.contains("outputMissing       p2.png: p2.full.png: no file has this name"))
    #expect(try scene.runs().isEmpty)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("rendered") == 3)
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: String
    var act: @Sendable (RenderScene) throws -> Void
  }

  static let refused: [Refused] = [
    Refused(testDescription: "missing", code: "outputMissing") {
      try $0.folder.remove("out/p1.full.png")
    },
    Refused(testDescription: "no picture", code: "wrongType") {
      try $0.folder.write("out/p1.full.png", "not a picture at all")
    },
    Refused(testDescription: "cut off in its header", code: "wrongType") {
      let bytes = try $0.folder.read("out/p1.full.png")
      try $0.folder.write("out/p1.full.png", Array(bytes.prefix(20)))
    },
    Refused(testDescription: "of another size", code: "wrongSize") {
      try $0.folder.write("out/p1.full.png", Drawing.png(width: 25, height: 16, seed: 1))
    },
    Refused(testDescription: "older than its original", code: "outputOlder") {
      try $0.age("out/p1.full.png")
    },
    Refused(testDescription: "the original is gone", code: "originalUnreadable") {
      try $0.folder.remove("library/p1.png")
    },
    Refused(testDescription: "the original is no picture", code: "originalUnreadable") {
      try $0.folder.write("library/p1.png", "nothing to see")
    },
    Refused(testDescription: "its record is unknown", code: "notRenderable") {
      try $0.folder.write("library/p1.png.xmp", "<x:xmpmeta/>")
    },
  ]

  @Test("what is not as the job would make it is refused with its reason", arguments: refused)
  func refusal(refused: Refused) throws {
    let scene = try orphaned()
    try refused.act(scene)
    let end = try scene.command(["adopt"], flags: ["--format", "json"])
    #expect(end.exitStatus == 3, "\(end.errorText)")
    let lines = try scene.lines(end)
    #expect(lines.first?["code"]?.string == refused.code, "\(end.outputText)")
    #expect(lines.first?["job"]?.string == "p1.png")
    #expect(lines.last?["adopted"]?.number?.integer == 2)
    #expect(lines.last?["refused"]?[refused.code]?.number?.integer == 1)
    #expect(try scene.lastRun().isBalanced)
  }

  @Test("an older output is adopted when that is said")
  func older() throws {
    let scene = try orphaned()
    try scene.age("out/p1.full.png")
    #expect(try scene.command(["adopt", "--accept-older"]).exitStatus == 0)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("another type under the name is told from its bytes, not from the name")
  func type() throws {
    let scene = try orphaned(
      defaults: "{\"renditions\": [{\"name\": \"full\", \"type\": \"public.jpeg\"}]}")
    try scene.folder.write("out/p1.full.jpg", Drawing.png(width: 24, height: 16, seed: 1))
    let end = try scene.command(["adopt"])
    #expect(end.exitStatus == 3)
    #expect(
      end.outputText.contains("p1.full.jpg: is public.png where public.jpeg is asked for"),
      "\(end.outputText)")
  }

  @Test("what the ledger knows and finds to be done is not adopted")
  func known() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    try scene.render()
    try scene.draw("p0.png", seed: 5)
    let end = try scene.command(["adopt"])
    #expect(end.exitStatus == 3)
    #expect(end.outputText.contains("alreadyKnown"))
    #expect(end.outputText.contains("(sourceChanged)"))
    #expect(end.outputText.contains("1 up to date already, 1 refused"))
    #expect(try scene.runs().count == 1)
  }

  static let records: [String] = [
    "{\"filter\": \"crop\", \"x\": 0.13, \"y\": 0.2, \"width\": 0.5, \"height\": 0.61}",
    "{\"filter\": \"crop\", \"x\": 3, \"y\": 2, \"width\": 11, \"height\": 9, \"unit\": \"pixel\"}",
    "{\"filter\": \"orient\", \"orientation\": 6}, "
      + "{\"filter\": \"crop\", \"x\": 0.1, \"y\": 0.1, \"width\": 0.37, \"height\": 0.9}",
    "{\"filter\": \"orient\", \"orientation\": 8}, {\"filter\": \"crop\", \"x\": 2, \"y\": 1, "
      + "\"width\": 12, \"height\": 7, \"unit\": \"pixel\", \"frame\": \"stored\"}",
    "{\"filter\": \"exposure\", \"ev\": 0.3}",
  ]

  @Test("sizes are worked out as the worker does it, whatever is asked for", arguments: records)
  func sizes(filters: String) throws {
    let record = """
      {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
       "data": {"filters": [\(filters)]}}
      """
    let scene = try orphaned(
      ["{\"asset\": \"p0.png\", \"adjustment\": \(record)}"],
      defaults: """
        {"renditions": [
          {"name": "full", "type": "public.png"},
          {"name": "fit", "type": "public.jpeg", "targetSize": [7, 7]},
          {"name": "fill", "type": "public.png", "targetSize": [9, 5], "contentMode": "aspectFill"},
          {"name": "wide", "type": "public.png", "targetSize": [64, 0], "enlarge": true},
          {"name": "exact", "type": "public.webp", "targetSize": [5, 8], "contentMode": "exact"}
        ], "output": "{stem}.{rendition}.{extension}"}
        """.replacing("public.webp", with: "org.webmproject.webp"))
    let end = try scene.command(["adopt"])
    #expect(end.exitStatus == 0, "\(end.outputText)")
    #expect(!end.outputText.contains("only a render could confirm"))
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 1)
  }

  @Test("a size that only the worker knows is said not to have been checked")
  func unchecked() throws {
    let record = """
      {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
       "data": {"filters": [{"filter": "straighten", "degrees": 3}]}}
      """
    let scene = try orphaned(["{\"asset\": \"p0.png\", \"adjustment\": \(record)}"])
    let end = try scene.command(["adopt"])
    #expect(end.exitStatus == 0)
    #expect(end.outputText.contains("could not be checked, because the filter straighten"))
    #expect(end.outputText.contains("1 have a size that only a render could confirm"))
    let notes = try scene.lastReports()["p0.png"]?["notes"]?.array
    #expect(notes?.count == 1)
  }

  @Test("names that depend on the picture are found")
  func lateNames() throws {
    let scene = try orphaned(
      defaults: """
        {"renditions": [{"name": "small", "type": "public.png", "targetSize": [11, 11]}],
         "output": "{width}x{height}/{sha256:8}-{captured:%Y}.{extension}"}
        """)
    #expect(try scene.command(["adopt"]).exitStatus == 0)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("a manifest with problems adopts nothing")
  func problems() throws {
    let scene = try orphaned()
    try scene.folder.write(scene.manifest, "{\"minilab\": 1, \"jobs\": [{}]}")
    #expect(try scene.command(["adopt"]).exitStatus == 65)
    #expect(try scene.runs().isEmpty)
  }

  static let moments: [KillTests.Moment] =
    [("fdatasync", 1...3), ("fsync", 1...6), ("renameat,renameat2", 1...1), ("mkdirat", 1...3)]
    .flatMap { call, counts in counts.map { KillTests.Moment(call: call, count: $0) } }

  @Test(
    "killed in the middle, it is completed by the next", .enabled(if: Strace.isUsable),
    arguments: moments)
  func killed(moment: KillTests.Moment) throws {
    let scene = try orphaned()
    _ = try scene.command(
      ["adopt", scene.folder.path + "/" + scene.manifest], killedAt: moment)
    let end = try scene.command(["adopt"])
    #expect(end.exitStatus == 0, "\(end.errorText)\(end.outputText)")
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
    #expect(try scene.temporaries() == [])
    #expect(try scene.outputsNotAsReported() == [])
    let known = try scene.known()
    #expect(try scene.knownAnew() == known)
    #expect(eventually(within: 1000) { ProcessList.orphans().isEmpty })
  }
}

extension RenderScene {
  /// Makes a file an hour older.
  func age(_ name: String) throws {
    var times = [timespec(), timespec()]
    let old = time(nil) - 3600
    for index in times.indices { times[index].tv_sec = old }
    let done = unsafe utimensat(AT_FDCWD, folder.path + "/" + name, times, 0)
    if done != 0 { throw RunRecord.Flaw(words: "no other times for \(name)") }
  }
}
