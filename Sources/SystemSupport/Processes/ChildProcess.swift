import CSystem
import Glibc

/// A program that this process started and must wait for.
package struct ChildProcess: Sendable {
  package let pid: Int32
  /// Becomes readable when the process has ended.
  package let pidDescriptor: OwnedDescriptor

  /// Starts a program that dies with the calling *thread*: call it from one that never ends.
  ///
  /// `arguments` come after the program's name, which is its path. Signals are at their defaults.
  /// It gets these descriptors under these numbers and no others; 0, 1 and 2 are the null device
  /// when not named. Throws exec's own error, such as ENOENT. `newSession` takes it off the terminal.
  package static func spawn(
    path: String, arguments: [String], environment: [String],
    descriptors: [(source: Int32, target: Int32)], newSession: Bool = true
  ) throws(SystemError) -> ChildProcess {
    let mappings = descriptors.map { minilab_mapping(source: $0.source, target: $0.target) }
    let argumentList = try CStringList([path] + arguments)
    let environmentList = try CStringList(environment)
    var pid: Int32 = -1
    var pidDescriptor: Int32 = -1
    let result = try unsafe path.utf8CString.withPath { path in
      unsafe minilab_spawn(
        path, argumentList.pointers, environmentList.pointers, mappings, Int32(mappings.count),
        newSession ? 1 : 0, &pid, &pidDescriptor)
    }
    try SystemError.check("spawn", path: path, result)
    return ChildProcess(pid: pid, pidDescriptor: OwnedDescriptor(owning: pidDescriptor))
  }

  init(pid: Int32, pidDescriptor: OwnedDescriptor) {
    self.pid = pid
    self.pidDescriptor = pidDescriptor
  }

  /// Takes charge of a child that `ProcessControl.fork` made and nobody has reaped.
  package init(forked pid: Int32) throws(SystemError) {
    self.init(pid: pid, pidDescriptor: try ProcessControl.openPidDescriptor(pid))
  }

  /// Throws ESRCH when it has ended.
  package func kill(_ signal: Int32) throws(SystemError) {
    try ProcessControl.sendSignal(pidDescriptor, signal)
  }

  /// Waits for the end and takes the report; once only.
  package func wait() throws(SystemError) -> ExitReport {
    var raw = minilab_exit()
    try SystemError.check("wait", unsafe minilab_wait(pid, 0, &raw))
    return ExitReport(raw)
  }

  /// Whether it ends within this time, without taking the report.
  package func hasEnded(withinMilliseconds limit: Int) throws(SystemError) -> Bool {
    let poller = try Poller()
    try poller.add(pidDescriptor.rawValue, events: .readable, token: 0)
    return try !poller.wait(timeoutMilliseconds: limit).isEmpty
  }
}

/// A null-terminated list of C strings, as exec takes it.
@safe private struct CStringList: ~Copyable {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) throws(SystemError) {
    guard !strings.contains(where: { $0.utf8.contains(0) }) else {
      throw SystemError(operation: "spawn", errno: EINVAL)
    }
    count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + strings.count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
