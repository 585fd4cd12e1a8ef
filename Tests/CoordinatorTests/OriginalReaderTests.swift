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

  final class Library {
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

    func put(_ text: String, _ flags: Int32, as name: String = "a.jpg") throws {
      let file = try directory.openBeneath(Array(name.utf8), flags: flags, mode: 0o644)
      try FileTransfer.writeAll(file, Array(text.utf8))
    }

    func modified() throws -> Int64 { try directory.status(Array("a.jpg".utf8))?.modified ?? 0 }

    func setModified(_ nanoseconds: Int64) throws {
      let time = timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
      let times = [time, time]
      try SystemError.retrying("utimensat") {
        unsafe utimensat(AT_FDCWD, path + "/a.jpg", times, 0)
      }
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

  enum Change: String, CaseIterable, Sendable {
    case truncated, overwritten, replaced, grown, touched, unlinked, backdated

    func apply(_ library: Library) throws {
      let path = library.path + "/a.jpg"
      switch self {
      case .truncated: try SystemError.retrying("truncate") { unsafe truncate(path, 2) }
      case .overwritten: try library.put("xyz", O_WRONLY)
      case .replaced:
        try library.put("abc", O_WRONLY | O_CREAT, as: "new")
        try SystemError.retrying("rename") { unsafe rename(library.path + "/new", path) }
      case .grown: try library.put("abcd", O_WRONLY)
      case .touched:
        try SystemError.retrying("utimensat") { unsafe utimensat(AT_FDCWD, path, nil, 0) }
      case .unlinked: try library.directory.remove(Array("a.jpg".utf8))
      case .backdated:
        let before = try library.modified()
        try library.put("xyz", O_WRONLY)
        try library.setModified(before)
      }
    }
  }

  @Test(
    "whatever becomes of a file between its decision and its reading, it is not used",
    arguments: Change.allCases)
  func changedBeforeReading(change: Change) throws {
    let library = try Library()
    _ = try library.write(Array("abc".utf8))
    for age in [0, OriginalReader.restingTime] {
      let moment = try library.directory.status(Array("a.jpg".utf8))?.changed ?? 0
      let reader = OriginalReader(library: library.directory) { moment + age }
      let path = RelativePath("a.jpg")
      let file = try reader.open(path, limits: RenderLimits()).get()
      // The clock that stamps files goes in ticks of up to 10 ms.
      _ = poll(nil, 0, 25)
      try change.apply(library)
      guard case .failure(let failure) = reader.read(file, path) else {
        Issue.record("it was used, of the age \(age)")
        return
      }
      #expect(failure.code == .inputChanged)
      #expect(failure.detail == "a.jpg: the file changed while it was read")
      _ = try library.write(Array("abc".utf8))
    }
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
