import CSystem
import Glibc
import Synchronization

/// Threads of the system, for loops that block.
package enum Threads {
  /// Starts a thread at once. Its name is cut to 15 bytes.
  ///
  /// Traps when the system refuses a thread: without it the caller could only wait for ever.
  package static func start(
    name: String, _ body: @escaping @Sendable () -> Void
  ) -> JoinableThread {
    var thread = pthread_t()
    let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
    let error = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        ProcessControl.setName(start.name)
        start.body()
        return nil
      }, unsafe start.toOpaque())
    precondition(error == 0, "cannot start a thread: error \(error)")
    return JoinableThread(thread)
  }
}

/// A started thread; detached when nobody waits for it.
package final class JoinableThread: Sendable {
  private let thread: pthread_t
  private let isJoined = Mutex(false)

  fileprivate init(_ thread: pthread_t) {
    self.thread = thread
  }

  deinit {
    if !isJoined.withLock({ $0 }) { pthread_detach(thread) }
  }

  /// Waits for its end; later calls return once the first has.
  package func join() {
    isJoined.withLock { isJoined in
      if !isJoined { pthread_join(thread, nil) }
      isJoined = true
    }
  }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}
