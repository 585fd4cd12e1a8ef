import Glibc
import JSONText
import SystemSupport
import Testing

/// Looks that many jobs share, and the tables and masks that their filters read.
@Suite("Looks")
struct LookTests {
  /// A table of two points a side that multiplies each channel.
  private static func cube(_ red: Double, _ green: Double = 1, _ blue: Double = 1) -> String {
    var lines = ["LUT_3D_SIZE 2"]
    for (b, g, r) in [
      (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1),
    ] as [(Double, Double, Double)] {
      lines.append("\(r * red) \(g * green) \(b * blue)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func record(_ filters: String...) -> String {
    """
    {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
     "data": {"filters": [\(filters.joined(separator: ", "))]}}
    """
  }

  private static func lut(_ path: String) -> String {
    "{\"filter\": \"lut3d\", \"path\": \"\(path)\"}"
  }

  /// `a` and `b` by the look, whose table lies beside it; `c` without edits.
  private func scene() throws -> RenderScene {
    let scene = try RenderScene()
    for (index, name) in ["a.png", "b.png", "c.png"].enumerated() {
      try scene.draw(name, seed: index)
    }
    try scene.folder.write("library/looks/house.json", Self.record(Self.lut("x.cube")))
    try scene.folder.write("library/looks/x.cube", Self.cube(0.5))
    try scene.write(
      jobs: [
        #"{"asset": "a.png"}"#, #"{"asset": "b.png"}"#,
        #"{"asset": "c.png", "adjustment": "none"}"#,
      ],
      defaults: """
        {"adjustment": "looks/house.json", "renditions": [{"name": "full", "type": "public.png"}]}
        """)
    return scene
  }

  private func rendered() throws -> RenderScene {
    let scene = try scene()
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  private func outcomes(_ scene: RenderScene) throws -> [String: String] {
    try scene.lastRun().reports.compactMapValues(\.outcome)
  }

  private func reasons(_ scene: RenderScene) throws -> [String: String] {
    try scene.lastRun().reports.compactMapValues(\.reason)
  }

  @Test("a look given by the defaults is applied, and the report names what it read")
  func applied() throws {
    let scene = try rendered()
    let drawn = try PNGPicture(try scene.folder.read("library/a.png"))
    let picture = try PNGPicture(try scene.folder.read("out/a.full.png"))
    for (x, y) in [(0, 0), (23, 0), (0, 15), (23, 15)] {
      let (before, after) = (drawn.pixel(x, y), picture.pixel(x, y))
      // The table halves the encoded red and leaves the others.
      #expect(abs(Double(after[0]) - Double(before[0]) / 2) <= 1, "\(before) \(after)")
      #expect(abs(after[1] - before[1]) <= 1 && abs(after[2] - before[2]) <= 1)
    }
    let report = try #require(try scene.lastRun().reports["a.png"])
    let resource = try #require(report["resources"]?.array?.first)
    #expect(resource["path"]?.string == "looks/x.cube")
    #expect(resource["sha256"]?.string == (try scene.folder.digest("library/looks/x.cube")))
    #expect(
      resource["bytes"]?.number?.integer == (try scene.folder.read("library/looks/x.cube").count))
    #expect(report["adjustment"]?["path"]?.string == "looks/house.json")
    #expect(try scene.lastRun().reports["c.png"]?["resources"] == nil)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("a changed table makes stale what it was used for, says so, and gives another render key")
  func tableChanged() throws {
    let scene = try rendered()
    let key = try #require(try scene.lastRun().reports["a.png"]?["renderKey"]?.string)
    // As many bytes as before.
    try scene.folder.write("library/looks/x.cube", Self.cube(0.3))
    #expect(try scene.render().exitStatus == 0)
    #expect(
      try reasons(scene) == [
        "a.png": "lookChanged(looks/x.cube)", "b.png": "lookChanged(looks/x.cube)",
      ])
    #expect(try scene.lastRun().reports["a.png"]?["renderKey"]?.string != key)
    #expect(try scene.lastRun().total("fresh") == 1)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
    // Back to what it was, the key is what it was.
    try scene.folder.write("library/looks/x.cube", Self.cube(0.5))
    try scene.render()
    #expect(try scene.lastRun().reports["a.png"]?["renderKey"]?.string == key)
  }

  @Test("a table that was only touched, or moved to where it is found as well, changes nothing")
  func tableTouched() throws {
    let scene = try rendered()
    try scene.folder.touch("library/looks/x.cube")
    try scene.render()
    #expect(try scene.lastRun().total("fresh") == 3)
    try scene.folder.write("library/x.cube", Self.cube(0.5))
    try scene.folder.remove("library/looks/x.cube")
    try scene.render()
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("a changed look is an adjustment that changed")
  func lookChanged() throws {
    let scene = try rendered()
    try scene.folder.write(
      "library/looks/house.json",
      Self.record(Self.lut("x.cube"), #"{"filter": "exposure", "ev": 0.1}"#))
    try scene.render()
    #expect(
      try reasons(scene) == ["a.png": "adjustmentChanged", "b.png": "adjustmentChanged"])
  }

  @Test("a table that is gone fails its jobs, leaves their renders, and is made good by its return")
  func tableGone() throws {
    let scene = try rendered()
    let before = try scene.folder.digest("out/a.full.png")
    try scene.folder.remove("library/looks/x.cube")
    let end = try scene.render()
    #expect(end.exitStatus == 3)
    #expect(
      try outcomes(scene) == [
        "a.png": "failed(invalidAdjustment)", "b.png": "failed(invalidAdjustment)",
      ])
    let detail = try #require(try scene.lastRun().reports["a.png"]?.detail)
    for words in ["looks/house.json", "filters[0].path", "x.cube", "put it there"] {
      #expect(detail.contains(words), "\(detail)")
    }
    // What the record was is known all the same.
    #expect(try scene.lastRun().reports["a.png"]?["adjustment"]?["path"] != nil)
    #expect(try scene.folder.digest("out/a.full.png") == before)
    try scene.folder.write("library/looks/x.cube", Self.cube(0.5))
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("rendered") == 2)
  }

  @Test("a table with a mistake fails its jobs with the line of the mistake")
  func badTable() throws {
    let scene = try scene()
    try scene.folder.write("library/looks/x.cube", "LUT_3D_SIZE 2\n0 0 zero\n")
    #expect(try scene.render().exitStatus == 3)
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report.outcome == "failed(invalidAdjustment)")
    #expect(report.detail?.contains("looks/x.cube, line 2") == true, "\(report.detail ?? "")")
  }

  @Test("a table out of the library is never read")
  func escape() throws {
    let scene = try scene()
    try scene.folder.write("secret.cube", Self.cube(0.5))
    try scene.folder.write(
      "library/looks/house.json", Self.record(Self.lut("../../secret.cube")))
    #expect(try scene.render().exitStatus == 3)
    #expect(try outcomes(scene)["a.png"] == "failed(invalidAdjustment)")
    #expect(try scene.lastRun().reports["a.png"]?.detail?.contains("'..'") == true)
  }

  @Test("a table behind a link is never read, whether the check or the job finds it")
  func link() throws {
    let scene = try scene()
    try scene.folder.write("secret.cube", Self.cube(0.5))
    try scene.folder.remove("library/looks/x.cube")
    try scene.folder.link("library/looks/x.cube", to: scene.folder.path + "/secret.cube")
    let end = try scene.render()
    #expect(end.exitStatus == 65)
    #expect(end.errorText.contains("looks/house.json"), "\(end.errorText)")
    #expect(try scene.render(["--invalid", "fail-job"]).exitStatus == 3)
    #expect(try outcomes(scene)["a.png"] == "failed(invalidJob)")
    // A record that is found beside its asset is not looked into by the check.
    try scene.folder.write("library/a.png.minilab.json", Self.record(Self.lut("looks/x.cube")))
    try scene.write(assets: ["a.png"])
    #expect(try scene.render().exitStatus == 3)
    #expect(try outcomes(scene)["a.png"] == "failed(invalidAdjustment)")
    #expect(
      try scene.lastRun().reports["a.png"]?.detail?.contains("links are not followed") == true)
  }

