import Glibc
import JSONText
import SystemSupport
import Testing

/// Runs that are asked to stop: nothing is lost, nothing stays behind, the next run goes on.
@Suite("Stopping")
struct StoppingTests {
  private static let jobs = 200

  /// Many jobs of one picture, each with an output of its own.
  private func scene() throws -> RenderScene {
    let scene = try RenderScene()
    try scene.draw("a.png", width: 200, height: 150)
    try scene.write(
      jobs: (0..<Self.jobs).map {
        "{\"id\": \"\($0)\", \"asset\": \"a.png\", \"output\": \"\($0).{extension}\"}"
      })
    return scene
  }

  private func waitForOutput(_ scene: RenderScene) throws {
    #expect(try eventually { try !scene.outputs().isEmpty })
  }

  private func checkStopped(_ scene: RenderScene, _ end: ProgramEnd) throws {
    #expect(end.exitStatus == 75, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("planned") == Self.jobs)
    #expect((run.total("cancelled") ?? 0) > 0)
    #expect(run.total("failed") == 0)
    #expect(run.total("rendered") == (try scene.outputs().count))
    #expect(run.reportCounts.values.allSatisfy { $0 == 1 })
    #expect(try scene.temporaries() == [])
    #expect(try scene.outputsNotAsReported() == [])
  }

  private func checkContinued(_ scene: RenderScene) throws {
    let done = try scene.outputs()
    let before = try done.map { try scene.folder.status("out/" + $0) }
    #expect(try scene.render().exitStatus == 0)
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("fresh") == done.count)
    #expect(run.total("rendered") == Self.jobs - done.count)
    #expect(try done.map { try scene.folder.status("out/" + $0) } == before)
    #expect(try scene.outputs().count == Self.jobs)
    #expect(try scene.outputsNotAsReported() == [])
  }

  @Test(
    "a signal ends the run in good order and the next one does the rest",
    arguments: [SIGTERM, SIGINT])
  func signal(number: Int32) throws {
    let scene = try scene()
    let run = try scene.start()
    try waitForOutput(scene)
    run.signal(number)
    try checkStopped(scene, try run.wait(seconds: 30))
    try checkContinued(scene)
  }

  @Test("a second signal ends it at once, in good order as well")
  func twice() throws {
    let scene = try scene()
    // The first signal waits for what is running as long as it takes.
    let run = try scene.start(["--drain", "10m"])
    try waitForOutput(scene)
    run.signal(SIGTERM)
    #expect(eventually { run.said.contains("stopping") })
    run.signal(SIGTERM)
    try checkStopped(scene, try run.wait(seconds: 20))
    try checkContinued(scene)
  }

  @Test("a signal before the first job cancels all of them")
  func early() throws {
    let scene = try scene()
    let run = try scene.start()
    // The lock is there as soon as signals are held back for the pool.
    #expect(try eventually { try scene.folder.status("out/.minilab/lock") != nil })
    run.signal(SIGTERM)
    let end = try run.wait(seconds: 30)
    #expect(end.exitStatus == 75)
    // Where the manifest was still being checked there is no run.
    #expect(try scene.runs().allSatisfy(\.isBalanced))
    #expect(try scene.temporaries() == [])
  }

  @Test("a signal while a long manifest is checked ends the check")
  func checking() throws {
    let scene = try RenderScene()
    try scene.draw("a.png")
    let jobs = (0..<400_000).map {
      "{\"asset\": \"a.png\", \"id\": \"j\($0)\", \"output\": \"{job}.png\"}\n"
    }
    try scene.folder.write(
      scene.manifest,
      "{\"minilab\": 1, \"library\": \"library\", \"defaults\": \(RenderScene.quick)}\n"
        + jobs.joined())
    let run = try scene.start()
    #expect(try eventually { try scene.folder.status("out/.minilab/lock") != nil })
    run.signal(SIGTERM)
    let end = try run.wait(seconds: 30)
    #expect(end.exitStatus == 75)
    #expect(end.errorText.contains("nothing was started"), "\(end.errorText)")
    #expect(try scene.runs().isEmpty)
    #expect(try scene.outputs() == [])
  }
}
