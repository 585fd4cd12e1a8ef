import CSystem
import Glibc

extension Directory {
  /// One name in a directory.
  package typealias Entry = (name: [UInt8], kind: FileKind)

  /// Gives a file another name, replacing what has it; durable after both are synchronized.
  package func rename(
    _ from: [UInt8], to target: Directory, _ name: [UInt8]
  ) throws(SystemError) {
    let (source, old) = try parent(of: from)
    let (destination, new) = try target.parent(of: name)
    let result = try unsafe withNames(old, new) { old, new in
      unsafe renameat(source.descriptor.rawValue, old, destination.descriptor.rawValue, new) == 0
        ? 0 : -errno
    }
    try SystemError.check("rename", name, result)
  }

  /// As `rename`, but throws EEXIST when the name is taken.
  package func renameNoReplace(
    _ from: [UInt8], to target: Directory, _ name: [UInt8]
  ) throws(SystemError) {
    let (source, old) = try parent(of: from)
    let (destination, new) = try target.parent(of: name)
    let (sourceNumber, targetNumber) = (
      source.descriptor.rawValue, destination.descriptor.rawValue
    )
    let result = try unsafe withNames(old, new) { old, new in
      let renamed = unsafe minilab_rename_no_replace(sourceNumber, old, targetNumber, new)
      // NFS and some FUSE file systems don't know the flag; a hard link never replaces either.
      guard renamed == -EINVAL || renamed == -ENOSYS else { return renamed }
      guard unsafe linkat(sourceNumber, old, targetNumber, new, 0) == 0 else { return -errno }
      return unsafe unlinkat(sourceNumber, old, 0) == 0 ? 0 : -errno
    }
    try SystemError.check("rename", name, result)
  }

  /// Removes a file or link; throws ENOENT when there is none.
  package func remove(_ name: [UInt8]) throws(SystemError) {
    try unlink(name, flags: 0)
  }

  /// Removes a directory; throws ENOTEMPTY when something is in it.
  package func removeDirectory(_ name: [UInt8]) throws(SystemError) {
    try unlink(name, flags: AT_REMOVEDIR)
  }

  /// Removes a file, link or directory with all that is in it, following no link.
  ///
  /// Throws ENOENT when there is none; what disappears meanwhile is no error.
  package func removeTree(_ name: [UInt8]) throws(SystemError) {
    let (parent, last) = try parent(of: name)
    guard let status = try parent.status(last) else { throw SystemError("unlink", ENOENT, name) }
    guard status.kind == .directory else { return try parent.unlink(last, flags: 0) }
    let tree = try parent.openDirectory(last)
    for entry in try tree.entries() {
      do {
        try tree.removeTree(entry.name)
      } catch let error where error.isNotFound {
        continue
      }
    }
    try parent.unlink(last, flags: AT_REMOVEDIR)
  }

  /// All names but `.` and `..`, in no order.
  package func entries() throws(SystemError) -> [Entry] {
    var stream: UnsafeMutableRawPointer?
    let opened = SystemError.uninterrupted {
      unsafe minilab_directory_open(descriptor.rawValue, &stream)
    }
    try SystemError.check("opendir", opened)
    defer { unsafe minilab_directory_close(stream) }
    var result: [Entry] = []
    var name = [CChar](repeating: 0, count: 256)
    var type: Int32 = 0
    while true {
      let more = SystemError.uninterrupted {
        unsafe minilab_directory_next(stream, &name, &type)
      }
      guard try SystemError.check("readdir", more) == 1 else { return result }
      let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      // The name may be gone by now; then it isn't there.
      guard let kind = try kind(type: type, name: bytes) else { continue }
      result.append((name: bytes, kind: kind))
    }
  }

  /// Whether it has no names but `.` and `..`; stops at the first.
  package func isEmpty() throws(SystemError) -> Bool {
    var stream: UnsafeMutableRawPointer?
    try SystemError.check("opendir", unsafe minilab_directory_open(descriptor.rawValue, &stream))
    defer { unsafe minilab_directory_close(stream) }
    var name = [CChar](repeating: 0, count: 256)
    var type: Int32 = 0
    let more = unsafe minilab_directory_next(stream, &name, &type)
    return try SystemError.check("readdir", more) == 0
  }

  private func kind(type: Int32, name: [UInt8]) throws(SystemError) -> FileKind? {
    switch Int(type) {
    case Int(DT_REG): .regular
    case Int(DT_DIR): .directory
    case Int(DT_LNK): .symbolicLink
    // Some file systems don't say.
    case Int(DT_UNKNOWN): try status(name)?.kind
    default: .other
    }
  }

  private func unlink(_ path: [UInt8], flags: Int32) throws(SystemError) {
    let (parent, name) = try parent(of: path)
    let result = try unsafe name.withPath { name in
      SystemError.uninterrupted {
        unsafe unlinkat(parent.descriptor.rawValue, name, flags) == 0 ? 0 : -errno
      }
    }
    try SystemError.check("unlink", path, result)
  }

  private func withNames(
    _ first: [UInt8], _ second: [UInt8],
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) -> Int32 {
    try unsafe first.withPath { (first) throws(SystemError) -> Int32 in
      try unsafe second.withPath { second in
        SystemError.uninterrupted { unsafe body(first, second) }
      }
    }
  }
}
