import CSystem
import Glibc

/// What only a process that forks, or was just forked, does to itself.
extension ProcessControl {
  /// Threads of this process; 0 when /proc is not there.
  package static func threadCount() -> Int { max(0, Int(minilab_thread_count())) }

  /// Keeps a loaded library out of the processes that `fork` makes from now on.
  ///
  /// Only what the dynamic linker reads is copied into them, and any other use ends them. `library`: the
  /// name of its file without `.so` and what follows; one that is not loaded is passed over.
  package static func leaveBehind(library name: String) {
    unsafe name.withCString { unsafe minilab_leave_behind($0) }
  }

  /// Default actions for all signals and none blocked, but these are ignored.
  package static func resetSignals(ignoring signals: [Int32]) {
    unsafe minilab_signals_reset_ignoring(signals, Int32(signals.count))
  }

  /// Makes the standard streams this descriptor, so that stray output goes where it is read.
  package static func redirectStandardStreams(to descriptor: OwnedDescriptor) throws(SystemError) {
    for stream: Int32 in 0...2 {
      try SystemError.check("dup2", dup2(descriptor.rawValue, stream))
    }
  }
}

/// A line of talk for people; failing to say it is not an error.
package enum StandardError {
  package static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    unsafe _ = write(2, bytes, bytes.count)
  }
}
