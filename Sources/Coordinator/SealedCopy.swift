import Digest
import SystemSupport

/// The bytes of an open file, read once: their digest and, if wanted, a copy that nobody can change.
struct SealedCopy: Sendable {
  var sha256: String
  /// nil when none was wanted.
  var descriptor: OwnedDescriptor?

  /// Reads to the end from the current position; nil when the file changed meanwhile.
  static func read(
    _ file: OwnedDescriptor, _ status: FileStatus, copyNamed name: String?
  ) throws(SystemError) -> SealedCopy? {
    var copy: OwnedDescriptor?
    if let name { copy = try MemoryFile.create(name: name) }
    let digest = SHA256Digest()
    var total: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try FileTransfer.read(file, into: &buffer)
      if count == 0 { break }
      unsafe buffer.withUnsafeBytes {
        unsafe digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      if let copy { try FileTransfer.writeAll(copy, buffer, count: count) }
      total += Int64(count)
      if total > status.size { break }
    }
    guard total == status.size, try FileStatus(of: file).isUnchanged(since: status) else {
      return nil
    }
    if let copy { try MemoryFile.seal(copy) }
    return SealedCopy(sha256: digest.finalize().hex, descriptor: copy)
  }
}
