import CSystem
import Glibc

/// An open descriptor with one owner, closed with it.
package final class OwnedDescriptor: Sendable {
  /// Valid while the owner lives. A named constant lives to the end of its scope; an array of
  /// owners only to its last use, so hold it with `withExtendedLifetime`.
  package let rawValue: Int32

  package init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    // Never retried: Linux frees the number even when close is interrupted.
    close(rawValue)
  }

  /// A second, close-on-exec descriptor of the same open file, sharing its position.
  package func duplicate() throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(owning: try SystemError.check("dup", minilab_duplicate(rawValue)))
  }

  /// Opens a path as given, following links; close-on-exec.
  package static func open(
    path: String, flags: Int32, mode: UInt32 = 0
  ) throws(SystemError) -> OwnedDescriptor {
    let result = try unsafe path.utf8CString.withPath { path in
      unsafe minilab_openat(AT_FDCWD, path, flags | O_CLOEXEC, mode)
    }
    return OwnedDescriptor(owning: try SystemError.check("open", path: path, result))
  }
}
