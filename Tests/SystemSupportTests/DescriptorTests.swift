import Glibc
import SystemSupport
import Testing

@Suite struct DescriptorTests {
  @Test("a descriptor is closed with its owner, its duplicate lives on")
  func ownership() throws {
    let (reading, writing) = try makePipe()
    var owner: OwnedDescriptor? = try writing.duplicate()
    let duplicate = try #require(try owner?.duplicate())
    #expect(fcntl(duplicate.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    owner = nil
    try FileTransfer.writeAll(duplicate, [9])
    var byte: [UInt8] = [0]
    #expect(
      try unsafe byte.withUnsafeMutableBytes { try unsafe FileTransfer.read(reading, into: $0) }
        == 1)
    #expect(byte == [9])
  }

  @Test("the last owner of a writing end ends the pipe")
  func closedAtEnd() throws {
    let (reading, writing) = try makePipe()
    try FileTransfer.writeAll(writing, [1, 2])
    _ = consume writing
    #expect(try FileTransfer.readAll(reading, limit: 10) == [1, 2])
  }

  @Test("duplicating a closed number throws")
  func badDescriptor() {
    // Never opened: far beyond the usual limit.
    let bad = OwnedDescriptor(owning: 1_000_000_000)
    #expect(failure { _ = try bad.duplicate() } == EBADF)
  }

  @Test("a sealed memory file can't be changed any more")
  func seal() throws {
    let file = try memoryFile("content")
    #expect(try !MemoryFile.isSealed(file))
    try MemoryFile.seal(file)
    #expect(try MemoryFile.isSealed(file))
    #expect(failure { try FileTransfer.writeAll(file, [1]) } == EPERM)
    #expect(failure { try SystemError.retrying("x") { ftruncate(file.rawValue, 1) } } == EPERM)
    #expect(failure { try MemoryFile.seal(file) } == EPERM)
    #expect(try text(file) == "content")
  }

  @Test("sealing fails while somebody maps the file writable, and works afterwards")
  func sealBusy() throws {
    let file = try memoryFile("content")
    let map = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0)
    #expect(failure { try MemoryFile.seal(file) } == EBUSY)
    unsafe munmap(map, 4096)
    try MemoryFile.seal(file)
  }

  @Test("a file on disk can't be sealed")
  func sealDisk() throws {
    let file = try OwnedDescriptor.open(path: "/etc/hostname", flags: O_RDONLY)
    #expect(failure { try MemoryFile.seal(file) } != nil)
    #expect(failure { _ = try MemoryFile.isSealed(file) } == EINVAL)
  }

  @Test("memory files are closed by exec and have no name that others can open")
  func memoryFlags() throws {
    let file = try MemoryFile.create(name: "render")
    #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    #expect(try FileStatus(of: file).size == 0)
    #expect(try FileStatus(of: file).kind == .regular)
  }
}
