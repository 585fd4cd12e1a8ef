import CSystem
import Glibc

/// What a process does to itself and to its children.
package enum ProcessControl {
  /// A limit the kernel holds a process to.
  package enum Resource: Sendable {
    /// Bytes of virtual memory.
    case addressSpace
    /// Bytes of private writable memory.
    case data
    /// Seconds of processor time.
    case processorTime
    /// Bytes of a written file, memory files too.
    case fileSize
    case openFiles
    /// Bytes of a core dump.
    case coreDump
    /// Processes and threads of the user.
    case processes
    /// Bytes of the main thread's stack.
    case stack

    fileprivate var number: Int32 {
      let resource =
        switch self {
        case .addressSpace: RLIMIT_AS
        case .data: RLIMIT_DATA
        case .processorTime: RLIMIT_CPU
        case .fileSize: RLIMIT_FSIZE
        case .openFiles: RLIMIT_NOFILE
        case .coreDump: RLIMIT_CORE
        case .processes: __RLIMIT_NPROC
        case .stack: RLIMIT_STACK
        }
      return Int32(resource.rawValue)
    }
  }

  /// 0 in the child, its pid in the parent, a negative errno on failure.
  ///
  /// Only in a process with one thread: locks held by others stay held in the child for ever.
  package static func fork() -> Int32 { minilab_fork() }

  /// Takes the report of any child that has ended; nil when none has, or there are none.
  package static func reapAny() throws(SystemError) -> (pid: Int32, report: ExitReport)? {
    var raw = minilab_exit()
    let pid = unsafe minilab_wait(-1, 1, &raw)
    if pid == 0 || pid == -ECHILD { return nil }
    try SystemError.check("wait", pid)
    return (pid, ExitReport(raw))
  }

  /// Safe for a child that isn't reaped yet: its number can't be given to another process.
  package static func openPidDescriptor(_ pid: Int32) throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(owning: try SystemError.check("pidfd_open", minilab_pidfd_open(pid)))
  }

  /// Throws ESRCH when the process has ended.
  package static func sendSignal(
    _ pidDescriptor: OwnedDescriptor, _ signal: Int32
  ) throws(SystemError) {
    try SystemError.check(
      "pidfd_send_signal", minilab_pidfd_send_signal(pidDescriptor.rawValue, signal))
  }

  /// Has the kernel send this signal when the parent's *thread* ends.
  ///
  /// Compare `getppid()` with the expected parent afterwards: it may have ended before.
  package static func setParentDeathSignal(_ signal: Int32) throws(SystemError) {
    try SystemError.check("prctl", minilab_set_parent_death_signal(signal))
  }

  /// A hard limit can't be raised again.
  package static func setLimit(
    _ resource: Resource, soft: UInt64, hard: UInt64
  ) throws(SystemError) {
    try SystemError.check("setrlimit", minilab_set_limit(resource.number, soft, hard))
  }

  /// Closes every descriptor but these, whoever owns them: only in a process after fork.
  package static func closeAllExcept(_ kept: [Int32]) throws(SystemError) {
    var first: UInt32 = 0
    for number in Set(kept).sorted() where number >= 0 {
      let number = UInt32(number)
      if number > first {
        try SystemError.check("close_range", minilab_close_range(first, number - 1))
      }
      first = number + 1
    }
    try SystemError.check("close_range", minilab_close_range(first, UInt32.max))
  }

  /// Leaves the terminal and the parent's process group.
  package static func newSession() throws(SystemError) {
    try SystemError.retrying("setsid") { setsid() }
  }

  /// Name of the calling thread, 15 bytes of it; the main thread's is the process's.
  package static func setName(_ name: String) {
    unsafe name.withCString { name in
      // Can't fail: the kernel cuts long names.
      unsafe _ = minilab_set_thread_name(name)
    }
  }

  /// With false, no core dump and no reading of this process by others of the same user.
  package static func setDumpable(_ isDumpable: Bool) throws(SystemError) {
    try SystemError.check("prctl", minilab_set_dumpable(isDumpable ? 1 : 0))
  }
  package static func isDumpable() -> Bool { minilab_get_dumpable() == 1 }
}
