extension ZygoteRequest {
  package func encoded() -> [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .spawn(let request):
      writer.write(UInt8(1))
      writer.write(request.token)
      writer.write(request.addressSpace)
      writer.write(request.cpuSeconds)
      writer.write(request.outputBytes)
      writer.write(request.resourceCount)
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(MessageError) {
    var reader = MessageReader(bytes)
    switch try reader.readUInt8() {
    case 1:
      self = .spawn(
        SpawnRequest(
          token: try reader.readUInt64(), addressSpace: try reader.readUInt64(),
          cpuSeconds: try reader.readUInt64(), outputBytes: try reader.readUInt64(),
          resourceCount: try reader.readUInt32()))
    default: throw MessageError(reason: "an unknown request to the zygote")
    }
    try reader.finish()
  }
}

extension ZygoteEvent {
  package func encoded() -> [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .ready(let description):
      writer.write(UInt8(1))
      writer.write(ProtocolVersion.current)
      writer.write(list: description.engine.sorted { $0.key < $1.key }) {
        $0.write($1.key)
        $0.write($1.value)
      }
      writer.write(list: description.sandbox) { $0.write($1) }
    case .refused(let refusal):
      writer.write(UInt8(2))
      writer.write(refusal.layer)
      writer.write(refusal.detail)
    case .spawned(let token, let pid):
      writer.write(UInt8(3))
      writer.write(token)
      writer.write(pid)
    case .spawnFailed(let token, let errno):
      writer.write(UInt8(4))
      writer.write(token)
      writer.write(errno)
    case .reaped(let token, let exit):
      writer.write(UInt8(5))
      writer.write(token)
      switch exit.status {
      case .exited(let code):
        writer.write(UInt8(0))
        writer.write(code)
      case .signalled(let signal):
        writer.write(UInt8(1))
        writer.write(signal)
      }
      writer.write(exit.userMicroseconds)
      writer.write(exit.systemMicroseconds)
      writer.write(exit.peakResidentBytes)
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(MessageError) {
    var reader = MessageReader(bytes)
    switch try reader.readUInt8() {
    case 1: self = .ready(try Self.readDescription(&reader))
    case 2:
      self = .refused(
        SandboxRefusal(layer: try reader.readString(), detail: try reader.readString()))
    case 3: self = .spawned(token: try reader.readUInt64(), pid: try reader.readInt32())
    case 4: self = .spawnFailed(token: try reader.readUInt64(), errno: try reader.readInt32())
    case 5:
      let token = try reader.readUInt64()
      let signalled = try reader.readBool()
      let value = try reader.readInt32()
      self = .reaped(
        token: token,
        exit: ProcessExit(
          status: signalled ? .signalled(value) : .exited(value),
          userMicroseconds: try reader.readInt(), systemMicroseconds: try reader.readInt(),
          peakResidentBytes: try reader.readInt()))
    default: throw MessageError(reason: "an unknown event of the zygote")
    }
    try reader.finish()
  }

  private static func readDescription(_ reader: inout MessageReader) throws(MessageError)
    -> WorkerDescription
  {
    let version = try reader.readUInt32()
    guard version == ProtocolVersion.current else {
      throw MessageError(
        reason: "the worker speaks version \(version) of the protocol, this program "
          + "\(ProtocolVersion.current); install both from one build")
    }
    let pairs = try reader.readList { (reader) throws(MessageError) in
      (key: try reader.readString(), value: try reader.readString())
    }
    let sandbox = try reader.readList { (reader) throws(MessageError) in try reader.readString() }
    var engine: [String: String] = [:]
    for pair in pairs { engine[pair.key] = pair.value }
    return WorkerDescription(engine: engine, sandbox: sandbox)
  }
}
