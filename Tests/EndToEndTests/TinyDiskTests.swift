import JSONText
import SystemSupport
import Testing

/// File systems that hold less than a run needs: for the outputs, for the state, or for both.
@Suite("Tiny disk", .enabled(if: SmallDisk.isPossible))
struct TinyDiskTests {
  enum Place: String, Sendable, CaseIterable { case output, state, both }

  struct Case: CustomTestStringConvertible, Sendable {
    var place: Place
    var kilobytes: Int
    /// Kilobytes beside the ballast; nil: the whole disk.
    var free: Int?
    var jobs: Int
    /// Of the square pictures of noise, so that outputs are as large as they can be.
    var side: Int

    var testDescription: String { "\(kilobytes) kB for \(place)" }
  }

  static let cases = [
    Case(place: .output, kilobytes: 64, jobs: 6, side: 100),
    Case(place: .output, kilobytes: 1024, jobs: 12, side: 220),
    Case(place: .output, kilobytes: 8192, jobs: 16, side: 480),
    Case(place: .both, kilobytes: 64, jobs: 6, side: 100),
    Case(place: .both, kilobytes: 1024, jobs: 12, side: 220),
    Case(place: .both, kilobytes: 8192, jobs: 16, side: 480),
    Case(place: .state, kilobytes: 64, jobs: 60, side: 16),
    Case(place: .state, kilobytes: 1024, free: 200, jobs: 120, side: 16),
    Case(place: .state, kilobytes: 8192, free: 150, jobs: 120, side: 16),
  ]

  private static let old = Array("the old render".utf8)

  private func scene(_ example: Case) throws -> RenderScene {
    let scene = try RenderScene()
    if example.place != .both { scene.stateName = "state" }
    // A few pictures serve all jobs; every third name has old bytes.
    for seed in 0..<min(example.jobs, 4) {
      try scene.folder.write("library/\(seed).png", Drawing.noise(example.side, seed: seed))
    }
    try scene.write(
      jobs: (0..<example.jobs).map {
        "{\"id\": \"\($0)\", \"asset\": \"\($0 % 4).png\", \"output\": \"\($0).{extension}\"}"
      })
    return scene
  }

  @Test("ends with 73 and its reason, and the next run with room finishes", arguments: cases)
  func tooSmall(example: Case) throws {
    let scene = try scene(example)
    let path = example.place == .state ? scene.folder.path + "/state" : scene.output
    let disk = try SmallDisk(kilobytes: example.kilobytes, at: path)
    for job in stride(from: 0, to: example.jobs, by: 3) {
      try scene.folder.write("out/\(job).png", Self.old)
    }
    if let free = example.free { try disk.fill(leaving: free << 10) }

    let end = try scene.render(["--workers", "2", "--format", "json"])
    #expect(end.exitStatus == 73, "\(end.errorText)")
    let words = end.errorText + end.outputText
    let isNamed = ["disk is full", "bytes are needed", "No space left", "no space is left"]
      .contains { words.contains($0) }
    #expect(isNamed, "\(words)")
    // A run that was begun tells its accounts, also where it cannot write them down.
    if !end.output.isEmpty {
      let summary = try JSONValue(text: end.output)
      #expect(summary["balanced"]?.bool == true, "\(end.outputText)")
      #expect(summary["totals"]?["planned"]?.number?.integer == example.jobs)
      #expect(summary["totals"]?["rendered"]?.number?.integer != example.jobs)
    }
    for name in try scene.outputs() where name != "BALLAST" {
      let bytes = try scene.folder.read("out/" + name)
      #expect(bytes == Self.old || Drawing.isWholePNG(bytes), "\(name), \(bytes.count) bytes")
    }

    try disk.resize(megabytes: 64)
    if example.free != nil { try disk.empty() }
    let next = try scene.render()
    #expect(next.exitStatus == 0, "\(next.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("planned") == example.jobs)
    #expect(try scene.outputs().count == example.jobs)
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.lastReports().count == example.jobs)
    #expect(try scene.temporaries() == [])
  }
}

extension Drawing {
  /// A square that no encoder makes smaller.
  static func noise(_ side: Int, seed: Int) -> [UInt8] {
    var state = UInt32(truncatingIfNeeded: seed &+ 1)
    return png(width: side, height: side) { _, _ in
      (0..<3).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
    }
  }

  /// Whether a PNG has its end.
  static func isWholePNG(_ bytes: [UInt8]) -> Bool {
    bytes.suffix(8).elementsEqual([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }
}
