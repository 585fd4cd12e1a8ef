import CSystem
import Glibc

/// Moving bytes between descriptors and memory; interrupted calls are repeated.
package enum FileTransfer {
  /// All bytes from the beginning, or what is left of a pipe; throws EFBIG beyond the limit.
  package static func readAll(
    _ descriptor: OwnedDescriptor, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(max(limit, 1), 65_536))
    var isSeekable = true
    while true {
      let count: Int
      if isSeekable {
        do {
          count = try readPiece(descriptor, at: result.count, into: &piece)
        } catch let error where error.errno == ESPIPE {
          isSeekable = false
          continue
        }
      } else {
        count = try readPiece(descriptor, at: nil, into: &piece)
      }
      if count == 0 { return result }
      guard result.count + count <= limit else {
        throw SystemError(operation: "read", errno: EFBIG)
      }
      result += piece[..<count]
    }
  }

  /// Reads at the current position; 0 is the end.
  package static func read(
    _ descriptor: OwnedDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    try SystemError.retrying("read") {
      unsafe Glibc.read(descriptor.rawValue, buffer.baseAddress, buffer.count)
    }
  }

  /// Writes every byte at the current position.
  package static func writeAll(
    _ descriptor: OwnedDescriptor, _ bytes: [UInt8]
  ) throws(SystemError) {
    try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
      try unsafe writeAll(descriptor, UnsafeRawBufferPointer(bytes))
    }
  }

  /// Writes every byte at the current position.
  package static func writeAll(
    _ descriptor: OwnedDescriptor, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try SystemError.retrying("write") {
        unsafe write(descriptor.rawValue, rest.baseAddress, rest.count)
      }
    }
  }

  /// Makes content and size durable.
  package static func synchronize(_ descriptor: OwnedDescriptor) throws(SystemError) {
    try SystemError.retrying("fsync") { fsync(descriptor.rawValue) }
  }

  /// Makes content, and what is needed to read it, durable.
  package static func synchronizeData(_ descriptor: OwnedDescriptor) throws(SystemError) {
    try SystemError.retrying("fdatasync") { fdatasync(descriptor.rawValue) }
  }

  /// Makes everything on the file system that holds the descriptor durable.
  package static func synchronizeFileSystem(_ descriptor: OwnedDescriptor) throws(SystemError) {
    let result = SystemError.uninterrupted { minilab_syncfs(descriptor.rawValue) }
    try SystemError.check("syncfs", result)
  }

  /// Reserves space for a file of this many bytes; throws ENOSPC rather than later.
  package static func allocate(
    _ descriptor: OwnedDescriptor, bytes: Int64
  ) throws(SystemError) {
    guard bytes > 0 else { return }
    while true {
      // Answers with the error itself, not through errno.
      let error = posix_fallocate(descriptor.rawValue, 0, off_t(bytes))
      if error == 0 { return }
      if error != EINTR { throw SystemError(operation: "fallocate", errno: error) }
    }
  }

  private static func readPiece(
    _ descriptor: OwnedDescriptor, at offset: Int?, into piece: inout [UInt8]
  ) throws(SystemError) -> Int {
    try unsafe piece.withUnsafeMutableBufferPointer { (room) throws(SystemError) -> Int in
      let room = UnsafeMutableRawBufferPointer(room)
      guard let offset else { return try unsafe read(descriptor, into: room) }
      return try unsafe readPiece(descriptor, at: offset, into: room)
    }
  }

  static func readPiece(
    _ descriptor: OwnedDescriptor, at offset: Int, into room: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    try SystemError.retrying("read") {
      unsafe pread(descriptor.rawValue, room.baseAddress, room.count, off_t(offset))
    }
  }
}
