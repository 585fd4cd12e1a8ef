import CSystem
import Glibc

extension FileTransfer {
  /// Copies the first `count` bytes of a file to the target's current position.
  ///
  /// The source's own position is neither used nor moved: another process may share it.
  /// Throws ENODATA when the source has fewer bytes.
  package static func copy(
    from source: OwnedDescriptor, to target: OwnedDescriptor, count: Int64
  ) throws(SystemError) {
    try copy(from: source, to: target, range: 0..<max(0, count))
  }

  /// As `copy(from:to:count:)`, of these bytes.
  package static func copy(
    from source: OwnedDescriptor, to target: OwnedDescriptor, range: Range<Int64>
  ) throws(SystemError) {
    var done = range.lowerBound
    while done < range.upperBound {
      let sent = minilab_sendfile(
        target.rawValue, source.rawValue, done, UInt64(range.upperBound - done))
      if sent == -Int64(EINTR) { continue }
      // Pairs of descriptors that the kernel can't join, such as a target opened for appending.
      if sent == -Int64(EINVAL) || sent == -Int64(ENOSYS) {
        return try copyThroughMemory(from: source, to: target, range: done..<range.upperBound)
      }
      try SystemError.check("sendfile", sent)
      guard sent > 0 else { throw SystemError(operation: "copy", errno: ENODATA) }
      done += sent
    }
  }

  private static func copyThroughMemory(
    from source: OwnedDescriptor, to target: OwnedDescriptor, range: Range<Int64>
  ) throws(SystemError) {
    var piece = [UInt8](repeating: 0, count: 262_144)
    var done = range.lowerBound
    while done < range.upperBound {
      let wanted = Int(min(Int64(piece.count), range.upperBound - done))
      let count = try unsafe piece.withUnsafeMutableBufferPointer {
        (room) throws(SystemError) -> Int in
        let room = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(room)[..<wanted])
        let count = try unsafe readPiece(source, at: Int(done), into: room)
        try unsafe writeAll(
          target, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
        return count
      }
      guard count > 0 else { throw SystemError(operation: "copy", errno: ENODATA) }
      done += Int64(count)
    }
  }
}
