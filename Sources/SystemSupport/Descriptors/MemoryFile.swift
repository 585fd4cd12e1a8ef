import CSystem

/// Files in memory that can be made unchangeable for good.
package enum MemoryFile {
  /// An empty one; close-on-exec, sealable, and never executable where the kernel knows how.
  package static func create(name: String) throws(SystemError) -> OwnedDescriptor {
    let result = try unsafe name.utf8CString.withPath { name in unsafe minilab_memfd_create(name) }
    return OwnedDescriptor(owning: try SystemError.check("memfd_create", path: name, result))
  }

  /// Forbids shrinking, growing, writing and further seals, to everyone and for ever.
  ///
  /// Throws EBUSY while any process maps the file writable.
  package static func seal(_ descriptor: OwnedDescriptor) throws(SystemError) {
    try SystemError.check("seal", minilab_memfd_seal(descriptor.rawValue))
  }

  /// Throws EINVAL for a descriptor that isn't a memory file.
  package static func isSealed(_ descriptor: OwnedDescriptor) throws(SystemError) -> Bool {
    try SystemError.check("seals", minilab_memfd_is_sealed(descriptor.rawValue)) == 1
  }
}
