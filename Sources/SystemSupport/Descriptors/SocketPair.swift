import CSystem
import Glibc

/// Two connected local sockets that keep message borders.
package struct SocketPair {
  /// Close-on-exec; both ends are equal.
  package static func make() throws(SystemError) -> (OwnedDescriptor, OwnedDescriptor) {
    var pair: [Int32] = [-1, -1]
    try SystemError.check("socketpair", unsafe minilab_socket_pair(&pair))
    return (OwnedDescriptor(owning: pair[0]), OwnedDescriptor(owning: pair[1]))
  }
}

/// One message that came out of a socket, and the descriptors that travelled with it.
package struct Received: Sendable {
  package let bytes: [UInt8]
  package let descriptors: [OwnedDescriptor]
  /// Bytes or descriptors were lost for want of room; treat the message as forged.
  package let truncated: Bool

  /// The peer closed its end.
  package var isEnd: Bool { bytes.isEmpty && descriptors.isEmpty }
}

/// Messages with descriptors over local sockets.
package enum Socket {
  /// Sends one message whole; throws EAGAIN when it would block and must not, EPIPE at the end.
  ///
  /// An empty message is refused with EINVAL: it would look like the end.
  package static func send(
    _ descriptor: OwnedDescriptor, _ bytes: [UInt8], descriptors: [Int32] = [],
    nonBlocking: Bool = false
  ) throws(SystemError) {
    guard !bytes.isEmpty else { throw SystemError(operation: "sendmsg", errno: EINVAL) }
    let sent = unsafe minilab_send(
      descriptor.rawValue, bytes, UInt64(bytes.count), descriptors, Int32(descriptors.count),
      nonBlocking ? 1 : 0)
    try SystemError.check("sendmsg", sent)
    guard sent == Int64(bytes.count) else {
      throw SystemError(operation: "sendmsg", errno: EMSGSIZE)
    }
  }

  /// As above, keeping the owners alive until the message is on its way.
  ///
  /// Prefer it to numbers taken out of an array of owners: such an array ends at its last use.
  package static func send(
    _ descriptor: OwnedDescriptor, _ bytes: [UInt8], passing owners: [OwnedDescriptor],
    nonBlocking: Bool = false
  ) throws(SystemError) {
    defer { withExtendedLifetime(owners) {} }
    try send(
      descriptor, bytes, descriptors: owners.map(\.rawValue), nonBlocking: nonBlocking)
  }

  /// Takes one message; nil when there is none and it must not block.
  ///
  /// Received descriptors are close-on-exec. A peer that vanished is an end, not an error.
  package static func receive(
    _ descriptor: OwnedDescriptor, maximumBytes: Int, maximumDescriptors: Int,
    nonBlocking: Bool = false
  ) throws(SystemError) -> Received? {
    var numbers = [Int32](repeating: -1, count: maximumDescriptors)
    var numberCount = Int32(maximumDescriptors)
    var truncated: Int32 = 0
    var status: Int64 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: maximumBytes) { room, count in
      status = unsafe minilab_receive(
        descriptor.rawValue, room.baseAddress, UInt64(maximumBytes), &numbers, &numberCount,
        &truncated, nonBlocking ? 1 : 0)
      count = max(0, Int(status))
    }
    if status == -Int64(EAGAIN) { return nil }
    if status == -Int64(ECONNRESET) {
      return Received(bytes: [], descriptors: [], truncated: false)
    }
    try SystemError.check("recvmsg", status)
    return Received(
      bytes: bytes,
      descriptors: numbers.prefix(Int(numberCount)).map { OwnedDescriptor(owning: $0) },
      truncated: truncated != 0)
  }
}
