import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// Finding, digesting and keeping the files that filters read.
@Suite("Files of filters")
struct FilterFilesTests {
  /// SHA-256 of `abc`, from FIPS 180-2, appendix B.1.
  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  fileprivate static func step(_ names: String...) -> [FilterStep] {
    names.map {
      FilterStep(
        name: "lut3d", version: 1, parameters: [.init(name: "path", value: .file($0))])
    }
  }

  private struct Scene {
    let fixture: RunFixture
    let files: FilterFiles
    /// Far enough ahead that every file is at rest, unless a test says otherwise.
    init(ahead: Int64 = 10 * FilterFiles.restingTime, cache: FilterFileCache = .init()) throws {
      fixture = try RunFixture()
      files = FilterFiles(library: fixture.library, cache: cache) { WallClock.now() + ahead }
    }

    func write(_ name: String, _ text: String) throws {
      try fixture.write(name, Array(text.utf8), in: fixture.library)
    }

    func find(_ steps: [FilterStep], of record: String? = nil) throws -> FilterFiles.Resolved {
      try files.find(steps, of: record.map { RelativePath($0) }).get()
    }

    func failure(_ steps: [FilterStep], of record: String? = nil) -> RenderFailure? {
      guard case .failure(let failure) = files.find(steps, of: record.map { RelativePath($0) })
      else { return nil }
      return failure
    }

    func read(_ name: String) throws -> FilterFiles.Ready {
      try files.read(try find(FilterFilesTests.step(name)).files[0]).get()
    }
  }

  // MARK: - Finding

  @Test("profiles of renditions are found beneath the library, each once and beside filters' files")
  func profiles() throws {
    let scene = try Scene()
    try scene.write("p/press.icc", "p")
    try scene.write("x.cube", "x")
    var files = try scene.find(Self.step("x.cube")).files
    let outputs = try ["p/press.icc", "p/press.icc", nil].map {
      Job.Output(
        rendition: Rendition(name: "r", profile: $0), template: try OutputTemplate.parse("{job}"))
    }
    let found = try scene.files.find(profilesOf: outputs, files: &files)
    #expect(found.map(\.rendition.profile) == ["p/press.icc", "p/press.icc", nil])
    #expect(files.map(\.name) == ["x.cube", "p/press.icc"])
  }

