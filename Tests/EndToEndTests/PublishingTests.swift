import Glibc
import JSONText
import SystemSupport
import Testing

/// How outputs get their names: modes, conflicts, long names, full disks.
@Suite("Publishing")
struct PublishingTests {
  @Test("modes follow the umask")
  func umask() throws {
    let scene = try RenderScene()
    try scene.draw("deep/a.png")
    try scene.write(assets: ["deep/a.png"])
    let end = try RunningProgram(
      "/bin/sh",
      [
        "-c", "umask 027; exec \"$0\" \"$@\"", BuiltPrograms.minilab, "render",
        scene.folder.path + "/manifest.json", "--output", scene.output, "--progress", "none",
      ]
    ).wait()
    #expect(end.exitStatus == 0)
    let run = try #require(try scene.runs().last?.summary?["run"]?.string)
    for name in ["deep/a.full.png", ".minilab/runs/\(run)/journal.jsonl"] {
      let mode = try scene.folder.status("out/" + name)?.mode ?? 0
      #expect(mode & 0o777 == 0o640, "\(name)")
    }
    let deep = try scene.folder.status("out/deep")?.mode ?? 0
    #expect(deep & 0o777 == 0o750)
  }

  @Test("an output name that is a folder refuses the manifest, or fails that job alone")
  func folderInTheWay() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    try scene.folder.makeFolder("out/p1.full.png/inside")
    #expect(try scene.render().exitStatus == 65)
    #expect(try scene.render(["--invalid", "fail-job"]).exitStatus == 3)
    let reports = try scene.lastRun().reports
    #expect(reports["p1.png"]?.outcome == "failed(invalidJob)")
    #expect(reports["p0.png"]?.outcome == "rendered")
    #expect(reports["p2.png"]?.outcome == "rendered")
    #expect(try scene.folder.status("out/p1.full.png/inside")?.kind == .directory)
  }

  @Test("a file where a folder is wanted refuses the manifest, or fails that job alone")
  func fileInTheWay() throws {
    let scene = try RenderScene()
    for name in ["a.png", "deep/b.png"] { try scene.draw(name) }
    try scene.write(assets: ["a.png", "deep/b.png"])
    try scene.folder.write("out/deep", "in the way")
    #expect(try scene.render().exitStatus == 65)
    #expect(try scene.render(["--invalid", "fail-job"]).exitStatus == 3)
    let reports = try scene.lastRun().reports
    #expect(reports["deep/b.png"]?.outcome == "failed(invalidJob)")
    #expect(reports["a.png"]?.outcome == "rendered")
    #expect(try scene.folder.text("out/deep") == "in the way")
  }

  @Test("what is in the way of a name that only rendering gave is a conflict of that job alone")
  func lateConflicts() throws {
    let scene = try RenderScene()
    for name in ["a.png", "b.png", "deep/c.png"] { try scene.draw(name) }
    try scene.write(
      jobs: ["a.png", "b.png", "deep/c.png"].map {
        "{\"asset\": \"\($0)\", \"output\": \"{directory}/{stem}-{width}.{extension}\"}"
      })
    try scene.folder.makeFolder("out/b-24.png/inside")
    try scene.folder.write("out/deep", "in the way")
    #expect(try scene.render().exitStatus == 3)
    let reports = try scene.lastRun().reports
    #expect(reports["a.png"]?.outcome == "rendered")
    #expect(reports["b.png"]?.outcome == "failed(outputConflict)")
    #expect(reports["deep/c.png"]?.outcome == "failed(outputConflict)")
    #expect(try scene.folder.status("out/b-24.png/inside")?.kind == .directory)
    #expect(try scene.folder.text("out/deep") == "in the way")
    #expect(try scene.temporaries() == [])
  }

  @Test("no original is replaced, whether the library holds the output folder or lies in it")
  func originals() throws {
    // The output folder is the library, and the name is known only when the picture is open.
    let inside = try RenderScene()
    try inside.draw("24.png")
    try inside.draw("b.png", seed: 1)
    try inside.write(
      jobs: [
        "{\"asset\": \"24.png\", \"output\": \"{width}.{sourceExtension}\"}",
        "{\"asset\": \"b.png\", \"output\": \"{height}.{sourceExtension}\"}",
      ])
    let before = try inside.folder.digest("library/24.png")
    let end = try RunningProgram(
      BuiltPrograms.minilab,
      [
        "render", inside.folder.path + "/manifest.json", "--output",
        inside.folder.path + "/library", "--progress", "none", "--format", "json",
      ]
    ).wait()
    #expect(end.exitStatus == 3)
    let summary = try JSONValue(text: end.output)
    #expect(summary["failures"]?.array?.first?["code"]?.string == "outputConflict")
    #expect(summary["failures"]?.array?.first?["job"]?.string == "24.png")
    #expect(try inside.folder.digest("library/24.png") == before)
    #expect(try inside.folder.status("library/16.png")?.kind == .regular)

    // The library lies in the output folder, and another photo has the name.
    let around = try RenderScene()
    try around.draw("a.png")
    try around.draw("b.png", seed: 1)
    try around.write(
      jobs: [
        "{\"asset\": \"a.png\", \"output\": \"library/b.png\"}",
        "{\"id\": \"beside\", \"asset\": \"a.png\", \"output\": \"a.png\"}",
      ])
    let original = try around.folder.digest("library/b.png")
    // A render of an earlier day that no journal speaks of may be replaced outside the library.
    try around.folder.write("a.png", "an older render")
    let second = try RunningProgram(
      BuiltPrograms.minilab,
      [
        "render", around.folder.path + "/manifest.json", "--output", around.folder.path,
        "--progress", "none", "--format", "json",
      ]
    ).wait()
    #expect(second.exitStatus == 3 || second.exitStatus == 65)
    #expect(try around.folder.digest("library/b.png") == original)
    if second.exitStatus == 3 {
      let totals = try JSONValue(text: second.output)["totals"]
      #expect(totals?["rendered"]?.number?.integer == 1)
    }
  }

  @Test("255 bytes are a name, 256 fail that job alone")
  func longNames() throws {
    let scene = try RenderScene()
    try scene.draw("a.png")
    let names = [255, 256].map { String(repeating: "x", count: $0 - 4) + ".png" }
    try scene.write(
      jobs: names.enumerated().map {
        "{\"id\": \"\($0)\", \"asset\": \"a.png\", \"output\": \"\($1)\"}"
      } + ["{\"id\": \"two\", \"asset\": \"a.png\", \"output\": \"ok.png\"}"])
    #expect(try scene.render().exitStatus == 3)
    let reports = try scene.lastRun().reports
    #expect(reports["0"]?.outcome == "rendered")
    #expect(reports["1"]?.outcome == "failed(nameTooLong)")
    #expect(reports["two"]?.outcome == "rendered")
    #expect(try scene.outputs() == ["ok.png", names[0]])
    #expect(try scene.temporaries() == [])
  }

  @Test("names that are known only after rendering are never given twice")
  func lateNames() throws {
    let scene = try RenderScene()
    for (index, name) in ["a.png", "b.png"].enumerated() { try scene.draw(name, seed: index) }
    try scene.write(
      jobs: ["a.png", "b.png"].map { "{\"asset\": \"\($0)\", \"output\": \"{width}.{extension}\"}" }
    )
    #expect(try scene.render().exitStatus == 3)
    let outcomes = try scene.lastRun().reports.values.compactMap(\.outcome).sorted()
    #expect(outcomes == ["failed(outputConflict)", "rendered"])
    #expect(try scene.outputsNotAsReported() == [])
  }

  @Test("two manifests of one run that share an id or an output name are refused")
  func manifestsClash() throws {
    let scene = try RenderScene()
    for name in ["a.png", "b.png"] { try scene.draw(name) }
    try scene.write(assets: ["a.png"])
    func renderBoth(_ job: String) throws -> ProgramEnd {
      try scene.folder.write(
        "second.json",
        "{\"minilab\": 1, \"library\": \"library\", \"defaults\": \(RenderScene.quick), "
          + "\"jobs\": [\(job)]}")
      return try RunningProgram(
        BuiltPrograms.minilab,
        [
          "render", scene.folder.path + "/manifest.json", scene.folder.path + "/second.json",
          "--output", scene.output, "--progress", "none",
        ]
      ).wait()
    }
    for job in [
      "{\"asset\": \"a.png\", \"output\": \"x.png\"}",
      "{\"id\": \"x\", \"asset\": \"b.png\", \"output\": \"a.full.png\"}",
    ] {
      let end = try renderBoth(job)
      #expect(end.exitStatus == 65)
      #expect(end.errorText.contains("second.json"))
      #expect(end.errorText.contains("manifest.json"))
      #expect(try scene.outputs() == [])
    }
    #expect(try renderBoth("{\"asset\": \"b.png\"}").exitStatus == 0)
    #expect(try scene.lastRun().total("rendered") == 2)
    #expect(try renderBoth("{\"asset\": \"b.png\"}").exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 2)
  }

  @Test("a report file beside the render says what the journal says, and is there last")
  func reportFile() throws {
    let scene = try RenderScene()
    try scene.draw("a.png")
    try scene.write(
      assets: ["a.png"],
      defaults: """
        {"renditions": [{"name": "full", "type": "public.png"}], "report": "{stem}.report.json"}
        """)
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.outputs() == ["a.full.png", "a.report.json"])
    let run = try scene.lastRun()
    let journal = try #require(run.reports["a.png"])
    let file = try JSONValue(text: try scene.folder.read("out/a.report.json"))
    // Identities and times are known only when the set has its names.
    for key in ["job", "run", "asset", "outcome", "reason", "renderKey", "engine", "losses"] {
      #expect(
        file[key].map(MainJobTests.text) == journal[key].map(MainJobTests.text), "\(key) differs")
    }
    let rendition = try #require(file["renditions"]?.array?.first)
    #expect(rendition["sha256"]?.string == (try scene.folder.digest("out/a.full.png")))
    let intent = try #require(run.lines.first { $0["kind"]?.string == "intent" })
    let names = intent["names"]?.array?.compactMap { $0["path"]?.string }
    #expect(names == ["a.full.png", "a.report.json"])
    #expect(journal["reportFile"]?["path"]?.string == "a.report.json")
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == 1)

    try scene.folder.directory.remove(Array("out/a.report.json".utf8))
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().reports["a.png"]?.reason == "outputMissing")
    #expect(try scene.outputs() == ["a.full.png", "a.report.json"])
  }

  @Test("an output folder that cannot be written ends the run with 73", .enabled(if: getuid() == 0))
  func readOnly() throws {
    guard let setpriv = SystemProgram.find("setpriv") else {
      print("skipped: setpriv is not installed")
      return
    }
    let scene = try RenderScene()
    try scene.fill(2)
    try scene.folder.makeFolder("out")
    let end = try RunningProgram(
      setpriv,
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", BuiltPrograms.minilab, "render",
        scene.folder.path + "/manifest.json", "--output", scene.output, "--progress", "none",
      ]
    ).wait()
    #expect(end.exitStatus == 73)
    #expect(end.errorText.contains("denied"))
    #expect(try scene.folder.files(in: "out") == [])
  }
}
