import Glibc
import RenderModel
import SystemSupport
import WorkerProtocol

extension WorkerPool {
  /// Starts an attempt, with fresh outputs.
  func spawn(_ token: UInt64) throws(SystemError) {
    guard let request = shelves[token]?.request else { return }
    let original: OwnedDescriptor
    if let own = request.original {
      original = own
    } else {
      original = try MemoryFile.create(name: "nothing")
    }
    var outputs: [OwnedDescriptor] = []
    for _ in 0..<request.job.renditionCount {
      outputs.append(try MemoryFile.create(name: "output"))
    }
    shelves[token]?.outputs = outputs
    try start(
      token, with: firstRequest(request.job), reading: [original] + request.resources,
      writing: outputs)
  }

  /// Takes the outputs out of the hands of the process that made them, and starts one that looks at them.
  func verify(_ token: UInt64, _ result: RenderResult) throws(SystemError) {
    guard let outputs = shelves[token]?.outputs else { return }
    do {
      for output in outputs { try MemoryFile.seal(output) }
    } catch {
      let detail = error.errno == EBUSY ? "it is still mapped for writing" : "\(error)"
      try perform(machine.sealFailed(token, detail: detail, now: BootClock.now()))
      return
    }
    let request = JobRequest.verify(result.outputs, machine.configuration.verification)
    try start(token, with: request, reading: outputs, writing: [])
  }

  /// Asks for a process with a fresh socket, and sends it the first request ahead.
  ///
  /// `inputs`: at least one.
  private func start(
    _ token: UInt64, with first: JobRequest, reading inputs: [OwnedDescriptor],
    writing outputs: [OwnedDescriptor]
  ) throws(SystemError) {
    guard let zygote, shelves[token] != nil else { return }
    let (ours, theirs) = try SocketPair.make()
    let (errorsOut, errorsIn) = try Pipe.makeNonBlocking()
    // An earlier process may have read on, or written.
    for input in inputs.dropFirst() { lseek(input.rawValue, 0, SEEK_SET) }
    shelves[token]?.socket = ours
    shelves[token]?.standardError = errorsOut
    shelves[token]?.process = nil
    try poller.add(
      ours.rawValue, events: .readable, token: Token.firstJob + 2 * token)
    let request = ZygoteRequest.spawn(
      SpawnRequest(
        token: token, addressSpace: addressSpaceCeiling, cpuSeconds: 86_400,
        outputBytes: UInt64(machine.configuration.outputBytes),
        resourceCount: UInt32(inputs.count - 1)))
    do {
      try Socket.send(ours, first.encoded())
      try Socket.send(
        zygote.control, request.encoded(),
        passing: [theirs, inputs[0], errorsIn] + inputs.dropFirst() + outputs)
    } catch {
      // A closed control socket is reported as the zygote's end; the job goes back then.
      if error.errno != EPIPE && error.errno != ECONNRESET { throw error }
    }
  }

  /// The address space that no job may exceed: what the whole pool has, twice, as it is never all used.
  private var addressSpaceCeiling: UInt64 {
    UInt64(max(2 * machine.configuration.memoryBudget, 1 << 30))
  }

  private func firstRequest(_ job: PoolJob) -> JobRequest {
    if case .probe(let name) = job.purpose { return .probe(name: name) }
    return .header(limits: job.limits, tolerant: job.tolerant, rawSource: job.rawSource)
  }

  func go(_ token: UInt64, _ addressSpace: UInt64) throws(SystemError) {
    guard let shelf = shelves[token], let socket = shelf.socket,
      case .render(let plan) = shelf.request.job.purpose
    else { return }
    let request = GoRequest(
      plan: plan, addressSpace: addressSpace, fault: shelf.request.job.fault)
    // A process that is gone already is found by its end; its job is decided there.
    try? Socket.send(socket, JobRequest.go(request).encoded())
  }

  func kill(_ token: UInt64) {
    guard let process = shelves[token]?.process else { return }
    try? ProcessControl.sendSignal(process, SIGKILL)
  }

  /// Takes everything that a job process has said.
  func readJob(_ token: UInt64) throws(SystemError) {
    while let socket = shelves[token]?.socket {
      let message: Received?
      do {
        message = try Socket.receive(
          socket, maximumBytes: ProtocolVersion.maximumMessageBytes, maximumDescriptors: 0,
          nonBlocking: true)
      } catch {
        return closeSocket(token)
      }
      guard let message else { return }
      if message.isEnd { return closeSocket(token) }
      let now = BootClock.now()
      if let reply = try? JobReply(decoding: message.bytes) {
        try perform(machine.replyReceived(token, reply, now: now))
      } else {
        try perform(
          machine.replyReceived(token, .probed(refused: false, observed: ""), now: now))
      }
    }
  }

  private func closeSocket(_ token: UInt64) {
    guard let socket = shelves[token]?.socket else { return }
    try? poller.remove(socket.rawValue)
    shelves[token]?.socket = nil
    try? perform(machine.socketClosed(token, now: BootClock.now()))
  }

  /// What the process wrote to its standard error, at most what a pipe holds.
  func lastWords(_ token: UInt64) -> String {
    guard let pipe = shelves[token]?.standardError else { return "" }
    var words = Pipe.drain(pipe)
    while words.last == UInt8(ascii: "\n") { words.removeLast() }
    return DisplayText.escaped(words)
  }

  /// Lets go of a process's socket, pipe and pidfd; its outputs stay.
  func forgetProcess(_ token: UInt64, _ shelf: Shelf) {
    if let socket = shelf.socket { try? poller.remove(socket.rawValue) }
    shelves[token]?.socket = nil
    shelves[token]?.standardError = nil
    shelves[token]?.process = nil
  }
}
