import Glibc

/// What a name stands for.
package enum FileKind: Sendable, Equatable {
  case regular
  case directory
  case symbolicLink
  /// A device, pipe or socket.
  case other

  init(mode: UInt32) {
    switch mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    default: self = .other
    }
  }
}

/// What the kernel says about a file.
package struct FileStatus: Sendable, Equatable {
  package let kind: FileKind
  /// Bytes.
  package let size: Int64
  package let inode: UInt64
  package let device: UInt64
  /// Nanoseconds since 1970.
  package let modified: Int64
  /// Nanoseconds since 1970, of the last change to content, name count or mode.
  package let changed: Int64
  /// Permission bits and kind, as `st_mode`.
  package let mode: UInt32

  package init(of descriptor: OwnedDescriptor) throws(SystemError) {
    var raw = stat()
    try SystemError.retrying("fstat") { unsafe fstat(descriptor.rawValue, &raw) }
    self.init(raw)
  }

  init(_ raw: stat) {
    kind = FileKind(mode: raw.st_mode)
    size = Int64(raw.st_size)
    inode = UInt64(raw.st_ino)
    device = UInt64(raw.st_dev)
    modified = Self.nanoseconds(raw.st_mtim)
    changed = Self.nanoseconds(raw.st_ctim)
    mode = raw.st_mode
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    // A file may claim any year: wrap rather than trap.
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
