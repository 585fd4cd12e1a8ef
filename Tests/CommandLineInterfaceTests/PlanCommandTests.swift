import RenderModel
import Testing

@testable import CommandLineInterface

@Suite("minilab plan")
struct PlanCommandTests {
  private func run(_ words: String...) -> (ProgramHarness, RenderModel.ExitStatus) {
    let harness = ProgramHarness()
    let status = harness.run(words.map { Argument($0) })
    return (harness, status)
  }

  @Test("a plan is asked with the options of the render that it is of")
  func options() throws {
    let (harness, status) = run(
      "plan", "a.json", "--output", "out", "--list", "--format=json", "--limit", "3", "--workers=2",
      "--only-reason", "new", "--rebuild-on", "engine", "--explain", "2024/a.jpg")
    #expect(status == .success)
    let parser = ArgumentParser(RenderCommand.description)
    let words = ["a.json", "--output=out", "--limit=3", "--workers=2", "--only-reason=new"]
    var render = try RenderCommand.options(
      from: parser.parse((words + ["--rebuild-on=engine"]).map { Argument($0) }))
    render.format = .json
    var expected = PlanOptions(render: render)
    expected.isListed = true
    expected.explained = Array("2024/a.jpg".utf8)
    expected.format = .json
    #expect(harness.planned == [expected])
    #expect(harness.asked.isEmpty)
  }

  @Test("every option of a plan but its own is one of a render, with the same words")
  func sameFlags() {
    let own = [PlanCommand.list.description.name, PlanCommand.explain.description.name, "format"]
    for flag in PlanCommand.description.flags where !own.contains(flag.name) {
      let twin = RenderFlags.descriptions.first { $0.name == flag.name }
      #expect(twin?.summary == flag.summary, "\(flag.name)")
    }
  }

  @Test(
    "reasons that no job could have are refused, with what would be right",
    arguments: [
      (["--only-reason", "filterchanged"], "did you mean 'filterChanged'?"),
      (["--only-reason", "new", "--force"], "every job has the reason 'forced'"),
      (["--only-reason", "engineDiffers"], "only with --rebuild-on engine"),
      (["--rebuild-on", "moon"], "it must be engine"),
    ])
  func refused(words: [String], said: String) {
    for command in ["plan", "render"] {
      let harness = ProgramHarness()
      let status = harness.run(
        ([command, "a.json", "--output=out"] + words).map { Argument($0) })
      #expect(status == .usage)
      #expect(harness.talk.contains(said), "\(harness.talk)")
      #expect(harness.asked.isEmpty && harness.planned.isEmpty)
    }
  }
}