  @Test("a profile that is missing, or leads out of the library, fails the job with its name")
  func missingProfile() throws {
    let scene = try Scene()
    for name in ["gone.icc", "../out.icc"] {
      let output = Job.Output(
        rendition: Rendition(name: "print", profile: name),
        template: try OutputTemplate.parse("{job}"))
      var files: [FilterFiles.Found] = []
      #expect {
        try scene.files.find(profilesOf: [output], files: &files)
      } throws: { error in
        guard let failure = error as? RenderFailure else { return false }
        return failure.code == .invalidJob && failure.detail.contains("the rendition print")
          && failure.detail.contains(name)
      }
    }
  }

  @Test("the file beside the record comes before the one beneath the library")
  func beside() throws {
    let scene = try Scene()
    try scene.write("x.cube", "library")
    let plain = try scene.find(Self.step("x.cube"), of: "looks/house.json")
    #expect(plain.files.map(\.path.displayed) == ["x.cube"])
    try scene.write("looks/x.cube", "beside")
    let beside = try scene.find(Self.step("x.cube"), of: "looks/house.json")
    #expect(beside.files.map(\.path.displayed) == ["looks/x.cube"])
    #expect(beside.steps.flatMap(\.files) == ["looks/x.cube"])
    let inline = try scene.find(Self.step("x.cube"))
    #expect(inline.files.map(\.path.displayed) == ["x.cube"])
  }

  @Test("a file that several steps and masks name is opened once")
  func once() throws {
    let scene = try Scene()
    for name in ["looks/x.cube", "y.cube"] { try scene.write(name, "abc") }
    var steps = Self.step("x.cube", "y.cube", "looks/x.cube")
    steps[1].mask = FilterMask(
      kind: "bitmap", parameters: [.init(name: "path", value: .file("y.cube"))])
    let found = try scene.find(steps, of: "looks/house.json")
    #expect(found.files.map(\.name) == ["looks/x.cube", "y.cube"])
    #expect(
      found.steps.flatMap(\.files) == ["looks/x.cube", "y.cube", "y.cube", "looks/x.cube"])
  }

  @Test("steps without files ask for none")
  func none() throws {
    let step = FilterStep(name: "exposure", version: 1, parameters: [])
    let found = try Scene().find([step])
    #expect(found.steps == [step])
    #expect(found.files.isEmpty)
  }

  @Test("beside a record whose folder is not UTF-8 the plan's name is one that no path has")
  func oddFolder() throws {
    let scene = try Scene()
    let folder: [UInt8] = [0x6C, 0xFF]
    let made = try scene.fixture.library.makeDirectories(folder)
    try FileTransfer.writeAll(
      try made.openBeneath(Array("x.cube".utf8), flags: O_WRONLY | O_CREAT, mode: 0o644), [1])
    let record = RelativePath(bytes: folder + Array("/a.json".utf8))
    let found = try scene.files.find(Self.step("x.cube"), of: record).get()
    #expect(found.files[0].path.bytes == folder + Array("/x.cube".utf8))
    #expect(found.steps.flatMap(\.files) == ["/l\\xFF/x.cube"])
  }

  @Test("a file that is nowhere is a failure that names record, field, places and remedy")
  func missing() throws {
    let scene = try Scene()
    let beside = try #require(
      scene.failure(Self.step("x\n.cube"), of: "looks/house.json"))
    #expect(beside.code == .invalidAdjustment)
    #expect(beside.stage == .intake)
    #expect(
      beside.detail
        == "the adjustment record looks/house.json: filters[0].path: the file \"x\\u{A}.cube\" is "
        + "neither beside the record (looks/x\\u{A}.cube) nor beneath the library "
        + "(x\\u{A}.cube); put it there, or correct its name")
    let inline = try #require(scene.failure(Self.step("no/where.cube")))
    #expect(
      inline.detail
        == "the manifest's record: filters[0].path: the file \"no/where.cube\" is not beneath the "
        + "library; put it there, or correct its name")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var name: String
    var words: String
    var make: @Sendable (RunFixture) throws -> Void
  }

  static let refusals: [Refusal] = [
    Refusal(testDescription: "absolute", name: "/etc/passwd", words: "begins with a slash") { _ in
    },
    Refusal(testDescription: "parent", name: "../out/x", words: "'..'") {
      try $0.write("x", [1])
    },
    Refusal(testDescription: "link", name: "x.cube", words: "links are not followed") {
      try link($0.path + "/library/x.cube", to: "/etc/passwd")
    },
    Refusal(testDescription: "link on the way", name: "d/passwd", words: "links are not") {
      try link($0.path + "/library/d", to: "/etc")
    },
    Refusal(testDescription: "folder", name: "d", words: "is not a regular file") {
      _ = try $0.library.makeDirectories(Array("d".utf8))
    },
    Refusal(testDescription: "pipe", name: "p", words: "is not a regular file") { fixture in
      try SystemError.retrying("mkfifo") { unsafe mkfifo(fixture.path + "/library/p", 0o600) }
    },
    Refusal(testDescription: "empty", name: "e", words: "is empty") {
      try $0.write("e", [], in: $0.library)
    },
    Refusal(testDescription: "too large", name: "l", words: "268435457 bytes") { fixture in
      try fixture.write("l", [1], in: fixture.library)
      try SystemError.retrying("truncate") {
        unsafe truncate(fixture.path + "/library/l", off_t(FilterFiles.largestFile + 1))
      }
    },
  ]

  @Test("what may not be read is refused with the reason", arguments: refusals)
  func refused(refusal: Refusal) throws {
    let scene = try Scene()
    try refusal.make(scene.fixture)
    let failure = try #require(scene.failure(Self.step(refusal.name)))
    #expect(failure.code == .invalidAdjustment)
    #expect(failure.detail.contains(refusal.words), "\(failure.detail)")
    #expect(failure.detail.contains("filters[0].path"), "\(failure.detail)")
  }

  @Test("what stands beside the record and cannot be used hides nothing: it is refused")
  func brokenBeside() throws {
    let scene = try Scene()
    try scene.write("x.cube", "abc")
    _ = try scene.fixture.library.makeDirectories(Array("looks/x.cube".utf8))
    let failure = try #require(scene.failure(Self.step("x.cube"), of: "looks/a.json"))
    #expect(failure.detail.contains("looks/x.cube"))
  }

  @Test("63 files may be named, one more is one too many")
  func many() throws {
    let scene = try Scene()
    let names = (0..<64).map { "\($0).cube" }
    for name in names { try scene.write(name, "abc") }
    let steps = names.flatMap { Self.step($0) }
    #expect(try scene.find(Array(steps[..<63])).files.count == 63)
    let failure = try #require(scene.failure(steps))
    #expect(failure.detail.contains("filters[63].path"))
    #expect(failure.detail.contains("63 files"))
  }

  private static func link(_ path: String, to target: String) throws {
    try SystemError.retrying("symlink") { unsafe symlink(target, path) }
  }

  // MARK: - Reading

  @Test("jobs share one sealed copy, each with a reading position of its own")
  func copies() throws {
    let scene = try Scene()
    try scene.write("x.cube", "abc")
    let first = try scene.read("x.cube")
    let second = try scene.read("x.cube")
    for ready in [first, second] {
      #expect(ready.sha256 == Self.abc)
      #expect(!ready.isShared)
      #expect(try MemoryFile.isSealed(ready.descriptor))
      #expect(fcntl(ready.descriptor.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY)
    }
    // One file in memory, and reading the one moves not the other.
    #expect(
      try FileStatus(of: first.descriptor).inode == FileStatus(of: second.descriptor).inode)
    for ready in [first, second] { #expect(try Self.readOn(ready.descriptor) == "abc") }
  }

  @Test("what was read stays what was digested when the file is overwritten in place")
  func overwritten() throws {
    let scene = try Scene()
    try scene.write("x.cube", "abc")
    let before = try scene.read("x.cube")
    scene.fixture.waitForTick()
    try scene.write("x.cube", "xyz")
    #expect(try Self.readOn(before.descriptor) == "abc")
    let after = try scene.read("x.cube")
    #expect(after.sha256 != Self.abc)
    #expect(try Self.readOn(after.descriptor) == "xyz")
  }

  @Test(
    "a digest is known by a file's times only when these lie far enough back",
    arguments: [(FilterFiles.restingTime, true), (FilterFiles.restingTime - 1, false), (-1, false)])
  func racy(age: Int64, isKept: Bool) throws {
    let fixture = try RunFixture()
    let status = try fixture.write("x.cube", Array("abc".utf8), in: fixture.library)
    let files = FilterFiles(library: fixture.library) { status.changed + age }
    func inode() throws -> UInt64 {
      let found = try files.find(Self.step("x.cube"), of: nil).get().files[0]
      return try FileStatus(of: files.read(found).get().descriptor).inode
    }
    // Held, so that no later copy can be given its number.
    let first = try files.read(files.find(Self.step("x.cube"), of: nil).get().files[0]).get()
    #expect(try (inode() == FileStatus(of: first.descriptor).inode) == isKept)
  }

  @Test("a file that changes while it is read is not used")
  func changed() throws {
    let scene = try Scene()
    try scene.write("x.cube", "abc")
    let found = try scene.find(Self.step("x.cube")).files[0]
    scene.fixture.waitForTick()
    try scene.write("x.cube", "abcd")
    guard case .failure(let failure) = scene.files.read(found) else {
      Issue.record("it was used")
      return
    }
    #expect(failure.code == .inputChanged)
    #expect(failure.detail.contains("x.cube"))
  }

  @Test("a file too large to be copied is read in place, from its beginning, and digested once")
  func large() throws {
    let scene = try Scene()
    let size = OriginalReader.largestCopy + 1
    try scene.write("x.cube", "abc")
    try SystemError.retrying("truncate") {
      unsafe truncate(scene.fixture.path + "/library/x.cube", off_t(size))
    }
    let first = try scene.read("x.cube")
    let second = try scene.read("x.cube")
    #expect(first.isShared && second.isShared)
    #expect(first.sha256 == second.sha256)
    for ready in [first, second] {
      #expect(lseek(ready.descriptor.rawValue, 0, SEEK_CUR) == 0)
      #expect(try FileStatus(of: ready.descriptor).size == size)
    }
    // The second was opened and never read: its pages were not needed again.
    #expect(first.descriptor.rawValue != second.descriptor.rawValue)
  }

  @Test("what was not used for longest is let go of when there is no more room")
  func room() throws {
    let scene = try Scene(cache: FilterFileCache(bytes: 7, count: 3))
    for name in ["a", "b", "c"] { try scene.write(name, "abc") }
    func inode(_ ready: FilterFiles.Ready) throws -> UInt64 {
      try FileStatus(of: ready.descriptor).inode
    }
    let a = try scene.read("a")
    let b = try scene.read("b")
    #expect(try inode(scene.read("a")) == inode(a))
    // Nine bytes are too many: b goes.
    let c = try scene.read("c")
    #expect(try inode(scene.read("a")) == inode(a))
    #expect(try inode(scene.read("c")) == inode(c))
    #expect(try inode(scene.read("b")) != inode(b))
  }

  @Test("a single file larger than the room is kept all the same, and the count is held")
  func roomForOne() throws {
    let scene = try Scene(cache: FilterFileCache(bytes: 1, count: 1))
    try scene.write("a", "abc")
    try scene.write("b", "abc")
    let a = try scene.read("a")
    let again = try scene.read("a")
    #expect(
      try FileStatus(of: a.descriptor).inode == FileStatus(of: again.descriptor).inode)
    let b = try scene.read("b")
    #expect(
      try FileStatus(of: scene.read("a").descriptor).inode != FileStatus(of: a.descriptor).inode)
    #expect(try Self.readOn(b.descriptor) == "abc")
  }

  /// From the current position to the end.
  private static func readOn(_ file: OwnedDescriptor) throws -> String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = try FileTransfer.read(file, into: &buffer)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
