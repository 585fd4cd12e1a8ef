import JSONText
import SystemSupport
import Testing

/// A library carried through once, and again after each kind of change.
@Suite("Main job")
struct MainJobTests {
  static let twoRenditions = """
    {"renditions": [
      {"name": "full", "type": "public.png"},
      {"name": "small", "type": "public.jpeg", "targetSize": [8, 8], "quality": 80}
    ]}
    """

  /// Three pictures with two renditions each, rendered once.
  private func rendered() throws -> RenderScene {
    let scene = try RenderScene()
    for (index, name) in ["a.png", "b.png", "deep/c.png"].enumerated() {
      try scene.draw(name, seed: index)
    }
    try scene.write(assets: ["a.png", "b.png", "deep/c.png"], defaults: Self.twoRenditions)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  @Test("three pictures in two renditions are six files, six digests and three reports")
  func firstRun() throws {
    let scene = try rendered()
    #expect(
      try scene.outputs() == [
        "a.full.png", "a.small.jpg", "b.full.png", "b.small.jpg", "deep/c.full.png",
        "deep/c.small.jpg",
      ])
    let run = try scene.lastRun()
    #expect(run.reportCounts == ["a.png": 1, "b.png": 1, "deep/c.png": 1])
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.temporaries() == [])
    #expect(run.total("planned") == 3)
    #expect(run.total("rendered") == 3)
    #expect(run.isBalanced)
    #expect(run.lines.first?["kind"]?.string == "run")
    #expect(run.lines.last?["kind"]?.string == "end")
  }

  @Test("a report has every part that programs rely on")
  func reportKeys() throws {
    let scene = try rendered()
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(
      report.keys.isSuperset(of: [
        "schema", "kind", "job", "run", "attempt", "asset", "filters", "renderKey", "reason",
        "outcome", "renditions", "losses", "timings", "deadline", "peakMemory", "sandbox",
        "engine",
      ]))
    let asset = try #require(report["asset"])
    #expect(
      asset.keys.isSuperset(of: [
        "path", "type", "bytes", "sha256", "width", "height", "orientation", "profile",
      ]))
    #expect(asset["sha256"]?.string == (try scene.folder.digest("library/a.png")))
    #expect(asset["type"]?.string == "public.png")
    #expect(asset["width"]?.number?.integer == 24)
    let rendition = try #require(report["renditions"]?.array?.first)
    #expect(
      rendition.keys.isSuperset(of: [
        "name", "path", "type", "bytes", "sha256", "width", "height", "profile", "bitDepth",
      ]))
    #expect(
      report["timings"]?.keys == [
        "queue", "header", "decode", "filter", "encode", "publish", "total",
      ])
    #expect(report.reason == "new")
    #expect(report["sandbox"]?.array?.isEmpty == false)
    #expect(report["engine"]?.keys.isSuperset(of: ["minilab", "libvips"]) == true)
    let small = try #require(report["renditions"]?.array?.last)
    #expect(small["width"]?.number?.integer == 8)
    #expect(small["height"]?.number?.integer == 5)
  }

  @Test("a picture rendered in full size without edits has the pixels that were drawn")
  func pixels() throws {
    let scene = try rendered()
    let picture = try PNGPicture(try scene.folder.read("out/b.full.png"))
    let drawn = try PNGPicture(try scene.folder.read("library/b.png"))
    #expect(picture.width == 24 && picture.height == 16)
    for (x, y) in [(0, 0), (23, 0), (0, 15), (23, 15), (11, 7)] {
      #expect(
        zip(picture.pixel(x, y), drawn.pixel(x, y)).allSatisfy { abs($0 - $1) <= 1 },
        "at \(x), \(y): \(picture.pixel(x, y)), drawn \(drawn.pixel(x, y))")
    }
  }

  @Test("--format json prints the summary as one line, and summary.json says the same")
  func summaryLine() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    let end = try scene.render(["--format", "json"])
    #expect(end.output.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    let printed = try JSONValue(text: end.output)
    let stored = try #require(try scene.lastRun().summary)
    #expect(Self.text(printed) == Self.text(stored))
    #expect(
      stored.keys.isSuperset(of: [
        "schema", "run", "manifest", "started", "finished", "totals", "balanced", "exitStatus",
        "throughput", "deadlineOvershoot", "peakMemory", "failures",
      ]))
    #expect(stored["manifest"]?["sha256"]?.string == (try scene.folder.digest(scene.manifest)))
    #expect(stored["exitStatus"]?.number?.integer == 0)
  }

  @Test("a second run leaves every file alone")
  func secondRun() throws {
    let scene = try rendered()
    let before = try scene.outputs().map { try scene.folder.status("out/" + $0) }
    let end = try scene.render()
    #expect(end.exitStatus == 0)
    let run = try scene.lastRun()
    #expect(run.total("fresh") == 3)
    #expect(run.total("rendered") == 0)
    #expect(run.isBalanced)
    #expect(run.reports.isEmpty)
    #expect(try scene.outputs().map { try scene.folder.status("out/" + $0) } == before)
  }

  struct Change: CustomTestStringConvertible, Sendable {
    var reason: String
    var flags: [String] = []
    /// How many of the three jobs are concerned.
    var jobs = 1
    var make: @Sendable (RenderScene) throws -> Void
    var testDescription: String { reason }
  }

  static let changes: [Change] = [
    Change(reason: "sourceChanged") { try $0.draw("a.png", seed: 99) },
    Change(reason: "adjustmentChanged") {
      try $0.folder.write("library/a.png.minilab.json", Record.exposure(0.5))
    },
    Change(reason: "recipeChanged", jobs: 3) {
      let defaults = MainJobTests.twoRenditions.split(separator: "80").joined(separator: "81")
      try $0.write(assets: ["a.png", "b.png", "deep/c.png"], defaults: defaults)
    },
    Change(reason: "outputMissing") { try $0.folder.remove("out/a.small.jpg") },
    Change(reason: "outputDamaged") {
      var bytes = try $0.folder.read("out/a.full.png")
      bytes[bytes.count / 2] ^= 0x55
      try $0.folder.write("out/a.full.png", bytes)
    },
    Change(reason: "forced", flags: ["--force"], jobs: 3) { _ in },
  ]

  @Test("each change is found, named, and renders what it concerns", arguments: changes)
  func changed(change: Change) throws {
    let scene = try rendered()
    try change.make(scene)
    let end = try scene.render(change.flags)
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.total("rendered") == change.jobs)
    #expect(run.total("fresh") == 3 - change.jobs)
    #expect(run.reports["a.png"]?.reason == change.reason)
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("a file that was only touched is read again and found to be the same")
  func touched() throws {
    let scene = try rendered()
    try scene.folder.touch("library/a.png")
    try scene.folder.touch("out/b.full.png")
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("edits change the pixels, and losing them never does until that is accepted")
  func recordGone() throws {
    let scene = try rendered()
    let plain = try scene.folder.digest("out/a.full.png")
    try scene.folder.write("library/a.png.minilab.json", Record.exposure(1))
    try scene.render()
    let edited = try scene.folder.digest("out/a.full.png")
    #expect(edited != plain)
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report["adjustment"]?["formatIdentifier"]?.string == "org.minilab.adjustments")
    #expect(report["filters"]?.array?.first?["name"]?.string == "exposure")

    try scene.folder.remove("library/a.png.minilab.json")
    for _ in 0..<2 {
      let end = try scene.render()
      #expect(end.exitStatus == 0)
      #expect(try scene.lastRun().reports["a.png"]?.outcome == "kept(recordMissing)")
      #expect(try scene.folder.digest("out/a.full.png") == edited)
    }
    // Force re-renders; it does not undo edits.
    try scene.render(["--force"])
    #expect(try scene.lastRun().reports["a.png"]?.outcome == "kept(recordMissing)")

    try scene.render(["--accept-removed-edits"])
    #expect(try scene.lastRun().reports["a.png"]?.outcome == "rendered")
    #expect(try scene.folder.digest("out/a.full.png") == plain)
    try scene.render()
    #expect(try scene.lastRun().total("fresh") == 3)
  }

  @Test("an adjustment of an unknown format keeps photo and render as they are")
  func unknownFormat() throws {
    let scene = try rendered()
    let before = try scene.folder.digest("out/a.full.png")
    try scene.folder.write("library/a.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    let end = try scene.render()
    #expect(end.exitStatus == 0)
    #expect(try scene.lastRun().reports["a.png"]?.outcome == "kept(unknownFormat)")
    #expect(try scene.folder.digest("out/a.full.png") == before)
  }

  /// A value without its places in the text, for comparing what is said.
  static func text(_ value: JSONValue) -> String {
    switch value.kind {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): number.text
    case .string(let text): "\"\(text)\""
    case .array(let values): "[\(values.map(text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.key):\(text($0.value))" }.sorted().joined(separator: ","))}"
    }
  }
}

/// Adjustment records as an editor would write them.
enum Record {
  static func exposure(_ ev: Double) -> String {
    """
    {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
     "data": {"filters": [{"filter": "exposure", "ev": \(ev)}]}}
    """
  }
}
