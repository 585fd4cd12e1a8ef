/// What tells that a file is still the one whose digest is known, as git's index does.
///
/// No device number: it changes when a file system is mounted again.
package struct FileIdentity: Hashable, Sendable, Codable {
  package var inode: UInt64
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64
  /// Nanoseconds since 1970.
  package var changed: Int64

  package init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}
