import Glibc
import JSONText
import SystemSupport
import Testing

/// One run at a time on a state folder.
@Suite("State folder")
struct LockTests {
  @Test("a second run is refused by name while the first holds the folder, and not after it died")
  func secondRun() throws {
    let scene = try RenderScene()
    try scene.draw("a.png")
    try scene.write(
      jobs: (0..<300).map {
        "{\"id\": \"\($0)\", \"asset\": \"a.png\", \"output\": \"\($0).{extension}\"}"
      })
    let first = try scene.start()
    #expect(try eventually { try !scene.outputs().isEmpty })
    let second = try scene.render()
    #expect(second.exitStatus == 78)
    #expect(second.errorText.contains("another run holds the state folder"))
    #expect(second.errorText.contains("\"pid\":\(first.child.pid)"))
    #expect(try scene.runs().count == 1)
    first.signal(SIGKILL)
    _ = try first.wait()
    #expect(try scene.render().exitStatus == 0)
  }

  @Test("state may live elsewhere, and then the output folder holds outputs alone")
  func separateState() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    let state = scene.folder.path + "/state"
    #expect(try scene.render(["--state", state]).exitStatus == 0)
    #expect(
      try scene.folder.files(in: "out").map { String(decoding: $0, as: UTF8.self) } == [
        "p0.full.png", "p1.full.png", "p2.full.png",
      ])
    let end = try scene.render(["--state", state, "--format", "json"])
    let summary = try JSONValue(text: end.output)
    #expect(summary["totals"]?["fresh"]?.number?.integer == 3)
  }

  @Test("runs that follow each other within a second are remembered in their order")
  func order() throws {
    let scene = try RenderScene()
    try scene.fill(1)
    for index in 0..<6 {
      try scene.draw("p0.png", seed: 10 + index)
      #expect(try scene.render().exitStatus == 0)
      let run = try scene.lastRun()
      #expect(run.total("rendered") == 1, "run \(index)")
      #expect(run.reports["p0.png"]?.reason == (index == 0 ? "new" : "sourceChanged"))
      #expect(try scene.render().exitStatus == 0)
      #expect(try scene.lastRun().total("fresh") == 1, "run \(index)")
    }
    #expect(try scene.runs().count == 12)
  }
}
