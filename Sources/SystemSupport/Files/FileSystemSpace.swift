import CSystem

/// Which file system a directory is on, and how much room it has.
package struct FileSystemSpace: Sendable, Equatable {
  /// Whether other machines may write to it too.
  package enum Locality: Sendable, Equatable {
    case local
    case network
    /// FUSE and the like: it depends on who serves it.
    case unknown
  }

  /// Bytes free for ordinary users.
  package let available: Int64
  /// `ext4`, `nfs` …, or the kernel's number in hexadecimal.
  package let kindName: String
  package let locality: Locality

  package var isNetwork: Bool { locality == .network }

  package init(at directory: Directory) throws(SystemError) {
    var magic: UInt64 = 0
    var available: Int64 = 0
    try SystemError.check(
      "fstatfs",
      unsafe minilab_file_system(directory.descriptor.rawValue, &magic, &available))
    self.init(magic: magic, available: available)
  }

  package init(magic: UInt64, available: Int64) {
    self.available = available
    let known = Self.known[magic]
    kindName = known?.name ?? "0x" + String(magic, radix: 16)
    locality = known?.locality ?? .unknown
  }

  /// Bytes free for ordinary users.
  package static func available(at directory: Directory) throws(SystemError) -> Int64 {
    try FileSystemSpace(at: directory).available
  }

  // From statfs(2) and the kernel's linux/magic.h.
  private static let known: [UInt64: (name: String, locality: Locality)] = [
    0xEF53: ("ext4", .local),
    0x5846_5342: ("xfs", .local),
    0x9123_683E: ("btrfs", .local),
    0x2FC1_2FC1: ("zfs", .local),
    0xF2F5_2010: ("f2fs", .local),
    0xCA45_1A4E: ("bcachefs", .local),
    0x0102_1994: ("tmpfs", .local),
    0x8584_58F6: ("ramfs", .local),
    0x794C_7630: ("overlay", .local),
    0x4D44: ("vfat", .local),
    0x2011_BAB0: ("exfat", .local),
    0x5346_544E: ("ntfs", .local),
    0x6969: ("nfs", .network),
    0x517B: ("smb", .network),
    0xFF53_4D42: ("cifs", .network),
    0xFE53_4D42: ("smb2", .network),
    0x00C3_6400: ("ceph", .network),
    0x0102_1997: ("9p", .network),
    0x5346_414F: ("afs", .network),
    0x0BD0_0BD0: ("lustre", .network),
    0x4750_4653: ("gpfs", .network),
    0x0116_1970: ("gfs2", .network),
    0x7461_636F: ("ocfs2", .network),
    0x1983_0326: ("beegfs", .network),
    0x786F_4256: ("vboxsf", .network),
    0x6573_5546: ("fuse", .unknown),
  ]
}
