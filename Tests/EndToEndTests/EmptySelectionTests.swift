import JSONText
import SystemSupport
import Testing

/// A library that is suddenly not there, as an unmounted one is, must not be an empty success.
@Suite("Empty selections")
struct EmptySelectionTests {
  /// A scene of two photos in a folder, rendered, whose manifest selects the folder.
  private func rendered() throws -> RenderScene {
    let scene = try RenderScene()
    try scene.draw("2025/a.png")
    try scene.draw("2025/b.png", seed: 1)
    try scene.write(jobs: [#"{"assets": {"from": "2025"}}"#])
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return scene
  }

  private func expectRefusal(_ scene: RenderScene, _ words: String) throws {
    let before = try scene.outputs()
    let runs = try scene.runs().count
    let end = try scene.render()
    #expect(end.exitStatus == 65)
    #expect(end.errorText.contains(words), "\(end.errorText)")
    let plan = try scene.plan()
    #expect(plan.status == 65)
    #expect(plan.errors.contains(words), "\(plan.errors)")
    #expect(try scene.outputs() == before)
    #expect(try scene.runs().count == runs)
  }

  @Test("a selection that matches nothing any more starts nothing")
  func selection() throws {
    let scene = try rendered()
    try scene.folder.remove("library/2025/a.png")
    try scene.folder.remove("library/2025/b.png")
    try scene.folder.write("library/other.txt", "not empty")
    try expectRefusal(scene, "nothing in \"2025\" matches public.image")
    // As the problem of one job it is a failure, and the others are done.
    try scene.draw("c.png")
    try scene.write(jobs: [#"{"assets": {"from": "2025"}}"#, #"{"asset": "c.png"}"#])
    let end = try scene.render(["--invalid", "fail-job"])
    #expect(end.exitStatus == 3)
    #expect(try scene.lastRun().total("failed") == 1)
    #expect(try scene.lastRun().total("rendered") == 1)
  }

  @Test("a folder that a selection names and that is gone starts nothing")
  func folderGone() throws {
    let scene = try rendered()
    try scene.folder.directory.removeTree(Array("library/2025".utf8))
    try scene.folder.write("library/other.txt", "not empty")
    try expectRefusal(scene, "there is no folder \"2025\"")
  }

  @Test("an empty library starts nothing, though the manifest names its assets one by one")
  func emptyLibrary() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    try scene.render()
    for name in ["p0.png", "p1.png"] { try scene.folder.remove("library/" + name) }
    try expectRefusal(scene, "is empty; is it mounted?")
    try scene.folder.directory.removeTree(Array("library".utf8))
    try expectRefusal(scene, "cannot be opened")
  }

  @Test("an empty folder in the place of a manifest starts nothing")
  func folderManifest() throws {
    let scene = try RenderScene()
    try scene.folder.makeFolder("photos")
    for command in ["render", "plan"] {
      let end = try RunningProgram(
        BuiltPrograms.minilab, [command, scene.folder.path + "/photos", "--output", scene.output]
      ).wait()
      #expect(end.exitStatus == 65)
      #expect(end.errorText.contains("nothing in the library matches"), "\(end.errorText)")
    }
  }

  @Test("a limit is no reason to refuse")
  func limited() throws {
    let scene = try rendered()
    let plan = try scene.plan(["--limit", "1"])
    #expect(plan.status == 0)
    #expect(plan.total("planned") == 1)
  }
}
