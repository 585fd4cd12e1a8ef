import Glibc
import SystemSupport
import Testing

@Suite struct DirectoryTests {
  let folder: TemporaryFolder
  var root: Directory { folder.directory }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func bytes(_ name: String) -> [UInt8] { Array(name.utf8) }

  @Test("missing directories are made, existing ones kept")
  func makeDirectories() throws {
    _ = try root.makeDirectories(bytes("a/b"))
    try folder.write("a/b/file", "kept")
    let deepest = try root.makeDirectories(bytes("a/b/c/d"))
    #expect(try root.status(bytes("a/b/c/d"))?.inode == FileStatus(of: deepest.descriptor).inode)
    #expect(try folder.read("a/b/file") == "kept")
    #expect(try root.makeDirectories([]) === root)
  }

  @Test(
    "directories are made neither outside, nor through a link, nor over a file",
    arguments: [("../x", EXDEV), ("/tmp/x", EXDEV), ("link/x", ELOOP), ("file/x", ENOTDIR)])
  func makeDirectoriesRefused(path: String, code: Int32) throws {
    let outside = try TemporaryFolder()
    try folder.link("link", to: outside.path)
    try folder.write("file", "")
    let thrown = failure { _ = try root.makeDirectories(bytes(path)) }
    // A link where a directory should be is refused either as a link or as no directory.
    #expect(thrown == code || (code == ELOOP && thrown == ENOTDIR))
    #expect(try outside.directory.entries().isEmpty)
  }

  @Test("a root is made with everything above it")
  func creatingRoot() throws {
    let path = folder.path + "/x/y//z/"
    #expect(failure { _ = try Directory(path: path) } == ENOENT)
    let made = try Directory(path: path, creating: true)
    #expect(try root.status(bytes("x/y/z"))?.inode == FileStatus(of: made.descriptor).inode)
    _ = try Directory(path: path, creating: true)
  }

  @Test("a root that is a file is refused")
  func rootIsFile() throws {
    try folder.write("file", "")
    #expect(failure { _ = try Directory(path: folder.path + "/file", creating: true) } == ENOTDIR)
  }

  @Test("status tells kind and size, and does not follow a last link")
  func status() throws {
    try folder.write("a/file", "12345")
    try folder.link("link", to: "a/file")
    try folder.link("dangling", to: "none")
    let file = try root.status(bytes("a/file"))
    #expect(file?.kind == .regular)
    #expect(file?.size == 5)
    #expect(try root.status(bytes("a"))?.kind == .directory)
    #expect(try root.status(bytes("link"))?.kind == .symbolicLink)
    #expect(try root.status(bytes("dangling"))?.kind == .symbolicLink)
    #expect(try root.status(bytes("none")) == nil)
    #expect(try root.status(bytes("none/none")) == nil)
    #expect(failure { _ = try root.status(bytes("../x")) } == EXDEV)
  }

