import CSystem
import Glibc

/// Opening a path that must stay beneath a directory and go through no symbolic link.
package enum ConfinedOpen {
  /// Asks the kernel for it, or walks name by name where it can't.
  package static func open(
    in directory: OwnedDescriptor, _ path: [UInt8], flags: Int32, mode: UInt32
  ) throws(SystemError) -> OwnedDescriptor {
    do {
      return try kernel(in: directory, path, flags: flags, mode: mode)
    } catch let error where error.errno == ENOSYS || error.errno == EPERM {
      // Old container runtimes answer unknown calls with EPERM.
      return try walk(in: directory, path, flags: flags, mode: mode)
    }
  }

  /// One `openat2`: throws EXDEV when the path leaves, ELOOP at a link, ENOSYS before Linux 5.6.
  package static func kernel(
    in directory: OwnedDescriptor, _ path: [UInt8], flags: Int32, mode: UInt32
  ) throws(SystemError) -> OwnedDescriptor {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW
    // openat2, unlike open, refuses a mode that nothing uses.
    let mode = flags & O_CREAT != 0 ? mode : 0
    var result: Int32 = 0
    // EAGAIN: something was renamed meanwhile, so the kernel can't be sure.
    for _ in 0..<16 {
      result = try unsafe path.withPath { path in
        unsafe minilab_open_beneath(directory.rawValue, path, flags, mode)
      }
      if result != -EAGAIN && result != -EINTR { break }
    }
    return OwnedDescriptor(owning: try SystemError.check("open", path, result))
  }

  /// One `openat` a name; same answers, but `..` is never accepted, even where it would stay beneath.
  package static func walk(
    in directory: OwnedDescriptor, _ path: [UInt8], flags: Int32, mode: UInt32
  ) throws(SystemError) -> OwnedDescriptor {
    guard path.first != UInt8(ascii: "/") else { throw SystemError("open", EXDEV, path) }
    var components = path.pathComponents
    guard !components.contains(Array("..".utf8)) else { throw SystemError("open", EXDEV, path) }
    let last = components.popLast() ?? path
    var current = directory
    for name in components {
      let next = try openName(name, in: current, flags: minilab_o_path, mode: 0, path: path)
      switch try FileStatus(of: next).kind {
      case .directory: current = next
      case .symbolicLink: throw SystemError("open", ELOOP, path)
      case .regular, .other: throw SystemError("open", ENOTDIR, path)
      }
    }
    let wantsDirectory = path.last == UInt8(ascii: "/") ? O_DIRECTORY : 0
    return try openName(last, in: current, flags: flags | wantsDirectory, mode: mode, path: path)
  }

  private static func openName(
    _ name: [UInt8], in directory: OwnedDescriptor, flags: Int32, mode: UInt32, path: [UInt8]
  ) throws(SystemError) -> OwnedDescriptor {
    var result: Int32
    repeat {
      result = try unsafe name.withPath { name in
        unsafe minilab_openat(directory.rawValue, name, flags | O_CLOEXEC | O_NOFOLLOW, mode)
      }
    } while result == -EINTR
    return OwnedDescriptor(owning: try SystemError.check("open", path, result))
  }
}
