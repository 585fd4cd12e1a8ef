import CSystem
import Glibc

/// An open directory; everything below it is named from here and can't lead outside.
///
/// Paths are bytes relative to it. No symbolic link is followed, except in `init(path:)`.
package final class Directory: Sendable {
  package let descriptor: OwnedDescriptor

  /// Takes a descriptor that was opened for reading on a directory.
  package init(descriptor: OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// Opens a root that the user named, following links; with `creating`, makes what is missing.
  package convenience init(path: String, creating: Bool = false) throws(SystemError) {
    try self.init(path: Array(path.utf8), creating: creating)
  }

  /// As `init(path:creating:)`, for names that are not UTF-8.
  package convenience init(path: [UInt8], creating: Bool = false) throws(SystemError) {
    var result = try Self.openRoot(path)
    if result == -ENOENT, creating {
      try Self.makeRoot(path)
      result = try Self.openRoot(path)
    }
    self.init(descriptor: OwnedDescriptor(owning: try SystemError.check("open", path, result)))
  }

  /// Where the directory is now, for libraries that open files by their paths.
  package func realPath() throws(SystemError) -> [UInt8] {
    var room = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try SystemError.retrying("readlink") {
      unsafe readlink("/proc/self/fd/\(descriptor.rawValue)", &room, room.count)
    }
    return room.prefix(Int(count)).map { UInt8(bitPattern: $0) }
  }

  /// Throws EXDEV when the path would leave, ELOOP when it meets a symbolic link.
  package func openBeneath(
    _ path: [UInt8], flags: Int32, mode: UInt32 = 0
  ) throws(SystemError) -> OwnedDescriptor {
    try ConfinedOpen.open(in: descriptor, path, flags: flags, mode: mode)
  }

  package func openDirectory(_ path: [UInt8]) throws(SystemError) -> Directory {
    Directory(descriptor: try openBeneath(path, flags: O_RDONLY | O_DIRECTORY))
  }

  /// Makes every missing directory of a path durable, with the umask's mode, and opens the last.
  ///
  /// An empty path is this directory.
  package func makeDirectories(_ path: [UInt8]) throws(SystemError) -> Directory {
    guard path.first != UInt8(ascii: "/") else { throw SystemError("mkdir", EXDEV, path) }
    var current = self
    for name in path.pathComponents {
      guard name.isPlainName else { throw SystemError("mkdir", EXDEV, path) }
      do {
        current = try current.openDirectory(name)
      } catch let error where error.isNotFound {
        let made = try unsafe name.withPath { name in
          SystemError.uninterrupted {
            unsafe mkdirat(current.descriptor.rawValue, name, 0o777) == 0 ? 0 : -errno
          }
        }
        // Somebody else may have made it just now.
        if made != -EEXIST { try SystemError.check("mkdir", path, made) }
        try current.synchronize()
        current = try current.openDirectory(name)
      }
    }
    return current
  }

  /// What is under a path, not following a last symbolic link; nil when nothing is.
  package func status(_ path: [UInt8]) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(of: openBeneath(path, flags: minilab_o_path))
    } catch let error where error.isNotFound {
      return nil
    }
  }

  /// Makes names that were added or removed here durable.
  package func synchronize() throws(SystemError) {
    do {
      try FileTransfer.synchronize(descriptor)
    } catch let error where error.errno == EINVAL {
      // The file system has no such thing for directories.
    }
  }

  /// The open directory and last name of a path beneath this one.
  func parent(of path: [UInt8]) throws(SystemError) -> (Directory, name: [UInt8]) {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { Array(path[($0 + 1)...]) } ?? path
    guard name.isPlainName else { throw SystemError("path", EINVAL, path) }
    guard let slash else { return (self, name) }
    guard slash > 0 else { throw SystemError("path", EXDEV, path) }
    return (try openDirectory(Array(path[..<slash])), name)
  }

  private static func openRoot(_ path: [UInt8]) throws(SystemError) -> Int32 {
    try unsafe path.withPath { path in
      SystemError.uninterrupted {
        unsafe minilab_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
      }
    }
  }

  /// Makes a root and the directories above it; links and `..` in it mean what they always mean.
  private static func makeRoot(_ path: [UInt8]) throws(SystemError) {
    let made = try unsafe path.withPath { path in
      SystemError.uninterrupted { unsafe mkdir(path, 0o777) == 0 ? 0 : -errno }
    }
    var above = path
    while above.last == UInt8(ascii: "/") { above.removeLast() }
    while let last = above.last, last != UInt8(ascii: "/") { above.removeLast() }
    if above.isEmpty { above = [UInt8(ascii: ".")] }
    if made == -ENOENT, above.count < path.count {
      try makeRoot(above)
      return try makeRoot(path)
    }
    if made != -EEXIST { try SystemError.check("mkdir", path, made) }
    try Directory(path: above).synchronize()
  }
}