  @Test("times are in nanoseconds since 1970")
  func times() throws {
    try folder.write("file", "")
    let file = try root.openBeneath(bytes("file"), flags: O_RDWR)
    let times = [timespec(), timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789)]
    #expect(unsafe futimens(file.rawValue, times) == 0)
    #expect(try FileStatus(of: file).modified == 1_000_000_000_123_456_789)
    #expect(try FileStatus(of: file).changed > 1_700_000_000_000_000_000)
  }

  @Test("rename replaces, also across directories")
  func rename() throws {
    try folder.write("staging/new", "new")
    try folder.write("final/name", "old")
    let final = try root.openDirectory(bytes("final"))
    try root.rename(bytes("staging/new"), to: final, bytes("name"))
    #expect(try folder.read("final/name") == "new")
    #expect(try root.status(bytes("staging/new")) == nil)
    try root.synchronize()
  }

  @Test("rename without replacing leaves a taken name as it is")
  func renameNoReplace() throws {
    try folder.write("new", "new")
    try folder.write("old", "old")
    #expect(
      failure { try root.renameNoReplace(bytes("new"), to: root, bytes("old")) } == EEXIST)
    #expect(try folder.read("old") == "old")
    #expect(try folder.read("new") == "new")
    try root.renameNoReplace(bytes("new"), to: root, bytes("free"))
    #expect(try folder.read("free") == "new")
  }

  @Test(
    "names that lead elsewhere are refused by rename and remove",
    arguments: ["..", ".", "", "a/..", "/etc/hostname", "../x", "link/x"])
  func namesRefused(name: String) throws {
    let outside = try TemporaryFolder()
    try outside.write("x", "untouched")
    try folder.write("file", "")
    try folder.write("a/inner", "")
    try folder.link("link", to: outside.path)
    #expect(throws: SystemError.self) { try root.rename(bytes("file"), to: root, bytes(name)) }
    #expect(throws: SystemError.self) { try root.rename(bytes(name), to: root, bytes("y")) }
    #expect(throws: SystemError.self) {
      try root.renameNoReplace(bytes("file"), to: root, bytes(name))
    }
    #expect(throws: SystemError.self) { try root.remove(bytes(name)) }
    #expect(throws: SystemError.self) { try root.removeTree(bytes(name)) }
    #expect(try outside.read("x") == "untouched")
    #expect(try root.status(bytes("a/inner")) != nil)
  }

  @Test("a tree is removed without following its links")
  func removeTree() throws {
    let outside = try TemporaryFolder()
    try outside.write("precious", "kept")
    try folder.write("tree/a/b/c", "")
    try folder.write("tree/d", "")
    try folder.link("tree/link", to: outside.path)
    try folder.write("other", "")
    try root.removeTree(bytes("tree"))
    #expect(try root.entries().map(\.name) == [bytes("other")])
    #expect(try outside.read("precious") == "kept")
    #expect(failure { try root.removeTree(bytes("tree")) } == ENOENT)
  }

  @Test("removing a tree that is a link removes the link")
  func removeLink() throws {
    let outside = try TemporaryFolder()
    try outside.write("precious", "kept")
    try folder.link("link", to: outside.path)
    try root.removeTree(bytes("link"))
    #expect(try root.entries().isEmpty)
    #expect(try outside.read("precious") == "kept")
  }

  @Test("entries have names and kinds, and can be read again")
  func entries() throws {
    try folder.write("file", "")
    try folder.write("sub/x", "")
    try folder.link("link", to: "file")
    #expect(unsafe mkfifo(folder.path + "/pipe", 0o600) == 0)
    for _ in 1...2 {
      let kinds = try root.entries().map { (String(decoding: $0.name, as: UTF8.self), $0.kind) }
      #expect(
        Dictionary(uniqueKeysWithValues: kinds)
          == ["file": .regular, "sub": .directory, "link": .symbolicLink, "pipe": .other])
    }
  }

  @Test("a folder that takes no file says why, and none is left in one that does")
  func trial() async throws {
    #expect(root.writingRefusal() == nil)
    #expect(try root.entries().isEmpty)
    await #expect(processExitsWith: .exitCode(EMFILE)) {
      let folder = try TemporaryFolder()
      try ProcessControl.setLimit(.openFiles, soft: 3, hard: 64)
      let refusal = folder.directory.writingRefusal()
      try ProcessControl.setLimit(.openFiles, soft: 64, hard: 64)
      _ = consume folder
      exit(refusal?.errno ?? 0)
    }
    await #expect(processExitsWith: .exitCode(EFBIG)) {
      let folder = try TemporaryFolder()
      signal(SIGXFSZ, SIG_IGN)
      try ProcessControl.setLimit(.fileSize, soft: 5000, hard: 5000)
      let refusal = folder.directory.writingRefusal()
      _ = consume folder
      exit(refusal?.errno ?? 0)
    }
  }
}
