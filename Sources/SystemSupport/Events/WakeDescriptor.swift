import CSystem
import Glibc

/// Wakes a poller from another thread.
package final class WakeDescriptor: Sendable {
  /// Readable after `wake()` until `drain()`.
  package let descriptor: OwnedDescriptor

  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(owning: try SystemError.check("eventfd", minilab_eventfd()))
  }

  /// Never blocks; several wakes before a drain count as one.
  package func wake() {
    var one: UInt64 = 1
    while unsafe write(descriptor.rawValue, &one, 8) < 0, errno == EINTR {}
  }

  package func drain() {
    var count: UInt64 = 0
    while unsafe read(descriptor.rawValue, &count, 8) < 0, errno == EINTR {}
  }
}

/// A timer on the boot clock that a poller can wait for.
package final class BootTimer: Sendable {
  /// Readable from the armed time until `drain()` or the next `arm`.
  package let descriptor: OwnedDescriptor

  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(
      owning: try SystemError.check("timerfd_create", minilab_timerfd()))
  }

  /// Sets the one moment to fire at, as `BootClock` counts; nil for none. A past one fires at once.
  package func arm(atNanoseconds moment: UInt64?) throws(SystemError) {
    // 0 would mean none to the kernel.
    let moment = moment.map { max($0, 1) } ?? 0
    try SystemError.check(
      "timerfd_settime", minilab_timerfd_arm(descriptor.rawValue, moment))
  }

  package func drain() {
    var count: UInt64 = 0
    while unsafe read(descriptor.rawValue, &count, 8) < 0, errno == EINTR {}
  }
}
