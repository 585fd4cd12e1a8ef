import Glibc
import JSONText
import SystemSupport
import Testing

/// Real runs over files whose times do not tell what became of them.
@Suite("Digests and times")
struct DigestCacheTests {
  /// Changes a file through a mapping, as some editors of catalogues do.
  ///
  /// The kernel stamps the first write to a page; until it has written the page back, later ones
  /// leave the times as they are.
  @safe private final class MappedWriter {
    private let start: UnsafeMutableRawPointer
    private let count: Int

    init(_ file: OwnedDescriptor) throws {
      count = Int(try FileStatus(of: file).size)
      let mapped = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0)
      unsafe start = try #require(unsafe mapped)
      try #require(unsafe UInt(bitPattern: start) != UInt.max)
    }

    deinit { unsafe munmap(start, count) }

    func write(_ bytes: [UInt8]) {
      unsafe UnsafeMutableRawBufferPointer(start: start, count: count).copyBytes(from: bytes)
    }
  }

  /// A file of the scene, stamped now, that can be changed for some seconds without a trace.
  private func writer(_ scene: RenderScene, _ name: String) throws -> MappedWriter {
    let file = try scene.folder.directory.openBeneath(Array(name.utf8), flags: O_RDWR)
    let writer = try MappedWriter(file)
    writer.write(try scene.folder.read(name))
    _ = poll(nil, 0, 50)
    return writer
  }

  /// Changes a file; false where its times show it, as when somebody has synced the disk meanwhile.
  private func change(
    _ name: String, _ writer: MappedWriter, _ bytes: [UInt8], _ scene: RenderScene
  ) throws -> Bool {
    let before = try scene.folder.status(name)
    writer.write(bytes)
    return try scene.folder.status(name) == before
  }

  private static let attempts = 5
  /// The kernel stamped every change.
  private struct Traced: Error {}

  @Test("a changed original whose times are the old ones is found with --checksum, and only then")
  func original() throws {
    func changed() throws -> RenderScene {
      for _ in 0..<Self.attempts {
        let scene = try RenderScene()
        try scene.fill(2)
        let writer = try writer(scene, "library/p1.png")
        try #require(try scene.render().exitStatus == 0)
        let other = Drawing.png(width: 24, height: 16, seed: 77)
        if try change("library/p1.png", writer, other, scene) { return scene }
      }
      throw Traced()
    }
    let scene = try changed()
    try scene.render()
    #expect(try scene.lastRun().total("fresh") == 2)
    try scene.render(["--checksum"])
    #expect(try scene.lastRun().total("fresh") == 1)
    #expect(try scene.lastRun().reports["p1.png"]?.reason == "sourceChanged")
    #expect(try scene.outputsNotAsReported() == [])
    try scene.render(["--checksum"])
    #expect(try scene.lastRun().total("fresh") == 2)
  }

  @Test("a damaged render whose times are the old ones is found with --checksum, and only then")
  func output() throws {
    func damaged() throws -> RenderScene {
      for _ in 0..<Self.attempts {
        let scene = try RenderScene()
        try scene.fill(2)
        try #require(try scene.render().exitStatus == 0)
        let name = try #require(try scene.outputs().first { $0.hasPrefix("p0") })
        let writer = try writer(scene, "out/" + name)
        // The file was touched: it is read, found well and known by its new times.
        try scene.render()
        #expect(try scene.lastRun().total("fresh") == 2)
        if try change("out/" + name, writer, [0, 0, 0, 0], scene) { return scene }
      }
      throw Traced()
    }
    let scene = try damaged()
    try scene.render()
    #expect(try scene.lastRun().total("fresh") == 2)
    try scene.render(["--checksum"])
    #expect(try scene.lastRun().reports["p0.png"]?.reason == "outputDamaged")
    #expect(try scene.outputsNotAsReported() == [])
  }
}
