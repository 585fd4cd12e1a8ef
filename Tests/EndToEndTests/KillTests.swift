import Glibc
import JSONText
import SystemSupport
import Testing

/// The coordinator killed at moments spread over its whole run, and what the next run makes of it.
@Suite("Kill -9", .serialized)
struct KillTests {
  private static let jobs = 40

  /// Jobs with two outputs each, and other bytes already under every third name.
  private func scene() throws -> RenderScene {
    let scene = try RenderScene()
    for index in 0..<4 { try scene.draw("\(index).png", seed: index, width: 90, height: 60) }
    try scene.write(
      jobs: (0..<Self.jobs).map {
        "{\"id\": \"\($0)\", \"asset\": \"\($0 % 4).png\", \"output\": \"\($0)-{rendition}.{extension}\"}"
      },
      defaults: """
        {"renditions": [
          {"name": "full", "type": "public.png"},
          {"name": "small", "type": "public.jpeg", "targetSize": [20, 20]}
        ]}
        """)
    for index in stride(from: 0, to: Self.jobs, by: 3) {
      try scene.folder.write("out/\(index)-full.png", Self.oldBytes)
    }
    return scene
  }

  private static let oldBytes = Array("the old bytes under this name".utf8)

  /// Old bytes, new bytes or nothing, also right after the kill; all in order after one more run.
  private func checkAftermath(_ scene: RenderScene, _ moment: String) throws {
    #expect(
      eventually(within: 1000) { ProcessList.orphans().isEmpty }, "\(moment): a process is left")
    for name in try scene.outputs() {
      let bytes = try scene.folder.read("out/" + name)
      let isWhole = bytes == Self.oldBytes || Self.isWhole(bytes)
      #expect(isWhole, "\(moment): \(name) is torn, \(bytes.count) bytes")
    }
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(moment): \(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced, "\(moment)")
    #expect(try scene.temporaries() == [], "\(moment)")
    #expect(try scene.outputs().count == 2 * Self.jobs, "\(moment)")
    #expect(try scene.outputsNotAsReported() == [], "\(moment)")
    #expect(try scene.lastReports().count == Self.jobs, "\(moment)")
    // A dead run was put in order: its journal ends with a whole line that says so.
    for record in try scene.runs() {
      #expect(record.tornBytes == 0, "\(moment)")
      #expect(record.lines.isEmpty || record.lines.last?["kind"]?.string == "end", "\(moment)")
    }
  }

  /// Whether a PNG or JPEG has its end.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    bytes.suffix(8).elementsEqual([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
      || bytes.suffix(2).elementsEqual([0xFF, 0xD9])
  }

  @Test("killed after any number of outputs", arguments: [0, 1, 2, 5, 9, 14, 20, 33, 47, 61])
  func afterOutputs(count: Int) throws {
    let scene = try scene()
    let before = try scene.outputs().count
    let run = try scene.start()
    _ = try eventually {
      try run.hasEnded
        || (count == 0
          ? scene.folder.status("out/.minilab/runs") != nil
          : scene.outputs().count - before >= count)
    }
    run.signal(SIGKILL)
    _ = try run.wait()
    try checkAftermath(scene, "after \(count) outputs")
  }

  @Test("killed again while it puts the first death in order")
  func twice() throws {
    let scene = try scene()
    for count in [8, 30] {
      let run = try scene.start()
      _ = try eventually { try run.hasEnded || scene.outputs().count >= count + 14 }
      run.signal(SIGKILL)
      _ = try run.wait()
    }
    for _ in 0..<4 {
      let run = try scene.start()
      _ = try eventually { try run.hasEnded || scene.folder.status("out/.minilab/lock") != nil }
      run.signal(SIGKILL)
      _ = try run.wait()
    }
    let last = try scene.start()
    last.signal(SIGKILL)
    _ = try last.wait()
    try checkAftermath(scene, "after seven deaths")
  }

  struct Moment: CustomTestStringConvertible, Sendable {
    var call: String
    var count: Int
    var testDescription: String { "\(call) \(count)" }
  }

  static let moments: [Moment] =
    [
      ("renameat,renameat2", [1, 2, 3, 7, 40, 79, 80]), ("fsync", [1, 2, 4, 7]),
      ("fdatasync", [1, 2, 3, 5]), ("syncfs", [1, 2]), ("sendfile,copy_file_range", [1, 9]),
      ("unlinkat", [1, 2]), ("mkdirat", [1, 2, 3, 5]),
    ]
    .flatMap { call, counts in counts.map { Moment(call: call, count: $0) } }

  @Test("killed at the call itself", .enabled(if: Strace.isUsable), arguments: moments)
  func atCall(moment: Moment) throws {
    let scene = try scene()
    let strace = try #require(SystemProgram.find("strace"))
    let run = try RunningProgram(
      strace,
      [
        "-f", "-o", "/dev/null", "-e", "trace=\(moment.call)", "-e",
        "inject=\(moment.call):signal=SIGKILL:when=\(moment.count)", BuiltPrograms.minilab,
        "render", scene.folder.path + "/" + scene.manifest, "--output", scene.output,
        "--progress", "none",
      ])
    _ = try run.wait()
    try checkAftermath(scene, "at \(moment.testDescription)")
  }

  @Test("says aloud when strace cannot be used", .disabled(if: Strace.isUsable))
  func straceMissing() {
    print("skipped: strace is not installed or may not trace, so no kill at single calls")
  }
}

enum Strace {
  static let isUsable: Bool = {
    guard let strace = SystemProgram.find("strace"), let truth = SystemProgram.find("true"),
      let run = try? RunningProgram(
        strace, ["-f", "-o", "/dev/null", "-e", "inject=fsync:signal=SIGKILL:when=1", truth])
    else { return false }
    return (try? run.wait(seconds: 20))?.exitStatus == 0
  }()
}
