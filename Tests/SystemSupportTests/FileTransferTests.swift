import Glibc
import SystemSupport
import Testing

@Suite struct FileTransferTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func create(_ name: String, _ flags: Int32 = 0) throws -> OwnedDescriptor {
    try folder.directory.openBeneath(
      Array(name.utf8), flags: O_RDWR | O_CREAT | flags, mode: 0o644)
  }

  @Test("reading everything starts at the beginning, wherever the position is")
  func readAll() throws {
    let content = String(repeating: "0123456789", count: 20_000)
    let file = try memoryFile(content)
    #expect(try text(file) == content)
    #expect(try text(file) == content)
  }

  @Test("a pipe is read to its end")
  func readPipe() throws {
    let (reading, writing) = try makePipe()
    let writer = try ChildProcess.spawn(
      path: "/usr/bin/head", arguments: ["-c", "200000", "/dev/zero"], environment: [],
      descriptors: [(source: writing.rawValue, target: 1)])
    _ = consume writing
    let bytes = try FileTransfer.readAll(reading, limit: 200_000)
    #expect(bytes.count == 200_000)
    #expect(try writer.wait().status == .exited(0))
  }

  @Test("more than the limit is refused, the limit itself is not")
  func limit() throws {
    let file = try memoryFile("12345")
    #expect(try FileTransfer.readAll(file, limit: 5).count == 5)
    #expect(failure { _ = try FileTransfer.readAll(file, limit: 4) } == EFBIG)
    #expect(try FileTransfer.readAll(memoryFile(""), limit: 0).isEmpty)
  }

  @Test("a copy takes the first bytes and leaves the source's position alone")
  func copy() throws {
    let source = try memoryFile("0123456789")
    let target = try create("target")
    try FileTransfer.writeAll(target, Array("<".utf8))
    try FileTransfer.copy(from: source, to: target, count: 8)
    #expect(try folder.read("target") == "<01234567")
    #expect(lseek(source.rawValue, 0, SEEK_CUR) == 10)
  }

  @Test("a target that the kernel can't join is written through memory")
  func copyAppending() throws {
    let content = String(repeating: "abcdefg", count: 100_000)
    let target = try create("target", O_APPEND)
    try FileTransfer.copy(from: memoryFile(content), to: target, count: 700_000)
    #expect(try folder.read("target") == content)
  }

  @Test("a source that is too short is an error, not a short copy", arguments: [0, O_APPEND])
  func shortSource(flags: Int32) throws {
    let target = try create("target", flags)
    let source = try memoryFile("12345")
    #expect(
      failure { try FileTransfer.copy(from: source, to: target, count: 6) } == ENODATA)
  }

  @Test("a copy to a full device throws the kernel's answer")
  func copyFull() throws {
    let full = try OwnedDescriptor.open(path: "/dev/full", flags: O_WRONLY)
    let source = try memoryFile("12345")
    #expect(failure { try FileTransfer.copy(from: source, to: full, count: 5) } == ENOSPC)
  }

  @Test("reserved space is there, and nothing is reserved for nothing")
  func allocate() throws {
    let file = try create("file")
    try FileTransfer.allocate(file, bytes: 0)
    #expect(try FileStatus(of: file).size == 0)
    try FileTransfer.allocate(file, bytes: 100_000)
    #expect(try FileStatus(of: file).size == 100_000)
    #expect(failure { try FileTransfer.allocate(file, bytes: 1 << 60) } != nil)
  }

  @Test("synchronizing works on files and fails on what has no storage")
  func synchronize() throws {
    let file = try create("file")
    try FileTransfer.synchronize(file)
    try FileTransfer.synchronizeData(file)
    try FileTransfer.synchronizeFileSystem(file)
    let (reading, _) = try makePipe()
    #expect(failure { try FileTransfer.synchronize(reading) } == EINVAL)
  }

  @Test("a mapped file has the file's bytes, an empty one none")
  func mapped() throws {
    let mapped = try MappedFile(memoryFile("pixels"))
    #expect(unsafe mapped.withBytes { unsafe Array($0) } == Array("pixels".utf8))
    #expect(try unsafe MappedFile(memoryFile("")).withBytes { $0.count } == 0)
    let directory = try OwnedDescriptor.open(path: "/tmp", flags: O_RDONLY)
    #expect(failure { _ = try MappedFile(directory) } == ENODEV)
  }

  @Test("the kind of a file system and who shares it are known by its number")
  func kinds() throws {
    #expect(FileSystemSpace(magic: 0xEF53, available: 1).kindName == "ext4")
    #expect(!FileSystemSpace(magic: 0xEF53, available: 1).isNetwork)
    #expect(FileSystemSpace(magic: 0x6969, available: 1).isNetwork)
    #expect(FileSystemSpace(magic: 0xFF53_4D42, available: 1).kindName == "cifs")
    #expect(FileSystemSpace(magic: 0x6573_5546, available: 1).locality == .unknown)
    #expect(FileSystemSpace(magic: 0x1234, available: 1).kindName == "0x1234")
    // PROC_SUPER_MAGIC, which no table of storage has.
    #expect(try FileSystemSpace(at: Directory(path: "/proc")).kindName == "0x9fa0")
    #expect(try FileSystemSpace(at: Directory(path: "/proc")).available == 0)
  }

  @Test("free space is what the system's own call says")
  func available() throws {
    var space = statvfs()
    #expect(unsafe statvfs(folder.path, &space) == 0)
    let expected = Int64(space.f_bavail) * Int64(space.f_frsize)
    let found = try FileSystemSpace.available(at: folder.directory)
    // Others write meanwhile.
    #expect(abs(found - expected) < 1 << 30)
    #expect(found > 0)
  }
}
