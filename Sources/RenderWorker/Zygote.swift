import Glibc
import Imaging
import Sandbox
import SystemSupport
import WorkerProtocol

/// The process that every job process is forked from: warm, of one thread, rendering nothing.
struct Zygote {
  private let control: OwnedDescriptor
  private let sandbox: PreparedSandbox
  private let options: WorkerOptions
  /// Tokens of the children that have not been reaped, by process id.
  private var children: [Int32: UInt64] = [:]

  /// The control socket that the coordinator put in place.
  private static let controlDescriptor: Int32 = 3

  static func run(_ options: WorkerOptions) -> Int32 {
    let control = OwnedDescriptor(owning: controlDescriptor)
    ProcessControl.setName("minilab-zygote")
    Signals.ignoreBrokenPipe()
    try? SignalDescriptor.block([SIGCHLD, SIGTERM, SIGINT, SIGHUP])
    do {
      let engine = try ImagingRuntime.start()
      let sandbox = try Sandbox.prepare(WorkerPolicy.policy(for: options))
      for library in UnusedLibraries.names { ProcessControl.leaveBehind(library: library) }
      var zygote = Zygote(control: control, sandbox: sandbox, options: options)
      try zygote.tell(
        .ready(WorkerDescription(engine: engine, sandbox: sandbox.layers)))
      try zygote.serve()
      return 0
    } catch let error as SandboxError {
      try? Socket.send(
        control, ZygoteEvent.refused(WorkerPolicy.refusal(for: error)).encoded())
      return 77
    } catch {
      WorkerMain.complain("minilab-worker: \(error)")
      return 1
    }
  }

  private init(control: OwnedDescriptor, sandbox: PreparedSandbox, options: WorkerOptions) {
    self.control = control
    self.sandbox = sandbox
    self.options = options
  }

  /// Serves until the coordinator's end of the socket is closed; then all children die with us.
  private mutating func serve() throws(SystemError) {
    let signals = try SignalDescriptor(signals: [SIGCHLD])
    let poller = try Poller()
    try poller.add(control.rawValue, events: .readable, token: 0)
    try poller.add(signals.descriptor.rawValue, events: .readable, token: 1)
    while true {
      for event in try poller.wait(timeoutMilliseconds: nil) {
        if event.token == 1 {
          while try signals.read() != nil {}
          try reap()
        } else if try !receive() {
          return
        }
      }
    }
  }

  /// Takes one request; false when the coordinator is gone.
  private mutating func receive() throws(SystemError) -> Bool {
    guard
      let message = try Socket.receive(
        control, maximumBytes: ProtocolVersion.maximumMessageBytes,
        maximumDescriptors: ProtocolVersion.maximumDescriptors, nonBlocking: true)
    else { return true }
    if message.isEnd { return false }
    do {
      switch try ZygoteRequest(decoding: message.bytes) {
      // Of a message that was cut some descriptors are lost, and nobody knows which.
      case .spawn(let request): try spawn(request, message.truncated ? [] : message.descriptors)
      }
    } catch let error as MessageError {
      WorkerMain.complain("minilab-worker: \(error.reason)")
    } catch let error as SystemError {
      throw error
    } catch {}
    return true
  }

  private mutating func spawn(_ request: SpawnRequest, _ descriptors: [OwnedDescriptor])
    throws(SystemError)
  {
    guard let descriptors = JobDescriptors(descriptors, resourceCount: request.resourceCount),
      hasOneThread()
    else {
      try tell(.spawnFailed(token: request.token, errno: EINVAL))
      return
    }
    let parent = getpid()
    let pid = ProcessControl.fork()
    if pid == 0 {
      let process = JobProcess(
        request: request, descriptors: descriptors, sandbox: sandbox,
        allowFaults: options.allowFaults)
      process.run(parent: parent)
    }
    guard pid > 0 else {
      try tell(.spawnFailed(token: request.token, errno: -pid))
      return
    }
    children[pid] = request.token
    let pidDescriptor = try ProcessControl.openPidDescriptor(pid)
    try tell(.spawned(token: request.token, pid: pid), passing: [pidDescriptor])
  }

  private mutating func reap() throws(SystemError) {
    while let (pid, exit) = try ProcessControl.reapAny() {
      guard let token = children.removeValue(forKey: pid) else { continue }
      let status: ProcessExit.Status =
        switch exit.status {
        case .exited(let code): .exited(code)
        case .signalled(let signal): .signalled(signal)
        }
      try tell(
        .reaped(
          token: token,
          exit: ProcessExit(
            status: status, userMicroseconds: Int(exit.userMicroseconds),
            systemMicroseconds: Int(exit.systemMicroseconds),
            peakResidentBytes: Int(exit.peakResidentBytes))))
    }
  }

  private func tell(_ event: ZygoteEvent, passing descriptors: [OwnedDescriptor] = [])
    throws(SystemError)
  {
    try Socket.send(control, event.encoded(), passing: descriptors)
  }

  /// A fork with more than one thread leaves locks held for ever in the child.
  private func hasOneThread() -> Bool {
    ProcessControl.threadCount() == 1
  }
}
