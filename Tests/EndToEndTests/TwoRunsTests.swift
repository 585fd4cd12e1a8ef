import Glibc
import JSONText
import SystemSupport
import Testing

/// Two runs at the same time: on one state folder never, on one output folder without harm.
@Suite("Two runs")
struct TwoRunsTests {
  private static let jobs = 150

  private func scene() throws -> RenderScene {
    let scene = try RenderScene()
    for seed in 0..<3 { try scene.draw("\(seed).png", seed: seed, width: 200, height: 150) }
    try scene.write(
      jobs: (0..<Self.jobs).map {
        "{\"id\": \"\($0)\", \"asset\": \"\($0 % 3).png\", \"output\": \"\($0).{extension}\"}"
      })
    return scene
  }

  private func expectWhole(_ scene: RenderScene, _ end: ProgramEnd) throws {
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect((run.total("rendered") ?? 0) + (run.total("fresh") ?? 0) == Self.jobs)
    #expect(try scene.outputs().count == Self.jobs)
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.temporaries() == [])
  }

  @Test(
    "two state folders on one output folder: both runs finish, whichever state is the output's own",
    arguments: [(nil, "other"), ("other", nil), ("one", "other")] as [(String?, String?)])
  func oneOutput(first: String?, second: String?) throws {
    let scene = try scene()
    scene.stateName = first
    let running = try scene.start()
    #expect(try eventually { try !scene.outputs().isEmpty })
    scene.stateName = second
    // The first must be alive when the second puts its dead in order.
    let other = try scene.start(["--workers", "1"])
    let (firstEnd, secondEnd) = (try running.wait(), try other.wait())
    try expectWhole(scene, secondEnd)
    scene.stateName = first
    try expectWhole(scene, firstEnd)
    // Each finds the same bytes under its names, whoever wrote them.
    for state in [first, second] {
      scene.stateName = state
      #expect(try scene.render().exitStatus == 0)
      #expect(try scene.lastRun().total("fresh") == Self.jobs, "\(state ?? "the output's own")")
    }
  }

  @Test("whoever deletes the lock file while a run goes on lets no second run in")
  func deletedLock() throws {
    let scene = try scene()
    let running = try scene.start()
    #expect(try eventually { try !scene.outputs().isEmpty })
    try scene.folder.remove("out/.minilab/lock")
    let refused = try scene.render()
    #expect(refused.exitStatus == 78)
    #expect(refused.errorText.contains("its lock file was deleted"), "\(refused.errorText)")
    // And a third, which finds the lock file of the second.
    #expect(try scene.render().exitStatus == 78)
    let end = try running.wait()
    try expectWhole(scene, end)
    #expect(try scene.runs().count == 1)
    #expect(try scene.render().exitStatus == 0)
  }

  @Test("a dead owner's lock, also one that names a living process, keeps nobody out")
  func deadOwner() throws {
    let scene = try scene()
    let running = try scene.start()
    #expect(try eventually { try !scene.outputs().isEmpty })
    let line = try scene.folder.text("out/.minilab/lock")
    running.signal(SIGKILL)
    _ = try running.wait()
    // A process number is given again after a while.
    try scene.folder.write(
      "out/.minilab/lock",
      line.replacing("\"pid\":\(running.child.pid)", with: "\"pid\":\(getpid())"))
    try expectWhole(scene, try scene.render())
  }

  @Test(
    "a run in another process namespace holds the folder as any other",
    .enabled(if: ProcessNamespace.isPossible, "process namespaces cannot be made"))
  func processNamespace() throws {
    let scene = try scene()
    let inside = try ProcessNamespace.start(scene)
    #expect(try eventually { try !scene.outputs().isEmpty })
    let refused = try scene.render()
    #expect(refused.exitStatus == 78)
    #expect(refused.errorText.contains("another run holds the state folder"))
    inside.signal(SIGKILL)
    _ = try inside.wait()
    // Its death is not over before all of its namespace is gone.
    var end = try scene.render()
    _ = try eventually {
      if end.exitStatus != 78 { return true }
      end = try scene.render()
      return end.exitStatus != 78
    }
    try expectWhole(scene, end)

    try scene.draw("0.png", seed: 9, width: 200, height: 150)
    let outside = try scene.start()
    #expect(try eventually { try scene.runs().count >= 3 })
    let second = try ProcessNamespace.start(scene).wait()
    #expect(second.exitStatus == 78, "\(second.errorText)")
    #expect(second.errorText.contains("\"pid\":\(outside.child.pid)"))
    try expectWhole(scene, try outside.wait())
  }
}

/// Runs in a namespace of their own, as in a container: process numbers mean nothing outside.
enum ProcessNamespace {
  private static let words = ["--pid", "--fork", "--kill-child", "--mount-proc"]

  static func start(_ scene: RenderScene) throws -> RunningProgram {
    try RunningProgram(
      SystemProgram.find("unshare") ?? "", words + [BuiltPrograms.minilab] + scene.arguments())
  }

  static let isPossible: Bool = {
    guard let unshare = SystemProgram.find("unshare"), let truth = SystemProgram.find("true"),
      let run = try? RunningProgram(unshare, words + [truth])
    else { return false }
    return (try? run.wait(seconds: 20))?.exitStatus == 0
  }()
}
