import Glibc

/// The bytes of a file mapped for reading.
///
/// Only for sealed memory files: if somebody cuts a mapped file, reading it ends the process.
@safe package final class MappedFile: Sendable {
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer?
  package let count: Int

  package init(_ descriptor: OwnedDescriptor) throws(SystemError) {
    let size = try FileStatus(of: descriptor).size
    guard let count = Int(exactly: size) else {
      throw SystemError(operation: "mmap", errno: EOVERFLOW)
    }
    self.count = count
    guard count > 0 else {
      unsafe self.start = nil
      return
    }
    let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0)
    // MAP_FAILED is a cast macro; it is -1 as an address.
    guard let address = unsafe address, UInt(bitPattern: address) != UInt.max else {
      throw SystemError(operation: "mmap", errno: errno)
    }
    unsafe self.start = address
  }

  deinit {
    if let start = unsafe start { unsafe munmap(start, count) }
  }

  /// Lends the bytes; the pointer is invalid afterwards.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
  }
}
