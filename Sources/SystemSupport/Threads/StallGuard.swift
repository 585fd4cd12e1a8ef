import Synchronization

/// Does work that may hang in the kernel on a thread of its own, and goes on without it if it does.
///
/// A read on dead network storage cannot be interrupted; its thread is given up and lives on until
/// the kernel lets go. Used by one thread at a time.
package final class StallGuard {
  private final class Slot: Sendable {
    let tasks = BoundedQueue<@Sendable () -> Void>(capacity: 1)
  }

  private let limitMilliseconds: Int
  private let name: String
  private var slot: Slot?
  /// Threads that were given up.
  package private(set) var stalled = 0

  package init(name: String, limitMilliseconds: Int) {
    self.name = name
    self.limitMilliseconds = limitMilliseconds
  }

  deinit { slot?.tasks.close() }

  /// The work's result; nil when it took longer than the limit and was given up.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) throws(SystemError) -> Result? {
    let done = try WakeDescriptor()
    let poller = try Poller()
    try poller.add(done.descriptor.rawValue, events: .readable, token: 0)
    let box = ResultBox<Result>()
    let slot = self.slot ?? start()
    _ = slot.tasks.push {
      box.set(work())
      done.wake()
    }
    let events = try poller.wait(timeoutMilliseconds: limitMilliseconds)
    if events.isEmpty, box.value == nil {
      stalled += 1
      slot.tasks.close()
      self.slot = nil
      return nil
    }
    return box.value
  }

  private func start() -> Slot {
    let slot = Slot()
    _ = Threads.start(name: name) {
      while let task = slot.tasks.pop() { task() }
    }
    self.slot = slot
    return slot
  }
}

private final class ResultBox<Result: Sendable>: Sendable {
  private let result = Mutex<Result?>(nil)
  var value: Result? { result.withLock { $0 } }
  func set(_ value: Result) { result.withLock { $0 = value } }
}
