import Glibc
import SystemSupport
import WorkerProtocol

/// The running zygote and our end of its control socket.
struct ZygoteConnection {
  let process: ChildProcess
  let control: OwnedDescriptor

  func kill() { try? process.kill(SIGKILL) }
}

extension WorkerPool {
  func startZygote() throws(SystemError) {
    let (ours, theirs) = try SocketPair.make()
    let process = try ChildProcess.spawn(
      path: settings.programPath, arguments: settings.arguments,
      environment: settings.environment,
      descriptors: [(0, 0), (2, 1), (2, 2), (theirs.rawValue, 3)])
    zygote = ZygoteConnection(process: process, control: ours)
    try poller.add(ours.rawValue, events: .readable, token: Token.zygote)
  }

  /// Closing the socket ends the zygote; the kill is for one that does not listen any more.
  func endZygote() {
    guard let zygote else { return }
    try? poller.remove(zygote.control.rawValue)
    zygote.kill()
    _ = try? zygote.process.wait()
    self.zygote = nil
  }

  func readZygote() throws(SystemError) {
    while let control = zygote?.control {
      let message: Received?
      do {
        message = try Socket.receive(
          control, maximumBytes: ProtocolVersion.maximumMessageBytes, maximumDescriptors: 1,
          nonBlocking: true)
      } catch {
        try zygoteLost()
        return
      }
      guard let message else { return }
      if message.isEnd {
        try zygoteLost()
        return
      }
      do {
        try handle(ZygoteEvent(decoding: message.bytes), message.descriptors)
      } catch let error as MessageError {
        end = .workerFailed(error.reason)
        return
      } catch let error as SystemError {
        throw error
      } catch {}
    }
  }

  private func handle(_ event: ZygoteEvent, _ descriptors: [OwnedDescriptor]) throws(SystemError) {
    let now = BootClock.now()
    switch event {
    case .ready(let description):
      self.description = description
      settings.ready?(description)
      try perform(machine.zygoteStarted(now: now))
    case .refused(let refusal): end = .sandboxRefused(refusal)
    case .spawned(let token, _):
      shelves[token]?.process = descriptors.first
      try perform(machine.processSpawned(token, now: now))
    case .spawnFailed(let token, let errno):
      let error = SystemError(operation: "fork", errno: errno, path: nil)
      try perform(machine.spawnFailed(token, detail: "\(error)", now: now))
    case .reaped(let token, let exit):
      // What the process still said comes before its end.
      try readJob(token)
      let words = lastWords(token)
      if let shelf = shelves[token] { forgetProcess(token, shelf) }
      try perform(
        machine.processReaped(token, exit, lastWords: words, now: BootClock.now()))
    }
  }

  private func zygoteLost() throws(SystemError) {
    guard let lost = zygote else { return }
    try? poller.remove(lost.control.rawValue)
    lost.kill()
    let report = try? lost.process.wait()
    zygote = nil
    for (token, shelf) in shelves { forgetProcess(token, shelf) }
    if description == nil {
      end = .workerFailed(
        "the worker ended before it was ready: \(report.map { "\($0.status)" } ?? "")")
      return
    }
    try perform(machine.zygoteLost(now: BootClock.now()))
  }
}
