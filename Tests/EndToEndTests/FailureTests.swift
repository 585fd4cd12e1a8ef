import Glibc
import JSONText
import SystemSupport
import Testing

/// Pictures that cannot be rendered: one outcome each, with its reason, and no harm to the others.
@Suite("Failures")
struct FailureTests {
  /// Good pictures around one of each kind of bad ones; gives the outcome that each must have.
  private static func badLibrary() throws -> (scene: RenderScene, expected: [String: Set<String>]) {
    let scene = try RenderScene()
    let good = ["first.png", "middle.png", "last.png"]
    for (index, name) in good.enumerated() { try scene.draw(name, seed: index) }
    try scene.folder.write("library/zero.jpg", [])
    try scene.folder.write("library/text.heic", "this is not a picture at all, only text\n")
    let whole = Drawing.png(width: 40, height: 40)
    try scene.folder.write("library/cut.png", Array(whole.prefix(whole.count / 2)))
    try scene.folder.write("library/short.jpg", Array(Drawing.jpeg.dropLast(5)))
    try scene.folder.write("library/header-only.jpg", Array(Drawing.jpeg.prefix(90)))
    try scene.folder.pipe("library/pipe.jpg")
    var expected: [String: Set<String>] = [
      "zero.jpg": ["failed(unreadable)"], "missing.jpg": ["failed(unreadable)"],
      "text.heic": ["failed(unsupportedType)"], "cut.png": ["failed(truncated)"],
      "short.jpg": ["failed(truncated)"],
      "header-only.jpg": ["failed(truncated)", "failed(unreadable)"],
      "pipe.jpg": ["failed(unreadable)", "failed(invalidJob)"],
    ]
    for name in good { expected[name] = ["rendered"] }
    try scene.write(
      assets: [
        "first.png", "zero.jpg", "missing.jpg", "text.heic", "cut.png", "middle.png", "short.jpg",
        "header-only.jpg", "pipe.jpg", "last.png",
      ])
    return (scene, expected)
  }

  @Test("every bad picture has exactly one outcome with a sentence, and the good ones render")
  func badLibrary() throws {
    let (scene, expected) = try Self.badLibrary()
    let end = try scene.start(["--invalid", "fail-job"]).wait(seconds: 30)
    #expect(end.exitStatus == 3)
    let run = try scene.lastRun()
    #expect(run.reportCounts == expected.mapValues { _ in 1 })
    for (job, outcomes) in expected {
      let report = try #require(run.reports[job])
      #expect(outcomes.contains(report.outcome ?? ""), "\(job): \(report.outcome ?? "none")")
      guard report.outcome != "rendered" else { continue }
      #expect((report.detail ?? "").contains(" "), "\(job) says nothing")
      #expect(report["outcome"]?["stage"]?.string != nil)
      #expect(end.outputText.contains(job))
    }
    #expect(try scene.outputs() == ["first.full.png", "last.full.png", "middle.full.png"])
    #expect(run.total("failed") == 7)
    #expect(run.isBalanced)
    #expect(run.summary?["failures"]?.array?.count == 7)
    #expect(try scene.temporaries() == [])
  }

  @Test("--fail-on none, a share, and only what is new decide the exit status")
  func failOn() throws {
    let (scene, _) = try Self.badLibrary()
    // Seven of ten do not render, one of them so that the check of the manifest finds it.
    let alone = ["--invalid", "fail-job"]
    #expect(try scene.render(alone + ["--fail-on", "none"]).exitStatus == 0)
    #expect(try scene.render(alone + ["--fail-on", "new"]).exitStatus == 0)
    #expect(try scene.render(alone + ["--fail-on", "70%"]).exitStatus == 0)
    #expect(try scene.render(alone + ["--fail-on", "69%"]).exitStatus == 3)
    #expect(try scene.render(alone).exitStatus == 3)
    try scene.folder.write("library/first.png", [])
    #expect(try scene.render(alone + ["--fail-on", "new"]).exitStatus == 3)
  }

