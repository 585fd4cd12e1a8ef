import Glibc
import JSONText
import SystemSupport
import Testing

/// A disk that is too small for the run, as a small file system of its own in memory.
@Suite("Full disk", .enabled(if: SmallDisk.isPossible))
struct FullDiskTests {
  /// `free`: bytes left beside the ballast that is on the disk already.
  private func check(_ scene: RenderScene, _ disk: SmallDisk, free: Int, jobs: Int) throws {
    let old = Array("the old render".utf8)
    for index in 0..<jobs { try scene.folder.write("out/p\(index).full.png", old) }
    try disk.fill(leaving: free)
    let end = try scene.start(["--workers", "2"]).wait(seconds: 60)
    #expect(end.exitStatus == 73, "\(end.errorText)")
    #expect(try scene.temporaries() == [])
    for index in 0..<jobs {
      let bytes = try scene.folder.read("out/p\(index).full.png")
      #expect(bytes == old || bytes.suffix(8).starts(with: Array("IEND".utf8)), "p\(index)")
    }
    #expect(end.errorText.contains("stopped") || end.errorText.contains("space"))
    try disk.empty()
    #expect(try scene.render().exitStatus == 0)
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.outputs().count == jobs)
    #expect(try scene.temporaries() == [])
  }

  @Test("no room by the estimate: nothing is started, the old render stays")
  func estimate() throws {
    let scene = try RenderScene()
    try scene.fill(6, width: 300, height: 300)
    let disk = try SmallDisk(megabytes: 4, at: scene.output)
    try check(scene, disk, free: 300 << 10, jobs: 6)
    let first = try #require(try scene.runs().first)
    #expect(first.reports.values.contains { $0.outcome == "failed(diskFull)" })
    #expect(first.isBalanced)
    #expect(first.total("rendered") == 0)
  }

  @Test("room that runs out: each name holds old or new bytes and the next run does the rest")
  func runningOut() throws {
    let scene = try RenderScene()
    // Noise, so that the outputs are as large as the estimate and fill the disk.
    for index in 0..<12 {
      var state = UInt32(index + 1)
      try scene.folder.write(
        "library/p\(index).png",
        Drawing.png(width: 300, height: 300) { _, _ in
          (0..<3).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
          }
        })
    }
    try scene.write(assets: (0..<12).map { "p\($0).png" })
    let disk = try SmallDisk(megabytes: 6, at: scene.output)
    try check(scene, disk, free: 1400 << 10, jobs: 12)
  }

  @Test("no room even for the journal: the run ends with 73 and leaves nothing")
  func nothing() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    let disk = try SmallDisk(megabytes: 2, at: scene.output)
    try check(scene, disk, free: 0, jobs: 3)
  }
}

@Suite("Full disk where none can be mounted", .disabled(if: SmallDisk.isPossible))
struct FullDiskSkippedTests {
  @Test("says aloud that it was skipped")
  func skipped() {
    print("skipped: no full disk, as this user may not mount a file system")
  }
}

/// A small file system in memory, unmounted with this value.
final class SmallDisk {
  private let path: String

  convenience init(megabytes: Int, at path: String) throws {
    try self.init(kilobytes: megabytes << 10, at: path)
  }

  init(kilobytes: Int, at path: String) throws {
    self.path = path
    _ = try Directory(path: path, creating: true)
    let result = unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=0755")
    guard result == 0 else { throw SystemError(operation: "mount", errno: errno) }
  }

  deinit { unsafe _ = umount2(path, Int32(MNT_DETACH)) }

  /// Writes ballast until so many bytes are left.
  func fill(leaving: Int) throws {
    let directory = try Directory(path: path)
    let free = Int(try FileSystemSpace.available(at: directory))
    let file = try directory.openBeneath(
      Array("BALLAST".utf8), flags: O_WRONLY | O_CREAT, mode: 0o644)
    try FileTransfer.writeAll(file, [UInt8](repeating: 7, count: max(0, free - leaving)))
  }

  /// Gives it another size, with all that is on it.
  func resize(megabytes: Int) throws {
    let options = "size=\(megabytes)m,mode=0755"
    let result = unsafe mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), options)
    guard result == 0 else { throw SystemError(operation: "mount", errno: errno) }
  }

  /// Takes it away under whoever has it open; what is on it is gone with them.
  func detach() { unsafe _ = umount2(path, Int32(MNT_DETACH)) }

  func empty() throws { try Directory(path: path).remove(Array("BALLAST".utf8)) }

  static let isPossible: Bool = {
    guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
    return (try? SmallDisk(megabytes: 1, at: folder.path + "/disk")) != nil
  }()
}
