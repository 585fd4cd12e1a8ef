import Glibc
import Journal
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// Folders that are unmounted, moved or deleted while a run goes on in them.
@Suite("Place watch")
struct PlaceWatchTests {
  private final class Scene {
    let fixture: RunFixture
    let run: RunFolder
    let watch: PlaceWatch

    init(isStateApart: Bool) throws {
      fixture = try RunFixture()
      let state = try Directory(
        path: fixture.path + (isStateApart ? "/state" : "/out/.minilab"), creating: true)
      run = try RunFolder.create(state: state, output: fixture.output)
      watch = PlaceWatch(
        output: Array((fixture.path + "/out").utf8),
        state: isStateApart ? Array((fixture.path + "/state").utf8) : nil, run: run)
    }

    func move(_ name: String, to target: String) throws {
      let root = try Directory(path: fixture.path)
      try root.rename(Array(name.utf8), to: root, Array(target.utf8))
    }
  }

  private func kind(_ watch: PlaceWatch) -> String? {
    switch watch.fault() {
    case nil: nil
    case .output: "output"
    case .state: "state"
    }
  }

  @Test("folders that stay where they are have no fault", arguments: [true, false])
  func still(isStateApart: Bool) throws {
    let scene = try Scene(isStateApart: isStateApart)
    #expect(scene.watch.fault() == nil)
    withExtendedLifetime(scene) {}
  }

  @Test("a folder that was moved away is missed, and so is one that another took the place of")
  func moved() throws {
    for (isApart, name, kind) in [
      (true, "out", "output"), (true, "state", "state"), (false, "out", "state"),
    ] {
      let scene = try Scene(isStateApart: isApart)
      try scene.move(name, to: "elsewhere")
      #expect(self.kind(scene.watch) == kind)
      _ = try Directory(path: scene.fixture.path + "/" + name, creating: true)
      #expect(self.kind(scene.watch) == kind)
      try Directory(path: scene.fixture.path).removeTree(Array(name.utf8))
      try scene.move("elsewhere", to: name)
      #expect(scene.watch.fault() == nil)
    }
  }

  @Test("the words name the folder and what may have happened")
  func words() throws {
    let scene = try Scene(isStateApart: true)
    try Directory(path: scene.fixture.path).removeTree(Array("out".utf8))
    #expect(
      scene.watch.fault().map { "\($0)" }
        == "the output folder \(scene.fixture.path)/out is not what it was: "
        + "it was unmounted, moved or deleted while the run went on")
  }

  @Test("without its output folder a run gives no names, without its state folder no reports")
  func publishing() throws {
    for isState in [false, true] {
      let scene = try Scene(isStateApart: true)
      let fixture = scene.fixture
      let setting = RunSetting(
        run: scene.run.run, library: fixture.library, output: fixture.output,
        staging: try #require(try scene.run.staging()), ledger: fixture.ledger,
        overlap: .nowhere, caseInsensitive: false, outputBytes: 1 << 20, places: scene.watch,
        inbox: fixture.setting.inbox)
      let completion = try fixture.rendered(
        try fixture.context("a", outputs: ["a.jpg"]), [jpegBytes("new")])
      try scene.move(isState ? "state" : "out", to: "elsewhere")
      if isState {
        let error = #expect(throws: JournalError.self) {
          _ = try fixture.publish([completion], setting: setting)
        }
        #expect(error?.exitStatus == .outputUnwritable)
        #expect(error?.detail.contains("the state folder") == true)
      } else {
        let reports = try fixture.publish([completion], setting: setting).reports
        #expect(reports.map(\.outcome.code) == ["outputUnwritable"])
        #expect(setting.stopCause?.code == .outputUnwritable)
      }
      // The open folder is still there, wherever it is now.
      #expect(try fixture.output.status(Array("a.jpg".utf8)) == nil)
      #expect(try setting.staging.entries().isEmpty == !isState)
    }
  }
}
