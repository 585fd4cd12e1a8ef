import RenderModel

extension JobRequest {
  package func encoded() -> [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .header(let limits, let tolerant, let rawSource):
      writer.write(UInt8(1))
      writer.write(limits)
      writer.write(tolerant)
      writer.write(rawSource.rawValue)
    case .go(let request):
      writer.write(UInt8(2))
      writer.write(request.plan)
      writer.write(request.addressSpace)
      writer.write(optional: request.fault) {
        $0.write($1.kind.rawValue)
        $0.write($1.afterMilliseconds)
      }
    case .probe(let name):
      writer.write(UInt8(3))
      writer.write(name)
    case .verify(let outputs, let depth):
      writer.write(UInt8(4))
      writer.write(list: outputs) { $0.write($1) }
      writer.write(depth.rawValue)
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(MessageError) {
    var reader = MessageReader(bytes)
    switch try reader.readUInt8() {
    case 1:
      self = .header(
        limits: try reader.readLimits(), tolerant: try reader.readBool(),
        rawSource: try reader.readCase(RAWSource.self))
    case 2:
      self = .go(
        GoRequest(
          plan: try reader.readPlan(), addressSpace: try reader.readUInt64(),
          fault: try reader.readOptional { (reader) throws(MessageError) in
            InjectedFault(
              kind: try reader.readCase(InjectedFault.Kind.self),
              afterMilliseconds: try reader.readInt())
          }))
    case 3: self = .probe(name: try reader.readString())
    case 4:
      self = .verify(
        try reader.readList { (reader) throws(MessageError) in try reader.readOutput() },
        try reader.readCase(VerificationDepth.self))
    default: throw MessageError(reason: "an unknown request to a job process")
    }
    try reader.finish()
  }
}

extension JobReply {
  package func encoded() -> [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .header(let header, let milliseconds):
      writer.write(UInt8(1))
      writer.write(header)
      writer.write(milliseconds)
    case .rendered(let result):
      writer.write(UInt8(2))
      writer.write(result)
    case .failed(let failure):
      writer.write(UInt8(3))
      writer.write(failure.code.rawValue)
      writer.write(failure.stage.rawValue)
      writer.write(failure.detail)
    case .probed(let refused, let observed):
      writer.write(UInt8(4))
      writer.write(refused)
      writer.write(observed)
    case .verified: writer.write(UInt8(5))
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(MessageError) {
    var reader = MessageReader(bytes)
    switch try reader.readUInt8() {
    case 1: self = .header(try reader.readHeader(), milliseconds: try reader.readDouble())
    case 2: self = .rendered(try reader.readResult())
    case 3:
      self = .failed(
        RenderFailure(
          code: try reader.readCase(FailureCode.self), stage: try reader.readCase(RenderStage.self),
          detail: try reader.readString()))
    case 4: self = .probed(refused: try reader.readBool(), observed: try reader.readString())
    case 5: self = .verified
    default: throw MessageError(reason: "an unknown reply of a job process")
    }
    try reader.finish()
  }
}
