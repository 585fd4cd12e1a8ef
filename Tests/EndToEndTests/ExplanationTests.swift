import JSONText
import SystemSupport
import Testing

/// The story of one asset, told by `minilab plan --explain`.
@Suite("Explanations")
struct ExplanationTests {
  /// `a.png` by a record beside it that reads a table, with a report file.
  private func rendered() throws -> RenderScene {
    let scene = try RenderScene()
    try scene.draw("a.png")
    try scene.folder.write("library/x.cube", "LUT_3D_SIZE 2\n" + Self.points(0.5))
    try scene.folder.write("library/a.png.minilab.json", Self.record)
    try scene.write(jobs: [#"{"asset": "a.png", "report": "{stem}.report.json"}"#])
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  private static func points(_ red: Double) -> String {
    (0..<8).map { "\(Double($0 & 1) * red) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
  }

  private static let record = """
    {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
     "data": {"filters": [{"filter": "lut3d", "path": "x.cube"},
                          {"filter": "saturation", "amount": 0.5}]}}
    """

  private func explain(
    _ scene: RenderScene, _ name: String = "a.png", _ flags: [String] = []
  ) throws -> JSONValue {
    let before = try TreeSnapshot(scene.folder)
    let record = try scene.plan(["--explain", name] + flags)
    #expect(record.status == 0, "\(record.errors)")
    #expect(try TreeSnapshot(scene.folder) == before)
    return try #require(record.summary)
  }

  private func deciding(_ story: JSONValue) -> JSONValue? {
    story["comparisons"]?.array?.first { $0["decides"]?.bool == true }
  }

  /// Something that is done to the scene, and what must decide afterwards.
  struct Change: CustomTestStringConvertible, Sendable {
    var reason: String
    var subject: String
    var make: @Sendable (RenderScene) throws -> Void
    var flags: [String] = []
    var testDescription: String { reason }
  }

  static let changes: [Change] = [
    Change(reason: "sourceChanged", subject: "source", make: { try $0.draw("a.png", seed: 5) }),
    Change(
      reason: "adjustmentChanged", subject: "adjustment",
      make: {
        try $0.folder.write(
          "library/a.png.minilab.json", record.replacing("0.5", with: "0.6"))
      }),
    Change(
      reason: "recipeChanged", subject: "recipe", make: { _ in }, flags: ["--tolerant"]),
    Change(
      reason: "lookChanged(x.cube)", subject: "file",
      make: { try $0.folder.write("library/x.cube", "LUT_3D_SIZE 2\n" + points(0.7)) }),
    Change(
      reason: "outputMissing", subject: "output", make: { try $0.folder.remove("out/a.full.png") }),
    Change(
      reason: "outputMissing", subject: "reportFile",
      make: { try $0.folder.remove("out/a.report.json") }),
    Change(
      reason: "outputDamaged", subject: "output",
      make: { try $0.folder.write("out/a.full.png", "broken") }),
  ]

  @Test("the comparison that decides is the one that the reason names", arguments: changes)
  func decides(_ change: Change) throws {
    let scene = try rendered()
    try change.make(scene)
    let story = try explain(scene, "a.png", change.flags)
    #expect(story["planned"]?["action"]?.string == "render")
    #expect(story["planned"]?["reason"]?.string == change.reason)
    let decider = try #require(deciding(story))
    #expect(decider["subject"]?.string == change.subject)
    #expect(decider["same"]?.bool == false)
    #expect(decider["recorded"]?.string != decider["now"]?.string)
  }

  @Test("an asset that is up to date has nothing that differs, and all that is recorded is told")
  func fresh() throws {
    let scene = try rendered()
    let story = try explain(scene)
    #expect(story["planned"]?["action"]?.string == "fresh")
    let comparisons = try #require(story["comparisons"]?.array)
    #expect(comparisons.allSatisfy { $0["same"]?.bool == true })
    #expect(
      comparisons.compactMap { $0["subject"]?.string } == [
        "adjustment", "source", "recipe", "filter", "filter", "file", "lastAttempt", "reportFile",
        "output", "engine",
      ])
    let recorded = try #require(story["recorded"])
    #expect(recorded["source"]?["sha256"]?.string == (try scene.folder.digest("library/a.png")))
    #expect(recorded["outcome"]?["state"]?.string == "rendered")
    #expect(story["remedy"] == nil)
    let text = try scene.plan(["--explain", "a.png"], format: "text").output
    for words in [
      "a.png\n  is up to date\n", "  = source ", "  = filter saturation   1\n",
      "  = output full: a.full.png ", "Recorded:\n", "  made by       ", "  run           ",
    ] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("a record that is gone is told with its remedy, by the id of the job and by its asset")
  func recordMissing() throws {
    let scene = try rendered()
    try scene.write(jobs: [#"{"id": "first", "asset": "a.png", "report": "{stem}.report.json"}"#])
    try scene.render()
    try scene.folder.remove("library/a.png.minilab.json")
    for name in ["first", "a.png"] {
      let story = try explain(scene, name)
      #expect(story["planned"]?["job"]?.string == "first")
      #expect(story["planned"]?["code"]?.string == "recordMissing")
      #expect(deciding(story)?["subject"]?.string == "adjustment")
      #expect(deciding(story)?["now"] == nil)
      #expect(story["remedy"]?.string?.contains("--accept-removed-edits") == true)
    }
  }

  @Test("a failure is told with the words it ended with, and what helps")
  func failed() throws {
    let scene = try rendered()
    try scene.folder.write(
      "library/a.png", try scene.folder.read("library/a.png").dropLast(300).map { $0 })
    #expect(try scene.render().exitStatus == 3)
    let story = try explain(scene)
    #expect(story["planned"]?["reason"]?.string == "sourceChanged")
    #expect(story["recorded"]?["outcome"]?["code"]?.string == "truncated")
    #expect(story["lastWords"]?.string?.contains("truncated") == true)
    try scene.folder.remove("library/a.png")
    try scene.draw("other.png")
    let gone = try explain(scene)
    #expect(gone["planned"]?["code"]?.string == "unreadable")
    #expect(gone["remedy"]?.string?.contains("check that the file is there") == true)
  }

  @Test("what was never rendered, what no manifest makes any more, and what nobody has heard of")
  func unknown() throws {
    let scene = try rendered()
    try scene.draw("new.png")
    try scene.write(assets: ["new.png"])
    let new = try explain(scene, "new.png")
    #expect(new["planned"]?["reason"]?.string == "new")
    #expect(new["recorded"] == nil)
    let old = try explain(scene, "a.png")
    #expect(old["planned"]?["detail"]?.string?.contains("no job of these manifests") == true)
    #expect(old["recorded"]?["job"]?.string == "a.png")
    let nobody = try scene.plan(["--explain", "nobody.png"])
    #expect(nobody.status == 64)
    #expect(nobody.errors.contains("nobody.png"))
    #expect(nobody.output == "")
  }
}
