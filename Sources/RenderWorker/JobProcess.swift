import Glibc
import Imaging
import RenderModel
import Sandbox
import SystemSupport
import WorkerProtocol

/// One job from the first instruction after the fork to the exit.
struct JobProcess {
  let request: SpawnRequest
  let descriptors: JobDescriptors
  let sandbox: PreparedSandbox
  let allowFaults: Bool

  /// Exit statuses that only the pool sees.
  private enum Exit {
    static let sealFailed: Int32 = 40
    static let protocolError: Int32 = 41
  }

  /// Seals the process for good, serves its requests and ends it.
  func run(parent: Int32) -> Never {
    do {
      try confine(parent: parent)
      _ = try sandbox.apply()
    } catch {
      WorkerMain.complain("cannot seal the job process: \(error)")
      _exit(Exit.sealFailed)
    }
    do {
      try serve()
    } catch {
      WorkerMain.complain("\(error)")
      _exit(Exit.protocolError)
    }
    _exit(0)
  }

  /// Session, death signal, standard streams, limits, descriptors: all before the seal.
  private func confine(parent: Int32) throws(SystemError) {
    try ProcessControl.newSession()
    try ProcessControl.setParentDeathSignal(SIGKILL)
    // The parent may have died between the fork and the line above.
    if getppid() != parent { _exit(0) }
    try ProcessControl.redirectStandardStreams(to: descriptors.standardError)
    try ProcessControl.closeAllExcept(descriptors.kept)
    ProcessControl.resetSignals(ignoring: [SIGPIPE, SIGXFSZ])
    try tighten(.coreDump, soft: 0, hard: 0)
    try tighten(.openFiles, soft: 256, hard: 256)
    try tighten(.fileSize, soft: request.outputBytes, hard: request.outputBytes)
    try tighten(.processorTime, soft: request.cpuSeconds, hard: request.cpuSeconds)
    try tighten(
      .addressSpace, soft: min(request.addressSpace, Self.headerAddressSpace),
      hard: request.addressSpace)
  }

  /// A limit that is lower already, as schedulers set them, cannot be raised and stays.
  private func tighten(
    _ resource: ProcessControl.Resource, soft: UInt64, hard: UInt64
  ) throws(SystemError) {
    do {
      try ProcessControl.setLimit(resource, soft: soft, hard: hard)
    } catch let error where error.errno == EPERM {}
  }

  /// What the header step may use, in bytes: no header needs more.
  private static let headerAddressSpace: UInt64 = 1 << 30

  private func serve() throws {
    var picture: OpenedPicture?
    while let request = try receive() {
      switch request {
      case .header(let limits, let tolerant, let rawSource):
        let started = BootClock.now()
        switch OpenedPicture.open(
          descriptor: descriptors.original.rawValue, limits: limits, tolerant: tolerant,
          rawSource: rawSource)
        {
        case .success(let opened):
          picture = opened
          try reply(.header(opened.header, milliseconds: milliseconds(since: started)))
        case .failure(let failure): try reply(.failed(failure))
        }
      case .go(let go):
        guard let opened = picture else { throw MessageError(reason: "go before the header") }
        try reply(render(opened, go))
        return
      case .verify(let outputs, let depth):
        try reply(verify(outputs, depth))
        return
      case .probe(let name):
        // An attempt that the filter kills ends the process: the pool then sees the violation.
        let errno = SandboxProbe.attempt(name)
        try reply(
          .probed(
            refused: errno != nil && errno != 0,
            observed: errno.map { $0 == 0 ? "allowed" : "errno \($0)" } ?? "no such attempt"))
      }
    }
  }

  private func render(_ picture: OpenedPicture, _ go: GoRequest) throws -> JobReply {
    // Below the hard limit of the start, so this is the one change of limits the filter lets through.
    try tighten(
      .addressSpace, soft: min(go.addressSpace, request.addressSpace), hard: request.addressSpace)
    if allowFaults, let fault = go.fault {
      FaultInjection.arm(fault, outputs: descriptors.outputs.map(\.rawValue))
    }
    let outputs = descriptors.outputs.map(\.rawValue)
    let resources = descriptors.resources.map(\.rawValue)
    let result =
      go.plan.refreshesMetadata
      ? picture.refreshMetadata(
        go.plan, existing: Array(resources.suffix(outputs.count)), outputs: outputs)
      : picture.render(go.plan, outputs: outputs, resources: resources)
    switch result {
    case .success(var result):
      if allowFaults, let fault = go.fault {
        FaultInjection.falsify(&result, fault, outputs: outputs)
      }
      return .rendered(result)
    case .failure(let failure): return .failed(failure)
    }
  }

  /// Looks at what another process has made: nothing of that process is here but its outputs.
  private func verify(
    _ outputs: [RenderResult.Output], _ depth: VerificationDepth
  ) throws -> JobReply {
    try tighten(.addressSpace, soft: request.addressSpace, hard: request.addressSpace)
    let files = [descriptors.original] + descriptors.resources
    let failure = OutputCheck.failure(
      of: outputs, in: files.map(\.rawValue), decoding: depth == .full)
    return failure.map(JobReply.failed) ?? .verified
  }

  /// The next request; nil when the coordinator has closed its end.
  private func receive() throws -> JobRequest? {
    guard
      let message = try Socket.receive(
        descriptors.socket, maximumBytes: ProtocolVersion.maximumMessageBytes,
        maximumDescriptors: 0, nonBlocking: false), !message.isEnd
    else { return nil }
    return try JobRequest(decoding: message.bytes)
  }

  private func reply(_ reply: JobReply) throws(SystemError) {
    try Socket.send(descriptors.socket, reply.encoded())
  }

  private func milliseconds(since start: UInt64) -> Double {
    Double(BootClock.now() - start) / 1_000_000
  }
}
