import Glibc
import JSONText
import SystemSupport
import Testing

/// What `minilab plan` says, and that it touches nothing.
@Suite("Plan")
struct PlanTests {
  private func rendered(_ count: Int = 3) throws -> RenderScene {
    let scene = try RenderScene()
    try scene.fill(count)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  @Test("nothing is made for a plan: neither output folder nor state folder")
  func nothingMade() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    let before = try TreeSnapshot(scene.folder)
    let plan = try scene.plan(["--list"])
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.reasons == ["p0.png": "new", "p1.png": "new", "p2.png": "new"])
    #expect(plan.total("planned") == 3)
    #expect(plan.total("render") == 3)
    #expect(plan.summary?["quote"] == nil)
    #expect(plan.summary?["quoteMissing"]?.string?.contains("no render is recorded") == true)
    #expect(try TreeSnapshot(scene.folder) == before)
    #expect(try scene.folder.status("out") == nil)
  }

  @Test("a plan over renders and state changes no file, no folder and no time of either")
  func nothingTouched() throws {
    let scene = try rendered()
    try scene.draw("p1.png", seed: 50)
    try scene.folder.remove("out/p2.full.png")
    let before = try TreeSnapshot(scene.folder)
    for flags in [[], ["--list"], ["--force"], ["--metadata-only"], ["--rebuild-on", "engine"]] {
      let plan = try scene.plan(flags)
      #expect(plan.status == 0, "\(plan.errors)")
      #expect(plan.errors == "")
      #expect(try TreeSnapshot(scene.folder) == before, "\(flags)")
    }
    let plan = try scene.plan(["--list"])
    #expect(plan.reasons == ["p1.png": "sourceChanged", "p2.png": "outputMissing"])
    #expect(plan.total("fresh") == 1)
    // What was planned is what is done.
    try scene.render()
    #expect(try scene.lastRun().reports.compactMapValues(\.reason) == plan.reasons)
  }

  @Test("without a ledger the journals are read, and the plan is the same")
  func withoutLedger() throws {
    let scene = try rendered()
    try scene.draw("p1.png", seed: 50)
    let expected = try scene.plan(["--list"])
    try scene.folder.remove("out/.minilab/ledger.sqlite")
    let before = try TreeSnapshot(scene.folder)
    let plan = try scene.plan(["--list"])
    #expect(plan.reasons == ["p1.png": "sourceChanged"])
    #expect(plan.reasons == expected.reasons)
    #expect(plan.total("fresh") == expected.total("fresh"))
    #expect(plan.errors.contains("the journals are read in its place"))
    #expect(try TreeSnapshot(scene.folder) == before)
  }

  @Test(
    "a ledger that is damaged, of an older schema or left open by a killed run is not relied on",
    arguments: ["damaged", "older", "open"])
  func ledgerUnfit(_ flaw: String) throws {
    let scene = try rendered()
    let path = "out/.minilab/ledger.sqlite"
    var bytes = try scene.folder.read(path)
    switch flaw {
    case "damaged": bytes = bytes.map { _ in 0x2A }
    case "older": bytes.replaceSubrange(60..<64, with: [0, 0, 0, 1])
    default: try scene.folder.write(path + "-wal", [1, 2, 3])
    }
    try scene.folder.write(path, bytes)
    let before = try TreeSnapshot(scene.folder)
    let plan = try scene.plan(["--list"])
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.total("fresh") == 3)
    #expect(try TreeSnapshot(scene.folder) == before)
  }

  @Test("a ledger that lags behind its journals is made up for in memory")
  func lagging() throws {
    let scene = try rendered()
    let behind = try scene.folder.read("out/.minilab/ledger.sqlite")
    try scene.draw("p1.png", seed: 50)
    try scene.render()
    try scene.folder.write("out/.minilab/ledger.sqlite", behind)
    let before = try TreeSnapshot(scene.folder)
    let plan = try scene.plan()
    #expect(plan.total("fresh") == 3)
    #expect(plan.errors == "")
    #expect(try TreeSnapshot(scene.folder) == before)
  }

  @Test("a ledger of a later version is refused, as a render refuses it")
  func newer() throws {
    let scene = try rendered()
    var bytes = try scene.folder.read("out/.minilab/ledger.sqlite")
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 9])
    try scene.folder.write("out/.minilab/ledger.sqlite", bytes)
    let plan = try scene.plan()
    #expect(plan.status == 78)
    #expect(plan.errors.contains("later version of Minilab"))
  }

  @Test("while a run holds the folder there is no plan, and the words name the run")
  func running() throws {
    let scene = try rendered()
    let lock = try StateLock(in: try Directory(path: scene.output + "/.minilab"))
    let plan = try scene.plan()
    #expect(plan.status == 78)
    #expect(plan.errors.contains("another run holds the state folder"))
    #expect(plan.errors.contains("\"pid\":\(getpid())"))
    withExtendedLifetime(lock) {}
  }

  @Test("what is kept or fails before it starts is told with its code, and what helps")
  func settled() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    try scene.folder.write("library/p1.png.minilab.json", RenderScene.record(exposure: 0.2))
    try scene.render()
    try scene.folder.remove("library/p1.png.minilab.json")
    try scene.folder.remove("library/p2.png")
    let plan = try scene.plan(["--list"])
    #expect(plan.status == 0)
    let told = Dictionary(
      uniqueKeysWithValues: plan.lines.map { ($0["job"]?.string ?? "", $0) })
    #expect(told["p1.png"]?["action"]?.string == "kept")
    #expect(told["p1.png"]?["code"]?.string == "recordMissing")
    #expect(told["p2.png"]?["action"]?.string == "failed")
    #expect(told["p2.png"]?["code"]?.string == "unreadable")
    #expect(told["p0.png"] == nil)
    let text = try scene.plan(["--list"], format: "text").output
    for words in [
      "3 jobs: 1 up to date, 1 kept, 1 fails", "kept        recordMissing ", "p1.png\n",
      "--accept-removed-edits", "unreadable",
    ] {
      #expect(text.contains(words), "\(text)")
    }
    let accepted = try scene.plan(["--list", "--accept-removed-edits"])
    #expect(accepted.reasons["p1.png"] == "adjustmentChanged")
  }

  @Test("the flags that change a render's decisions change the plan's")
  func flags() throws {
    let scene = try rendered(4)
    #expect(try scene.plan(["--force"]).total("render") == 4)
    #expect(try scene.plan(["--force", "--limit", "3"]).total("planned") == 3)
    #expect(try scene.plan(["--tolerant", "--list"]).reasons["p0.png"] == "recipeChanged")
    #expect(try scene.plan(["--deadline", "3s"]).total("fresh") == 4)
    let elsewhere = try scene.plan(["--state", scene.folder.path + "/none"])
    #expect(elsewhere.total("render") == 4)
    #expect(try scene.folder.status("none") == nil)
    let strip = """
      {"renditions": [{"name": "full", "type": "public.png", "metadata": "strip"}]}
      """
    try scene.write(assets: ["p0.png", "p1.png", "new.png"], defaults: strip)
    try scene.draw("new.png", seed: 9)
    #expect(try scene.plan(["--metadata-only"]).total("refresh") == 2)
    #expect(try scene.plan(["--metadata-only"]).total("kept") == 1)
    try scene.folder.write(scene.manifest, "{\"minilab\": 1, \"jobs\": [{\"asset\": 7}]}")
    let invalid = try scene.plan()
    #expect(invalid.status == 65)
    #expect(invalid.errors.contains("jobs[0].asset"))
    #expect(try scene.plan(["--invalid", "fail-job"]).total("failed") == 1)
  }

  @Test("a quote rests on past renders, with the megapixels of new photos estimated and said to be")
  func quote() throws {
    let scene = try rendered(4)
    try scene.draw("p4.png", seed: 9)
    try scene.write(assets: (0..<5).map { "p\($0).png" })
    let plan = try scene.plan(["--force", "--workers", "1"])
    let quote = try #require(plan.summary?["quote"])
    #expect(quote["basis"]?["renders"]?.number?.integer == 4)
    let known = try #require(quote["basis"]?["cpuSeconds"]?.number?.double)
    let asked = try #require(quote["cpuSeconds"]?.number?.double)
    #expect(abs(asked - known / 4 * 5) < 0.002)
    #expect(quote["wallSeconds"]?.number?.double == asked)
    #expect(quote["workers"]?.number?.integer == 1)
    let bytes = try (0..<4).reduce(0) { try $0 + scene.folder.read("out/p\($1).full.png").count }
    let written = try #require(quote["writtenBytes"]?.number?.integer)
    #expect(abs(written - bytes / 4 * 5) <= 5)
    #expect(quote["freeDiskBytes"]?.number?.integer ?? 0 > 0)
    let group = try #require(plan.summary?["groups"]?.array?.first)
    #expect(group["cause"]?.string == "forced")
    #expect(group["jobs"]?.number?.integer == 5)
    #expect(group["estimated"]?.number?.integer == 1)
    #expect(group["megapixels"]?.number?.double == 0.002)
  }

  @Test("a plan of new photos alone goes by what else the ledger knows")
  func quoteOfNew() throws {
    let scene = try rendered(2)
    try scene.draw("other.png", seed: 9)
    try scene.write(assets: ["other.png"])
    let plan = try scene.plan()
    #expect(plan.summary?["quote"]?["basis"]?["renders"]?.number?.integer == 2)
    #expect(plan.summary?["groups"]?.array?.first?["estimated"]?.number?.integer == 1)
  }

  @Test("a folder of output and state that may only be read is planned over")
  func readOnly() throws {
    let scene = try rendered()
    try scene.draw("p1.png", seed: 50)
    for folder in ["out", "out/.minilab", "out/.minilab/runs"] {
      unsafe chmod(scene.folder.path + "/" + folder, 0o555)
    }
    defer {
      for folder in ["out", "out/.minilab", "out/.minilab/runs"] {
        unsafe chmod(scene.folder.path + "/" + folder, 0o755)
      }
    }
    // Root may write anywhere.
    let setpriv = getuid() == 0 ? SystemProgram.find("setpriv") : nil
    let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups", BuiltPrograms.minilab]
    let plan = try PlanRecord(
      RunningProgram(
        setpriv ?? BuiltPrograms.minilab,
        (setpriv == nil ? [] : nobody) + [
          "plan", scene.folder.path + "/" + scene.manifest, "--output", scene.output, "--list",
          "--format", "json",
        ]
      ).wait())
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.reasons == ["p1.png": "sourceChanged"])
  }

  @Test("a run that was interrupted is told of, and nothing is put in order for it")
  func interrupted() throws {
    let scene = try rendered()
    try scene.draw("a.png", seed: 3)
    try scene.write(
      jobs: (0..<200).map {
        "{\"id\": \"\($0)\", \"asset\": \"a.png\", \"output\": \"\($0).{extension}\"}"
      })
    let run = try scene.start()
    #expect(try eventually { try scene.outputs().count > 6 })
    run.signal(SIGKILL)
    _ = try run.wait()
    #expect(
      try eventually {
        try StateLock.holder(of: Directory(path: scene.output + "/.minilab")) == nil
      })
    let before = try TreeSnapshot(scene.folder)
    let plan = try scene.plan()
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.errors.contains("1 run was interrupted"))
    #expect(plan.total("planned") == 200)
    #expect(try TreeSnapshot(scene.folder) == before)
  }
}

