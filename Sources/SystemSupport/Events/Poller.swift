import CSystem
import Glibc

/// What to wait for on a descriptor, or what happened.
package struct PollEvents: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = PollEvents(rawValue: 1)
  package static let writable = PollEvents(rawValue: 2)
  /// The peer closed, or the descriptor has an error; reported even when not asked for.
  package static let hangUp = PollEvents(rawValue: 4)
}

/// Waits for many descriptors at once.
package final class Poller: Sendable {
  private let descriptor: OwnedDescriptor

  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(
      owning: try SystemError.check("epoll_create", minilab_epoll_create()))
  }

  /// Level-triggered. The caller removes a descriptor before closing it.
  package func add(
    _ descriptor: Int32, events: PollEvents, token: UInt64
  ) throws(SystemError) {
    try SystemError.check(
      "epoll_ctl",
      minilab_epoll_add(self.descriptor.rawValue, descriptor, events.rawValue, token))
  }

  package func modify(
    _ descriptor: Int32, events: PollEvents, token: UInt64
  ) throws(SystemError) {
    try SystemError.check(
      "epoll_ctl",
      minilab_epoll_modify(self.descriptor.rawValue, descriptor, events.rawValue, token))
  }

  package func remove(_ descriptor: Int32) throws(SystemError) {
    try SystemError.check(
      "epoll_ctl", minilab_epoll_remove(self.descriptor.rawValue, descriptor))
  }

  /// At most 64 events; none after the time (24 days at most), without end when nil.
  package func wait(
    timeoutMilliseconds: Int?
  ) throws(SystemError) -> [(token: UInt64, events: PollEvents)] {
    // Cut to 24 days, which is all that the kernel takes at once.
    let end = timeoutMilliseconds.map {
      BootClock.now() + UInt64(min(max(0, $0), Int(Int32.max))) * 1_000_000
    }
    var tokens = [UInt64](repeating: 0, count: 64)
    var events = [UInt32](repeating: 0, count: 64)
    while true {
      let count = unsafe minilab_epoll_wait(
        descriptor.rawValue, &tokens, &events, 64, Self.milliseconds(until: end))
      // A stop and continue interrupts even without a handler.
      if count == -EINTR { continue }
      try SystemError.check("epoll_wait", count)
      return (0..<Int(count)).map { (tokens[$0], PollEvents(rawValue: events[$0])) }
    }
  }

  /// What is left, rounded up, so that a wait never ends early.
  private static func milliseconds(until end: UInt64?) -> Int32 {
    guard let end else { return -1 }
    let now = BootClock.now()
    guard end > now else { return 0 }
    return Int32(clamping: (end - now + 999_999) / 1_000_000)
  }
}
