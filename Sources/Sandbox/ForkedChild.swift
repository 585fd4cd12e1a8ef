internal import CSystem

/// A short-lived child process that runs a closure: for probes and tests.
///
/// Forking a process with several threads is safe only for closures that stick to system calls; the
/// time limit turns a lock that another thread held into a SIGALRM.
package struct ForkedChild: Sendable {
  package enum Ending: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// The errno of a failed fork or wait.
    case failed(Int32)
  }

  private final class Body {
    let run: () -> Int32
    init(_ run: @escaping () -> Int32) { self.run = run }
  }

  /// Negative when the fork failed.
  package let pid: Int

  /// - Parameters:
  ///   - seconds: how long it may live.
  ///   - run: gives the exit status, 0…255.
  package init(seconds: UInt32 = 10, _ run: @escaping () -> Int32) {
    let body = Body(run)
    pid = withExtendedLifetime(body) {
      unsafe minilab_sandbox_fork(
        { context in
          guard let context = unsafe context else { return 255 }
          return unsafe Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().run()
        },
        Unmanaged.passUnretained(body).toOpaque(), seconds)
    }
  }

  /// Waits for the end; call it once.
  package func wait() -> Ending {
    guard pid > 0 else { return .failed(Int32(-pid)) }
    let status = minilab_sandbox_wait(pid)
    if status < 0 { return .failed(Int32(-status)) }
    return status >= 1000 ? .signalled(Int32(status - 1000)) : .exited(Int32(status))
  }
}
