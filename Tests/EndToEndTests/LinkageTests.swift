import SystemSupport
import Testing

/// The program that holds the rights never loads the libraries that parse pictures.
@Suite("Linkage")
struct LinkageTests {
  private func libraries(_ program: String) throws -> String {
    let end = try RunningProgram("/usr/bin/ldd", [program]).wait()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    return end.outputText
  }

  @Test("minilab loads no imaging library, and the worker does")
  func imaging() throws {
    let own = try libraries(BuiltPrograms.minilab)
    for name in ["libvips", "libheif", "libjpeg", "libglib", "libraw"] {
      #expect(!own.contains(name), "minilab loads \(name)")
    }
    #expect(own.contains("libc.so"))
    #expect(try libraries(BuiltPrograms.worker).contains("libvips"))
  }

  @Test("the schedulers' limits that are lower than ours are kept, not fought")
  func lowLimits() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    let end = try RunningProgram(
      "/bin/sh",
      [
        "-c", "ulimit -n 128; exec \"$0\" \"$@\"", BuiltPrograms.minilab, "render",
        scene.folder.path + "/manifest.json", "--output", scene.output, "--progress", "none",
      ]
    ).wait()
    #expect(end.exitStatus == 0, "\(end.outputText)")
  }

  @Test("a state folder of many runs needs no more descriptors than one of few")
  func manyRuns() throws {
    let scene = try RenderScene()
    try scene.fill(1)
    for number in 100..<300 {
      try scene.folder.makeFolder("out/.minilab/runs/20260131T120000Z-00000\(number)")
    }
    let end = try RunningProgram(
      "/bin/sh",
      [
        "-c", "ulimit -n 128; exec \"$0\" \"$@\"", BuiltPrograms.minilab, "render",
        scene.folder.path + "/manifest.json", "--output", scene.output, "--progress", "none",
      ]
    ).wait()
    #expect(end.exitStatus == 0, "\(end.errorText)")
  }

  @Test("too few descriptors even to start end the run with words, not with a hang")
  func noDescriptors() throws {
    let scene = try RenderScene()
    try scene.fill(2)
    for count in [14, 18, 22, 26] {
      let end = try RunningProgram(
        "/bin/sh",
        [
          "-c", "ulimit -n \(count); exec \"$0\" \"$@\"", BuiltPrograms.minilab, "render",
          scene.folder.path + "/manifest.json", "--output", scene.output, "--progress", "none",
        ]
      ).wait(seconds: 30)
      #expect([0, 1, 3, 69, 73].contains(end.exitStatus), "\(count): \(end.status)")
      if end.exitStatus == 1 { #expect(end.errorText.contains("Too many open files")) }
    }
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.temporaries() == [])
  }
}
