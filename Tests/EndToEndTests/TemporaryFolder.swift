import Digest
import Glibc
import SystemSupport

/// A folder of its own for one test, removed with everything in it afterwards.
final class TemporaryFolder: Sendable {
  let path: String
  let directory: Directory

  init() throws {
    path = "/tmp/minilab-e2e-\(RandomBytes.hex(8))"
    directory = try Directory(path: path, creating: true)
    // Tests that give up root's rights still have to get in.
    unsafe chmod(path, 0o755)
  }

  deinit {
    let name = path.dropFirst("/tmp/".count)
    try? Directory(path: "/tmp").removeTree(Array(name.utf8))
  }

  /// Writes a file, with the folders above it.
  func write(_ name: String, _ bytes: [UInt8]) throws { try write(Array(name.utf8), bytes) }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: [UInt8], _ bytes: [UInt8]) throws {
    let slash = name.lastIndex(of: UInt8(ascii: "/"))
    let parent =
      try slash.map { try directory.makeDirectories(Array(name[..<$0])) } ?? directory
    let file = try parent.openBeneath(
      slash.map { Array(name[($0 + 1)...]) } ?? name, flags: O_WRONLY | O_CREAT | O_TRUNC,
      mode: 0o644)
    try FileTransfer.writeAll(file, bytes)
  }

  func makeFolder(_ name: String) throws {
    _ = try directory.makeDirectories(Array(name.utf8))
  }

  func read(_ name: String) throws -> [UInt8] {
    try FileTransfer.readAll(
      try directory.openBeneath(Array(name.utf8), flags: O_RDONLY), limit: 1 << 30)
  }

  func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

  func digest(_ name: String) throws -> String { SHA256Value.of(try read(name)).hex }

  /// nil when nothing has the name.
  func status(_ name: String) throws -> FileStatus? { try directory.status(Array(name.utf8)) }

  func remove(_ name: String) throws { try directory.remove(Array(name.utf8)) }

  /// Gives a file the content that it has and the present time.
  func touch(_ name: String) throws { try write(name, try read(name)) }

  func link(_ name: String, to target: String) throws {
    try SystemError.retrying("symlink") { unsafe symlink(target, path + "/" + name) }
  }

  func pipe(_ name: String) throws {
    try SystemError.retrying("mkfifo") { unsafe mkfifo(path + "/" + name, 0o644) }
  }

  /// The paths of everything in a folder that is no folder, as bytes, sorted.
  func files(in name: String) throws -> [[UInt8]] {
    guard try status(name) != nil else { return [] }
    var result: [[UInt8]] = []
    try Self.collect(try directory.openDirectory(Array(name.utf8)), [], &result)
    return result.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func collect(
    _ directory: Directory, _ prefix: [UInt8], _ result: inout [[UInt8]]
  ) throws {
    for entry in try directory.entries() {
      let path = prefix + entry.name
      if entry.kind == .directory {
        try collect(
          try directory.openDirectory(entry.name), path + [UInt8(ascii: "/")], &result)
      } else {
        result.append(path)
      }
    }
  }
}