  @Test("a sidecar's table lies beside the sidecar, an inline record's beneath the library")
  func places() throws {
    let scene = try RenderScene()
    try scene.draw("deep/a.png")
    try scene.draw("b.png", seed: 1)
    try scene.folder.write("library/deep/a.png.minilab.json", Self.record(Self.lut("own.cube")))
    try scene.folder.write("library/deep/own.cube", Self.cube(0.25))
    try scene.folder.write("library/own.cube", Self.cube(1, 0.5))
    try scene.write(
      jobs: [
        #"{"asset": "deep/a.png"}"#,
        "{\"asset\": \"b.png\", \"adjustment\": \(Self.record(Self.lut("own.cube")))}",
      ])
    #expect(try scene.render().exitStatus == 0)
    let reports = try scene.lastRun().reports
    #expect(
      reports["deep/a.png"]?["resources"]?.array?.first?["path"]?.string == "deep/own.cube")
    #expect(reports["b.png"]?["resources"]?.array?.first?["path"]?.string == "own.cube")
    let drawn = try PNGPicture(try scene.folder.read("library/b.png")).pixel(5, 9)
    let after = try PNGPicture(try scene.folder.read("out/b.full.png")).pixel(5, 9)
    #expect(abs(Double(after[1]) - Double(drawn[1]) / 2) <= 1)
  }

  @Test("one table that many jobs at once read is the same for all of them")
  func shared() throws {
    let scene = try scene()
    let jobs = (0..<60).map {
      "{\"id\": \"\($0)\", \"asset\": \"a.png\", \"output\": \"\($0).png\"}"
    }
    try scene.write(
      jobs: jobs,
      defaults: """
        {"adjustment": "looks/house.json", "renditions": [{"name": "full", "type": "public.png"}]}
        """)
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let digests = try Set((0..<60).map { try scene.folder.digest("out/\($0).png") })
    #expect(digests.count == 1)
  }

  @Test("validate reports what is missing, with its place, and a run only fails the job")
  func validate() throws {
    let scene = try scene()
    try scene.write(
      jobs: [
        "{\"asset\": \"a.png\", \"adjustment\": \(Self.record(Self.lut("nowhere.cube")))}",
        #"{"asset": "b.png"}"#,
      ])
    let check = try RunningProgram(
      BuiltPrograms.minilab, ["validate", scene.folder.path + "/" + scene.manifest]
    ).wait()
    #expect(check.exitStatus == 65)
    #expect(
      check.outputText.contains(
        "jobs[0].adjustment.data.filters[0].path: the file \"nowhere.cube\" is not beneath"),
      "\(check.outputText)")
    #expect(try scene.render().exitStatus == 3)
    #expect(
      try outcomes(scene) == ["a.png": "failed(invalidAdjustment)", "b.png": "rendered"])
  }

  @Test("a mask's picture is one of the files that are read and followed")
  func mask() throws {
    let scene = try RenderScene()
    try scene.draw("a.png")
    // Black on the left, white on the right.
    func bitmap(_ white: UInt8) -> [UInt8] {
      Drawing.png(width: 24, height: 16) { x, _ in
        [UInt8](repeating: x < 12 ? 0 : white, count: 3)
      }
    }
    try scene.folder.write("library/m.png", bitmap(255))
    let filter = """
      {"filter": "exposure", "ev": 2, "mask": {"mask": "bitmap", "path": "m.png"}}
      """
    try scene.write(jobs: ["{\"asset\": \"a.png\", \"adjustment\": \(Self.record(filter))}"])
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report["resources"]?.array?.first?["path"]?.string == "m.png")
    let drawn = try PNGPicture(try scene.folder.read("library/a.png"))
    let after = try PNGPicture(try scene.folder.read("out/a.full.png"))
    #expect(abs(after.pixel(2, 9)[1] - drawn.pixel(2, 9)[1]) <= 1)
    #expect(after.pixel(21, 9)[1] > drawn.pixel(21, 9)[1] + 20)
    try scene.folder.write("library/m.png", bitmap(254))
    #expect(try scene.render().exitStatus == 0)
    #expect(try reasons(scene) == ["a.png": "lookChanged(m.png)"])
  }
}
