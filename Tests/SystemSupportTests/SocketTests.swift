import Glibc
import SystemSupport
import Testing

@Suite struct SocketTests {
  let near: OwnedDescriptor
  let far: OwnedDescriptor

  init() throws {
    (near, far) = try SocketPair.make()
  }

  private func receive(bytes: Int = 100, descriptors: Int = 0) throws -> Received? {
    try Socket.receive(
      far, maximumBytes: bytes, maximumDescriptors: descriptors, nonBlocking: true)
  }

  @Test("messages keep their borders and order")
  func borders() throws {
    try Socket.send(near, [1, 2, 3])
    try Socket.send(near, [4])
    #expect(try receive()?.bytes == [1, 2, 3])
    #expect(try receive()?.bytes == [4])
    #expect(try receive() == nil)
  }

  @Test("descriptors arrive in order, open, and closed by exec", arguments: [1, 2, 3, 253])
  func descriptors(count: Int) throws {
    let files = try (0..<count).map { try memoryFile("file \($0)") }
    try Socket.send(near, [0], passing: files)
    let received = try #require(try receive(descriptors: count))
    #expect(!received.truncated)
    #expect(try received.descriptors.map(text) == (0..<count).map { "file \($0)" })
    #expect(received.descriptors.allSatisfy { fcntl($0.rawValue, F_GETFD) & FD_CLOEXEC != 0 })
  }

  @Test("too many descriptors or a closed one are refused by the sender")
  func refused() throws {
    let many = [Int32](repeating: near.rawValue, count: 254)
    #expect(failure { try Socket.send(near, [0], descriptors: many) } == EINVAL)
    #expect(failure { try Socket.send(near, [0], descriptors: [1_000_000_000]) } == EBADF)
    #expect(failure { try Socket.send(near, []) } == EINVAL)
    #expect(try receive() == nil)
  }

  @Test("a message longer than the room is marked")
  func longMessage() throws {
    try Socket.send(near, [1, 2, 3, 4])
    let received = try #require(try receive(bytes: 3))
    #expect(received.truncated)
    #expect(received.bytes == [1, 2, 3])
  }

  @Test("descriptors beyond the room are closed, and the loss is marked", arguments: [0, 1, 2])
  func surplus(room: Int) throws {
    let files = try (0..<room).map { try memoryFile("\($0)") }
    let (reading, writing) = try makePipe()
    try Socket.send(near, [0], passing: files + [writing])
    _ = consume writing
    let received = try #require(try receive(descriptors: room))
    #expect(received.truncated)
    #expect(received.descriptors.count == room)
    // The pipe ends only when no writing end is left anywhere.
    #expect(try FileTransfer.readAll(reading, limit: 1).isEmpty)
  }

  @Test("a closed peer is an end for the reader and an error for the writer")
  func closedPeer() throws {
    let (mine, theirs) = try SocketPair.make()
    try Socket.send(theirs, [7])
    _ = consume theirs
    let last = try Socket.receive(mine, maximumBytes: 10, maximumDescriptors: 1)
    #expect(last?.bytes == [7])
    #expect(try Socket.receive(mine, maximumBytes: 10, maximumDescriptors: 1)?.isEnd == true)
    // No signal: the test process would end.
    #expect(failure { try Socket.send(mine, [1]) } == EPIPE)
  }

  @Test("a peer that closed with messages unread is an end too")
  func closedUnread() throws {
    let (mine, theirs) = try SocketPair.make()
    try Socket.send(mine, [1])
    _ = consume theirs
    #expect(try Socket.receive(mine, maximumBytes: 10, maximumDescriptors: 1)?.isEnd == true)
  }

  @Test("a full socket answers at once when it must not block")
  func full() throws {
    let message = [UInt8](repeating: 0, count: 4096)
    var sent = 0
    let code = failure {
      while sent < 100_000 {
        try Socket.send(near, message, nonBlocking: true)
        sent += 1
      }
    }
    #expect(code == EAGAIN)
    #expect(sent > 0)
  }

  @Test("a message that can never fit is refused")
  func tooLong() {
    let message = [UInt8](repeating: 0, count: 64 << 20)
    #expect(failure { try Socket.send(near, message) } == EMSGSIZE)
  }
}
