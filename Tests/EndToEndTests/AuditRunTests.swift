import JSONText
import RenderModel
import SystemSupport
import Testing

/// `minilab verify` over what real runs left.
@Suite("Audits of runs")
struct AuditRunTests {
  private func rendered() throws -> RenderScene {
    let scene = try RenderScene()
    for index in 0..<3 { try scene.draw("p\(index).png", seed: index) }
    try scene.write(
      assets: (0..<3).map { "p\($0).png" },
      defaults: """
        {"renditions": [{"name": "full", "type": "public.png"}], "report": "{stem}.report.json"}
        """)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  @Test("what a render left is well, for a person, for a program and by a manifest")
  func well() throws {
    let scene = try rendered()
    let text = try scene.command(["verify"], manifest: false)
    #expect(text.exitStatus == 0, "\(text.errorText)")
    #expect(text.outputText.hasPrefix("3 outputs of 3 jobs read in "))
    #expect(text.outputText.hasSuffix(": all well\n"))
    let json = try scene.command(["verify"], flags: ["--format", "json"])
    let told = try #require(try scene.lines(json).last)
    #expect(told["kind"]?.string == "verification")
    #expect(told["outputs"]?.number?.integer == 3)
    #expect(told["reports"]?.number?.integer == 3)
    #expect(told["exitStatus"]?.number?.integer == 0)
    let quick = try scene.command(["verify", "--quick"], manifest: false)
    #expect(quick.exitStatus == 0)
    #expect(quick.outputText.contains("compared by size and times"))
  }

  @Test("harm is named, the next render undoes it, and then all is well")
  func harm() throws {
    let scene = try rendered()
    var bytes = try scene.folder.read("out/p0.full.png")
    bytes[bytes.count / 2] ^= 1
    try scene.folder.write("out/p0.full.png", bytes)
    try scene.folder.remove("out/p1.full.png")
    try scene.folder.write("out/p2.report.json", "{}")
    let end = try scene.command(["verify"], manifest: false, flags: ["--format", "json"])
    #expect(end.exitStatus == 3)
    let lines = try scene.lines(end)
    #expect(
      lines.dropLast().map { $0["code"]?.string ?? "" }
        == ["outputDamaged", "outputMissing", "reportDamaged"])
    #expect(
      lines.dropLast().map { $0["path"]?.string ?? "" }
        == ["p0.full.png", "p1.full.png", "p2.report.json"])
    #expect(lines.dropLast().map { $0["job"]?.string ?? "" } == ["p0.png", "p1.png", "p2.png"])
    try scene.folder.remove("out/p2.report.json")
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("rendered") == 3)
    #expect(try scene.lastReports()["p0.png"]?.reason == "outputDamaged")
    #expect(try scene.command(["verify"], manifest: false).exitStatus == 0)
  }

  @Test("progress is shown as a render shows it, and is silent when it is to be")
  func progress() throws {
    let scene = try rendered()
    for (style, words) in [("plain", "3/3"), ("json", "\"finished\":3")] {
      let end = try RunningProgram(
        BuiltPrograms.minilab, ["verify", "--output", scene.output, "--progress", style]
      ).wait()
      #expect(end.errorText.contains(words), "\(end.errorText)")
    }
    #expect(try scene.command(["verify"], manifest: false).errorText == "")
  }

  @Test("a folder without runs, a wrong manifest and a held folder are refused")
  func refusals() throws {
    let scene = try rendered()
    let nowhere = try RunningProgram(
      BuiltPrograms.minilab, ["verify", "--output", scene.folder.path + "/library"]
    ).wait()
    #expect(nowhere.exitStatus == 69)
    #expect(try scene.folder.status("library/.minilab") == nil)
    try scene.folder.write("wrong.json", "{\"minilab\": 1, \"jobs\": [{}]}")
    let wrong = try RunningProgram(
      BuiltPrograms.minilab,
      ["verify", scene.folder.path + "/wrong.json", "--output", scene.output]
    ).wait()
    #expect(wrong.exitStatus == 65)
    #expect(wrong.errorText.contains("wrong.json:1:"))
    let lock = try StateLock(in: try Directory(path: scene.output + "/.minilab"))
    #expect(try scene.command(["verify"], manifest: false).exitStatus == 78)
    withExtendedLifetime(lock) {}
  }
}