  @Test("a tolerant run publishes what is left of a cut picture and names the damage")
  func tolerant() throws {
    let scene = try RenderScene()
    let whole = Drawing.png(width: 40, height: 40)
    try scene.folder.write("library/cut.png", Array(whole.prefix(whole.count / 2)))
    try scene.write(assets: ["cut.png"])
    #expect(try scene.render().exitStatus == 3)
    #expect(try scene.render(["--tolerant"]).exitStatus == 0)
    let report = try #require(try scene.lastRun().reports["cut.png"])
    #expect(report.outcome == "degraded")
    #expect(report.detail?.isEmpty == false)
  }

  @Test("links, folders and paths that leave the library refuse the manifest, or fail alone")
  func refusedPaths() throws {
    let scene = try RenderScene()
    try scene.draw("good.png")
    try scene.folder.makeFolder("library/folder.png")
    try scene.folder.write("outside.png", Drawing.png(width: 8, height: 8))
    try scene.folder.link("library/link.png", to: "good.png")
    try scene.folder.link("library/elsewhere", to: "..")
    let bad = ["folder.png", "link.png", "elsewhere/outside.png", "../outside.png"]
    try scene.write(assets: ["good.png"] + bad)
    let refused = try scene.render()
    #expect(refused.exitStatus == 65)
    #expect(try scene.outputs() == [])
    for number in 1...bad.count {
      #expect(refused.errorText.contains("jobs[\(number)]"), "job \(number) is not named")
    }

    let end = try scene.render(["--invalid", "fail-job"])
    #expect(end.exitStatus == 3)
    let run = try scene.lastRun()
    #expect(run.total("rendered") == 1)
    #expect(run.total("failed") == bad.count)
    #expect(run.isBalanced)
    #expect(try scene.outputs() == ["good.full.png"])
  }

  @Test("a record that is a pipe or a folder fails its job and holds nothing up")
  func specialRecords() throws {
    let scene = try RenderScene()
    for name in ["a.png", "b.png", "c.png"] { try scene.draw(name) }
    try scene.folder.pipe("library/a.png.minilab.json")
    try scene.folder.makeFolder("library/b.png.minilab.json")
    try scene.write(assets: ["a.png", "b.png", "c.png"])
    let end = try scene.start(["--invalid", "fail-job"]).wait(seconds: 30)
    #expect(end.exitStatus == 3)
    let reports = try scene.lastRun().reports
    #expect(reports["a.png"]?.outcome == "failed(invalidAdjustment)")
    #expect(reports["b.png"]?.outcome == "failed(invalidAdjustment)")
    #expect(reports["c.png"]?.outcome == "rendered")
  }

  @Test("a file that this user may not read fails alone", .enabled(if: getuid() == 0))
  func unreadable() throws {
    let scene = try RenderScene()
    try scene.draw("good.png")
    try scene.draw("secret.png")
    try scene.write(assets: ["good.png", "secret.png"])
    unsafe chmod(scene.folder.path + "/library/secret.png", 0o600)
    try scene.folder.makeFolder("out")
    unsafe chown(scene.output, 65_534, 65_534)
    guard let setpriv = SystemProgram.find("setpriv") else {
      print("skipped: setpriv is not installed")
      return
    }
    let end = try RunningProgram(
      setpriv,
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", BuiltPrograms.minilab, "render",
        scene.folder.path + "/manifest.json", "--output", scene.output, "--progress", "none",
      ]
    ).wait()
    #expect(end.exitStatus == 3, "\(end.errorText)")
    let reports = try scene.lastRun().reports
    #expect(reports["secret.png"]?.outcome == "failed(unreadable)")
    #expect(reports["good.png"]?.outcome == "rendered")
  }
}

/// Programs of the system that some tests need; a test without its program says so and ends.
enum SystemProgram {
  static func find(_ name: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/local/bin/"].map { $0 + name }
      .first { unsafe access($0, X_OK) == 0 }
  }
}
