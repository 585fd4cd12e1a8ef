import CSystem
import Glibc

/// Signals as something to read.
package final class SignalDescriptor: Sendable {
  /// Readable while one of the signals is pending.
  package let descriptor: OwnedDescriptor

  /// Blocks signals for the calling thread and the threads it starts later.
  ///
  /// Call it first in `main`: a signal that any thread leaves unblocked isn't read here.
  package static func block(_ signals: [Int32]) throws(SystemError) {
    try SystemError.check(
      "sigmask", unsafe minilab_signals_block(signals, Int32(signals.count)))
  }

  package init(signals: [Int32]) throws(SystemError) {
    descriptor = OwnedDescriptor(
      owning: try SystemError.check(
        "signalfd", unsafe minilab_signalfd(signals, Int32(signals.count))))
  }

  /// Whether a signal is pending; it stays so until it is read.
  package var isPending: Bool {
    var wanted = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wanted, 1, 0) == 1
  }

  /// The next pending signal, nil when there is none.
  package func read() throws(SystemError) -> Int32? {
    let signal = minilab_signalfd_read(descriptor.rawValue)
    if signal == -EAGAIN { return nil }
    return try SystemError.check("signalfd", signal)
  }
}

/// Signals in general.
package enum Signals {
  /// Writing to a closed pipe or socket answers EPIPE from now on.
  package static func ignoreBrokenPipe() {
    minilab_signal_ignore(SIGPIPE)
  }

  /// Default actions for all signals, and none blocked: for a process after fork.
  package static func restoreDefaults() {
    minilab_signals_reset()
  }

  /// Such as `SIGSEGV`; `SIG40` for those without a name.
  package static func name(of signal: Int32) -> String {
    names[signal] ?? "SIG\(signal)"
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
    SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2",
    SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD",
    SIGCONT: "SIGCONT", SIGSTOP: "SIGSTOP", SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN",
    SIGTTOU: "SIGTTOU", SIGURG: "SIGURG", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF", SIGWINCH: "SIGWINCH", SIGIO: "SIGIO",
    SIGPWR: "SIGPWR", SIGSYS: "SIGSYS",
  ]
}
