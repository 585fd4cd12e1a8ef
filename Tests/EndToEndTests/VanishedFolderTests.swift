import JSONText
import SystemSupport
import Testing

/// Folders that are moved, deleted or unmounted in the middle of a run.
@Suite("Vanished folder")
struct VanishedFolderTests {
  private static let jobs = 200

  private func scene(isStateApart: Bool) throws -> RenderScene {
    let scene = try RenderScene()
    if isStateApart { scene.stateName = "state" }
    try scene.draw("a.png", width: 200, height: 150)
    try scene.write(
      jobs: (0..<Self.jobs).map {
        "{\"id\": \"\($0)\", \"asset\": \"a.png\", \"output\": \"\($0).{extension}\"}"
      })
    return scene
  }

  /// Runs until there are outputs, lets the folder vanish, and checks how the run ends.
  private func run(_ scene: RenderScene, named name: String, vanish: () throws -> Void) throws {
    let run = try scene.start(["--format", "json"])
    #expect(try eventually { try !scene.outputs().isEmpty })
    try vanish()
    let end = try run.wait(seconds: 60)
    #expect(end.exitStatus == 73, "\(end.errorText)")
    #expect(
      end.errorText.contains("the \(name) folder") && end.errorText.contains("unmounted, moved"),
      "\(end.errorText)")
    let summary = try JSONValue(text: end.output)
    #expect(summary["balanced"]?.bool == true, "\(end.outputText)")
    #expect(summary["totals"]?["planned"]?.number?.integer == Self.jobs)
  }

  private func checkNext(_ scene: RenderScene) throws {
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("planned") == Self.jobs)
    #expect(try scene.outputs().count == Self.jobs)
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.temporaries() == [])
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == Self.jobs)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var folder: String
    var isStateApart: Bool
    var isDeleted: Bool
    /// The folder that the program misses: without state nothing else counts.
    var missed: String { folder == "state" || !isStateApart ? "state" : "output" }

    var testDescription: String {
      "\(folder) \(isDeleted ? "deleted" : "moved"), state \(isStateApart ? "apart" : "within")"
    }
  }

  static let cases = [("out", true), ("out", false), ("state", true)].flatMap { folder, isApart in
    [true, false].map { Case(folder: folder, isStateApart: isApart, isDeleted: $0) }
  }

  @Test("a folder that is moved or deleted ends the run with 73", arguments: cases)
  func vanished(example: Case) throws {
    let scene = try scene(isStateApart: example.isStateApart)
    let root = scene.folder.directory
    let (name, away) = (Array(example.folder.utf8), Array("away".utf8))
    try run(scene, named: example.missed) { try root.rename(name, to: root, away) }
    if example.isDeleted {
      try root.removeTree(away)
    } else {
      try root.rename(away, to: root, name)
    }
    try checkNext(scene)
  }

  @Test(
    "an output folder that is unmounted ends the run with 73",
    .enabled(if: SmallDisk.isPossible, "a file system cannot be mounted"),
    arguments: [true, false])
  func unmounted(isStateApart: Bool) throws {
    let scene = try scene(isStateApart: isStateApart)
    let disk = try SmallDisk(megabytes: 64, at: scene.output)
    try run(scene, named: isStateApart ? "output" : "state") { disk.detach() }
    // Nothing of the run got into the folder that lay beneath.
    #expect(try scene.folder.files(in: "out") == [])
    try checkNext(scene)
  }
}
