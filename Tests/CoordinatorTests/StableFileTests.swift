import Glibc
import Ledger
import RenderModel
import Synchronization
import SystemSupport
import Testing

@testable import Coordinator

/// Small files that somebody writes while they are read.
@Suite("Stable file")
struct StableFileTests {
  private static let limit = 1 << 22

  private func open(_ fixture: RunFixture) throws -> OwnedDescriptor {
    try fixture.library.openBeneath(Array("a.json".utf8), flags: O_RDONLY)
  }

  @Test(
    "a file is given when its times are old enough to show a change, or say nothing",
    arguments: [
      (FileIdentity.settlingTime, true), (FileIdentity.settlingTime - 1, false), (0, false),
      (-1, true), (-86_400_000_000_000, true), (Int64.max, true),
    ])
  func age(age: Int64, isGiven: Bool) throws {
    let fixture = try RunFixture()
    let status = try fixture.write("a.json", Array("{}".utf8), in: fixture.library)
    let (moment, overflow) = status.changed.addingReportingOverflow(age)
    let bytes = try StableFile.read(try open(fixture), limit: Self.limit) {
      overflow ? .max : moment
    }
    #expect(bytes == (isGiven ? Array("{}".utf8) : nil))
  }

  @Test("more than the limit is refused")
  func tooLarge() throws {
    let fixture = try RunFixture()
    try fixture.write("a.json", Array("{}  ".utf8), in: fixture.library)
    #expect(throws: SystemError(operation: "read", errno: EFBIG)) {
      _ = try StableFile.read(try open(fixture), limit: 3)
    }
  }

  @Test("what is given was in the file at one moment, however often it is overwritten")
  func overwritten() throws {
    let fixture = try RunFixture()
    // Larger than what one call reads, so that plain reading does mix.
    let versions = ["a", "b", "c"].map { [UInt8](repeating: $0.utf8.first ?? 0, count: 1 << 20) }
    try fixture.write("a.json", versions[0], in: fixture.library)
    let file = try open(fixture)
    let path = fixture.path + "/library/a.json"
    let isOver = Mutex(false)
    let writer = Threads.start(name: "writer") {
      var count = 0
      while !isOver.withLock({ $0 }) {
        count += 1
        try? Self.overwrite(path, versions[count % 3])
        // Now and then there is a pause in which it can be read.
        if count % 40 == 0 { _ = poll(nil, 0, 70) }
      }
    }
    defer {
      isOver.withLock { $0 = true }
      writer.join()
    }
    let isMixed = try (0..<5000).contains { _ in
      !versions.contains(try FileTransfer.readAll(file, limit: Self.limit))
    }
    #expect(isMixed, "plain reading never mixed: nothing was tested")
    var given = 0
    for _ in 0..<20 {
      guard let bytes = try StableFile.read(file, limit: Self.limit) else { continue }
      given += 1
      #expect(versions.contains(bytes))
    }
    #expect(given > 0)
  }

  /// In place, without cutting the file first.
  private static func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    let file = try OwnedDescriptor.open(path: path, flags: O_WRONLY)
    try FileTransfer.writeAll(file, bytes)
  }
}