/// What a plan wrote.
struct PlanRecord {
  var status: Int32?
  var output: String
  var errors: String
  /// The listed jobs.
  var lines: [JSONValue] = []
  var summary: JSONValue?

  init(_ end: ProgramEnd, isJSON: Bool = true) throws {
    (status, output, errors) = (end.exitStatus, end.outputText, end.errorText)
    guard isJSON else { return }
    for line in end.output.split(separator: UInt8(ascii: "\n")) {
      let value = try JSONValue(text: Array(line))
      if value["kind"]?.string == "job" { lines.append(value) } else { summary = value }
    }
  }

  /// By job, of those that would be rendered.
  var reasons: [String: String] {
    Dictionary(
      uniqueKeysWithValues: lines.filter { $0["action"]?.string == "render" }.map {
        ($0["job"]?.string ?? "", $0["reason"]?.string ?? "")
      })
  }

  func total(_ name: String) -> Int? { summary?["totals"]?[name]?.number?.integer }
}

extension RenderScene {
  func plan(_ flags: [String] = [], format: String = "json") throws -> PlanRecord {
    try PlanRecord(
      RunningProgram(
        BuiltPrograms.minilab,
        ["plan", folder.path + "/" + manifest, "--output", output, "--format", format] + flags
      ).wait(), isJSON: format == "json")
  }

  static func record(exposure: Double) -> String {
    """
    {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
     "data": {"filters": [{"filter": "exposure", "ev": \(exposure)}]}}
    """
  }
}

/// Everything beneath a folder: names, kinds, sizes, inodes and times of change.
struct TreeSnapshot: Equatable {
  private struct Node: Equatable {
    var inode: UInt64
    var size: Int64
    var modified: Int64
    var changed: Int64
  }

  private var nodes: [[UInt8]: Node] = [:]

  init(_ folder: TemporaryFolder) throws {
    try add(folder.directory, [])
  }

  private mutating func add(_ directory: Directory, _ prefix: [UInt8]) throws {
    try add(try FileStatus(of: directory.descriptor), prefix)
    for entry in try directory.entries() {
      let path = prefix + [UInt8(ascii: "/")] + entry.name
      if entry.kind == .directory {
        try add(try directory.openDirectory(entry.name), path)
      } else if let status = try directory.status(entry.name) {
        try add(status, path)
      }
    }
  }

  private mutating func add(_ status: FileStatus, _ path: [UInt8]) throws {
    nodes[path] = Node(
      inode: status.inode, size: status.size, modified: status.modified, changed: status.changed)
  }
}
