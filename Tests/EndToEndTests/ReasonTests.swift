import Glibc
import JSONText
import SystemSupport
import Testing

/// Whole libraries in which some of what renders were made from changes: exactly that is planned, and
/// exactly that is rendered.
@Suite("Reasons")
struct ReasonTests {
  static let quick = """
    {"adjustment": "none", "renditions": [{"name": "full", "type": "public.png"}]}
    """

  /// A table of two points a side that multiplies the red.
  private static func cube(_ red: Double) -> String {
    var lines = ["LUT_3D_SIZE 2"]
    for index in 0..<8 {
      lines.append("\(Double(index & 1) * red) \(index >> 1 & 1) \(index >> 2)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func record(_ filter: String) -> String {
    """
    {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
     "data": {"filters": [\(filter)]}}
    """
  }

  private func reasons(_ scene: RenderScene) throws -> [String: String] {
    try scene.lastRun().reports.filter { $0.value.outcome == "rendered" }
      .compactMapValues(\.reason)
  }

  @Test("of 2,000 assets with three looks, one changed LUT makes stale exactly those of its look")
  func library() throws {
    let scene = try RenderScene()
    let looks = ["cold", "warm", "grey"]
    for (index, look) in looks.enumerated() {
      try scene.folder.write("library/looks/\(look).cube", Self.cube(0.5 + Double(index) / 10))
      try scene.folder.write(
        "library/looks/\(look).json",
        Self.record("{\"filter\": \"lut3d\", \"path\": \"\(look).cube\"}"))
    }
    let names = (0..<2000).map { "\($0 / 100)/p\($0).png" }
    for (index, name) in names.enumerated() {
      try scene.draw(name, seed: index, width: 32, height: 24)
    }
    try scene.write(
      jobs: names.enumerated().map { index, name in
        "{\"asset\": \"\(name)\", \"adjustment\": \"looks/\(looks[index % 3]).json\"}"
      }, defaults: Self.quick)
    let first = try scene.start().wait(seconds: 300)
    try #require(first.exitStatus == 0, "\(first.errorText)")
    #expect(try scene.lastRun().total("rendered") == 2000)
    #expect(try scene.plan().total("fresh") == 2000)

    // As many bytes as before.
    try scene.folder.write("library/looks/warm.cube", Self.cube(0.7))
    let affected = Set(names.indices.filter { $0 % 3 == 1 }.map { names[$0] })
    let plan = try scene.plan(["--list"])
    #expect(Set(plan.lines.compactMap { $0["job"]?.string }) == affected)
    #expect(Set(plan.reasons.values) == ["lookChanged(looks/warm.cube)"])
    #expect(plan.total("fresh") == 2000 - affected.count)

    try scene.render()
    #expect(try Set(reasons(scene).keys) == affected)
    #expect(try scene.lastRun().total("fresh") == 2000 - affected.count)
    try scene.render()
    #expect(try scene.lastRun().total("fresh") == 2000)
  }

  /// Each reason has this many assets of its own, whose names begin with its letter.
  private static let share = 12

  private static func names(_ letter: Character) -> [String] {
    (0..<share).map { "\(letter)\($0).png" }
  }

  /// All reasons but `forced`, by the letter of their assets.
  private static let expected: [(letter: Character, reason: String, flag: String)] = [
    ("n", "new", "new"), ("s", "sourceChanged", "sourceChanged"),
    ("a", "adjustmentChanged", "adjustmentChanged"), ("r", "recipeChanged", "recipeChanged"),
    ("f", "filterChanged(toneCurve, 1, 2)", "filterChanged:toneCurve"),
    ("g", "filterChanged(saturation, 0, 1)", "filterChanged:saturation"),
    ("l", "lookChanged(looks/x.cube)", "lookChanged:looks/x.cube"),
    ("m", "outputMissing", "outputMissing"), ("d", "outputDamaged", "outputDamaged"),
    ("e", "engineDiffers", "engineDiffers"),
  ]

  private static let curve = #"{"filter": "toneCurve", "points": [[0, 0], [1, 0.9]]}"#
  private static let pinned =
    #"{"filter": "toneCurve", "version": 1, "points": [[0, 0], [1, 0.9]]}"#

  /// A job of its letter; `isLater` is what the manifest says once everything has changed.
  private static func job(_ name: String, isLater: Bool) -> String {
    var members = ["\"asset\": \"\(name)\""]
    let filter: String? =
      switch name.first {
      case "a": "{\"filter\": \"exposure\", \"ev\": \(isLater ? 0.3 : 0.2)}"
      case "f": curve
      case "p": pinned
      case "g": #"{"filter": "saturation", "amount": 0.5}"#
      case "l": #"{"filter": "lut3d", "path": "looks/x.cube"}"#
      default: nil
      }
    if let filter { members.append("\"adjustment\": \(record(filter))") }
    if name.first == "r", isLater {
      members.append(
        #""renditions": [{"name": "full", "type": "public.png", "targetSize": [16, 16]}]"#)
    }
    return "{" + members.joined(separator: ", ") + "}"
  }

  /// Changes what was recorded of some jobs, in the journal and so in the ledger.
  private func rewrite(
    _ scene: RenderScene, _ letter: Character, _ old: String, _ new: String
  ) throws {
    let paths = try scene.folder.files(in: "out/.minilab/runs").map {
      "out/.minilab/runs/" + String(decoding: $0, as: UTF8.self)
    }.filter { $0.hasSuffix("journal.jsonl") }
    for path in paths {
      let lines = try scene.folder.text(path).split(separator: "\n").map { line in
        guard line.contains("\"job\":\"\(letter)"), line.contains(old) else { return String(line) }
        return Checksum.sealed(String(line).replacing(old, with: new))
      }
      try scene.folder.write(path, lines.map { $0 + "\n" }.joined())
    }
    try? scene.folder.remove("out/.minilab/ledger.sqlite")
  }

  /// A library in which every reason but `forced` has come to some assets, and `p` and `o` have none.
  private func changed() throws -> RenderScene {
    let scene = try RenderScene()
    try scene.folder.write("library/looks/x.cube", Self.cube(0.5))
    let letters = Self.expected.map(\.letter) + ["p", "o"]
    let all = letters.flatMap(Self.names)
    for (index, name) in all.enumerated() { try scene.draw(name, seed: index) }
    let known = all.filter { $0.first != "n" }
    try scene.write(jobs: known.map { Self.job($0, isLater: false) }, defaults: Self.quick)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")

    for (index, name) in Self.names("s").enumerated() { try scene.draw(name, seed: 500 + index) }
    for name in Self.names("m") { try scene.folder.remove("out/" + output(name)) }
    for name in Self.names("d") { try scene.folder.write("out/" + output(name), "broken") }
    try scene.folder.write("library/looks/x.cube", Self.cube(0.7))
    try rewrite(
      scene, "f", #""name":"toneCurve","version":2"#, #""name":"toneCurve","version":1"#)
    try rewrite(
      scene, "g", #""name":"saturation","version":1"#, #""name":"saturation","version":0"#)
    try rewrite(scene, "e", #""libvips":"8."#, #""libvips":"7."#)
    try scene.write(jobs: all.map { Self.job($0, isLater: true) }, defaults: Self.quick)
    return scene
  }

  private func output(_ name: String) -> String { String(name.dropLast(4)) + ".full.png" }

  @Test("every reason is told of exactly its assets, narrows a run to them, and is gone after it")
  func everyReason() throws {
    let scene = try changed()
    let count = (Self.expected.count + 2) * Self.share
    let flags = ["--rebuild-on", "engine"]
    var due: [String: String] = [:]
    for (letter, reason, _) in Self.expected {
      for name in Self.names(letter) { due[name] = reason }
    }
    #expect(try scene.plan(flags + ["--list"]).reasons == due)
    let informed = try scene.plan(["--list"])
    #expect(informed.reasons == due.filter { $0.value != "engineDiffers" })
    #expect(
      informed.summary?["engineDiffers"]?["jobs"]?.number?.integer == Self.share)

    for (letter, reason, flag) in Self.expected {
      let own = Set(Self.names(letter))
      let narrowed = flags + ["--only-reason", flag]
      let plan = try scene.plan(narrowed + ["--list"])
      #expect(Set(plan.reasons.keys) == own, "\(reason)")
      #expect(plan.total("skipped") == due.count - own.count)
      let end = try scene.render(narrowed)
      #expect(end.exitStatus == 0, "\(end.errorText)")
      let run = try scene.lastRun()
      #expect(try reasons(scene) == due.filter { own.contains($0.key) }, "\(reason)")
      #expect(run.isBalanced)
      #expect(run.total("skipped") == due.count - own.count)
      #expect(run.total("fresh") == count - due.count)
      // What was left is told why, and stays due.
      if let left = run.reports.values.first(where: { $0.outcome == "skipped" }) {
        #expect(left.detail?.contains("left for later") == true)
        #expect(left.reason == due[left["job"]?.string ?? ""])
      }
      for name in own { due[name] = nil }
      #expect(try scene.plan(flags + ["--list"]).reasons == due)
    }
    try scene.render(flags)
    #expect(try scene.lastRun().total("fresh") == count)
    let forced = try scene.plan(["--force", "--only-reason", "forced", "--list"])
    #expect(forced.reasons.count == count)
    #expect(Set(forced.reasons.values) == ["forced"])
  }

  @Test(
    "a run that is not narrowed does all reasons at once, and tells of other engines at its end")
  func allAtOnce() throws {
    let scene = try changed()
    let end = try scene.render(["--format", "json"])
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.total("rendered") == (Self.expected.count - 1) * Self.share)
    #expect(run.total("fresh") == 3 * Self.share)
    #expect(try JSONValue(text: end.output)["engineDiffers"]?.number?.integer == Self.share)
    #expect(try scene.render(["--rebuild-on", "engine"]).exitStatus == 0)
    #expect(try Set(reasons(scene).keys) == Set(Self.names("e")))
    let text = try scene.render().outputText
    #expect(!text.contains("other versions"))
  }

  @Test("output folders of their own know nothing of each other")
  func destinations() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    try scene.render()
    let elsewhere = scene.folder.path + "/second"
    let manifest = scene.folder.path + "/" + scene.manifest
    func plan(_ output: String) throws -> Int? {
      let end = try RunningProgram(
        BuiltPrograms.minilab, ["plan", manifest, "--output", output, "--format", "json"]
      ).wait()
      return try JSONValue(text: end.output)["totals"]?["fresh"]?.number?.integer
    }
    #expect(try plan(elsewhere) == 0)
    let second = try RunningProgram(
      BuiltPrograms.minilab, ["render", manifest, "--output", elsewhere, "--progress", "none"]
    ).wait()
    #expect(second.exitStatus == 0)
    try scene.folder.remove("second/p1.full.png")
    #expect(try plan(elsewhere) == 2)
    #expect(try plan(scene.output) == 3)
  }

  @Test("a state folder of one output folder is refused to another, and moves with its own")
  func oneState() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    let state = ["--state", scene.folder.path + "/state"]
    #expect(try scene.render(state).exitStatus == 0)
    let manifest = scene.folder.path + "/" + scene.manifest
    func run(_ command: String, _ output: String) throws -> ProgramEnd {
      try RunningProgram(
        BuiltPrograms.minilab,
        [command, manifest, "--output", scene.folder.path + "/" + output] + state
      ).wait()
    }
    try scene.folder.makeFolder("second")
    for command in ["render", "plan"] {
      let end = try run(command, "second")
      #expect(end.exitStatus == 78)
      #expect(end.errorText.contains("belongs to the output folder"), "\(end.errorText)")
    }
    #expect(try scene.render(state).exitStatus == 0)
    try scene.folder.directory.removeTree(Array("second".utf8))
    try scene.folder.directory.rename(
      Array("out".utf8), to: scene.folder.directory, Array("second".utf8))
    let moved = try run("plan", "second")
    #expect(moved.outputText.hasPrefix("2 jobs: 2 up to date"), "\(moved.outputText)")
    #expect(try run("render", "second").exitStatus == 0)
  }

  @Test("two manifests over the same assets are told apart by their ids, and told of without them")
  func twoManifests() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    func manifest(_ kind: String, _ id: String) -> String {
      """
      {"minilab": 1, "library": "library", "defaults": {"output": "\(kind)/{stem}.{extension}",
       "renditions": [{"name": "full", "type": "public.png"}]}, "jobs": [
       {"asset": "p0.png"\(id.isEmpty ? "" : ", \"id\": \"\(id)0\"")},
       {"asset": "p1.png"\(id.isEmpty ? "" : ", \"id\": \"\(id)1\"")}]}
      """
    }
    func render(_ kind: String, _ id: String) throws -> ProgramEnd {
      try scene.folder.write(scene.manifest, manifest(kind, id))
      return try scene.render()
    }
    #expect(try render("web", "web-").errorText == "")
    #expect(try render("print", "print-").errorText == "")
    for kind in ["web", "print"] {
      #expect(try render(kind, kind + "-").errorText == "")
      #expect(try scene.lastRun().total("fresh") == 2)
    }
    #expect(try render("web", "").errorText == "")
    try scene.folder.write(scene.manifest, manifest("print", ""))
    let plan = try scene.plan(["--list"])
    #expect(plan.reasons == ["p0.png": "recipeChanged", "p1.png": "recipeChanged"])
    #expect(plan.lines.allSatisfy { $0["detail"]?.string?.contains("ids of their own") == true })
    #expect(try scene.render().errorText.contains("2 jobs were rendered under other names before"))
  }
}
