import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// Which originals are read in place and which from a copy that nobody can change.
@Suite("Original reader")
struct OriginalReaderTests {
  /// SHA-256 of `abc`, from FIPS 180-2, appendix B.1.
  private static let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  private final class Library {
    let path = "/tmp/minilab-originals-\(RandomBytes.hex(8))"
    let directory: Directory

    init() throws { directory = try Directory(path: path, creating: true) }

    deinit {
      let name = Array(path.dropFirst("/tmp/".count).utf8)
      try? Directory(path: "/tmp").removeTree(name)
    }

    func write(_ bytes: [UInt8]) throws -> FileStatus {
      let file = try directory.openBeneath(
        Array("a.jpg".utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      try FileTransfer.writeAll(file, bytes)
      return try FileStatus(of: file)
    }

    func read(at moment: Int64) throws -> OpenedOriginal {
      let reader = OriginalReader(library: directory) { moment }
      let path = RelativePath("a.jpg")
      let file = try reader.open(path, limits: RenderLimits()).get()
      return try reader.read(file, path).get()
    }
  }

  @Test(
    "only a file at rest is read in place; what was touched just now, or in the future, is copied",
    arguments: [
      (OriginalReader.restingTime, true), (OriginalReader.restingTime - 1, false), (0, false),
      (-3_600_000_000_000, false), (.max, true),
    ])
  func rest(age: Int64, isShared: Bool) throws {
    let library = try Library()
    let status = try library.write(Array("abc".utf8))
    let (sum, overflow) = max(status.modified, status.changed).addingReportingOverflow(age)
    let original = try library.read(at: overflow ? .max : sum)
    #expect(original.isShared == isShared)
    #expect(original.sha256 == Self.digest)
  }

  @Test("a copy is sealed and stays what it was when the original is overwritten")
  func copy() throws {
    let library = try Library()
    let status = try library.write(Array("abc".utf8))
    let original = try library.read(at: status.changed)
    _ = try library.write(Array("xyz".utf8))
    #expect(try MemoryFile.isSealed(original.descriptor))
    #expect(try FileTransfer.readAll(original.descriptor, limit: 10) == Array("abc".utf8))
  }

  @Test("a file that is read in place shows that it was overwritten")
  func change() throws {
    let library = try Library()
    let status = try library.write(Array("abc".utf8))
    let original = try library.read(at: status.changed + OriginalReader.restingTime)
    // The clock that stamps files goes in ticks of up to 10 ms.
    _ = poll(nil, 0, 25)
    _ = try library.write(Array("xyz".utf8))
    #expect(!(try FileStatus(of: original.descriptor).isUnchanged(since: original.status)))
  }
}
