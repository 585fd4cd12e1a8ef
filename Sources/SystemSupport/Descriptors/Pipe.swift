import CSystem
import Glibc

/// A one-way channel of bytes that never blocks either end.
package enum Pipe {
  /// The reading and the writing end; what a full pipe cannot take is lost to the writer.
  package static func makeNonBlocking() throws(SystemError) -> (OwnedDescriptor, OwnedDescriptor) {
    var ends: [Int32] = [-1, -1]
    try SystemError.check("pipe2", unsafe minilab_pipe(&ends))
    return (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
  }

  /// What is in the pipe now, at most what a pipe holds.
  package static func drain(_ end: OwnedDescriptor) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { room, count in
      count = max(0, unsafe read(end.rawValue, room.baseAddress, room.count))
    }
  }
}
