/// Reading into and writing from a buffer that is used again and again.
extension FileTransfer {
  /// Reads at the current position, at most what the buffer holds; 0 is the end.
  package static func read(
    _ descriptor: OwnedDescriptor, into buffer: inout [UInt8]
  ) throws(SystemError) -> Int {
    try unsafe buffer.withUnsafeMutableBufferPointer { (bytes) throws(SystemError) in
      try unsafe read(descriptor, into: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  /// Writes the first `count` bytes of the buffer at the current position.
  package static func writeAll(
    _ descriptor: OwnedDescriptor, _ buffer: [UInt8], count: Int
  ) throws(SystemError) {
    try unsafe buffer.withUnsafeBufferPointer { (bytes) throws(SystemError) in
      try unsafe writeAll(
        descriptor, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
    }
  }
}
