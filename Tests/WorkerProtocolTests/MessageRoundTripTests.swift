import RenderModel
import Testing
import WorkerProtocol

@Suite("Messages between coordinator, zygote and job process")
struct MessageRoundTripTests {
  static let plan = RenderPlan(
    filters: [
      FilterStep(
        name: "toneCurve", version: 1,
        parameters: [
          .init(name: "points", value: .points([.init(x: 0, y: 0.1), .init(x: 1, y: 0.9)])),
          .init(name: "amount", value: .number(-0.25)),
          .init(name: "unit", value: .text("fraction")),
        ]),
      FilterStep(
        name: "lut3d", version: 2,
        parameters: [
          .init(name: "path", value: .file("looks/wärm.cube")),
          .init(name: "weights", value: .numbers([0, -1.5, .greatestFiniteMagnitude])),
          .init(name: "none", value: .numbers([])),
        ], opacity: 0.25, mask: nested(depth: 3)),
    ],
    renditions: [
      Rendition(
        name: "näme\n", type: .avif, targetSize: .init(width: 0, height: 7), contentMode: .exact,
        deliveryMode: .fast, enlarge: true, quality: 1, bitDepth: 16, colorSpace: .displayP3,
        profile: "press.icc", renderingIntent: .saturation, blackPointCompensation: true,
        metadata: .minimal, location: .strip,
        options: OutputOptions([
          .lossless: .flag(true), .maxBytes: .number(.max), .compression: .word("zstd"),
        ]))
    ], tolerant: true, limits: RenderLimits(pixels: 1, side: 2, pages: 3, inputBytes: 4),
    threads: 2,
    resources: ["looks/wärm.cube", "mask.png"]
  )

  /// Combinations in combinations, a bitmap at the bottom.
  static func nested(depth: Int) -> FilterMask {
    guard depth > 1 else {
      return FilterMask(
        kind: "bitmap", parameters: [.init(name: "path", value: .file("mask.png"))],
        isInverted: true)
    }
    let gradient = FilterMask(
      kind: "linear", parameters: [.init(name: "from", value: .numbers([0, 0.5]))])
    return FilterMask(
      kind: "combine", parameters: [.init(name: "mode", value: .text("multiply"))],
      parts: [nested(depth: depth - 1), gradient])
  }

  /// A request to render with one filter under this mask.
  static func masked(_ mask: FilterMask) -> JobRequest {
    let step = FilterStep(name: "exposure", version: 1, parameters: [], mask: mask)
    return .go(GoRequest(plan: RenderPlan(filters: [step], renditions: []), addressSpace: 1))
  }

  static let output = RenderResult.Output(
    name: "full", type: .jpeg, bytes: 10, width: 4, height: 3, profile: "sRGB", bitDepth: 8,
    quality: 61, pixelDigest: "5e", profileDigest: "ab")

  static let requests: [JobRequest] = [
    .header(limits: RenderLimits(), tolerant: false, rawSource: .embeddedPreview),
    .go(GoRequest(plan: plan, addressSpace: 1 << 40)),
    .go(
      GoRequest(
        plan: plan, addressSpace: 5, fault: InjectedFault(kind: .spin, afterMilliseconds: 12))),
    .probe(name: "openFile"),
    .verify([output], .full), .verify([], .header),
  ]

  static let replies: [JobReply] = [
    .header(
      AssetHeader(
        type: .heic, width: 4032, height: 3024, pages: 2, bands: 4, bitDepth: 16, orientation: 6,
        hasAlpha: true, profile: "Display P3", captured: "2024-01-02T03:04:05.678+02:00",
        needsWholePicture: true), milliseconds: 1.5),
    .rendered(
      RenderResult(
        outputs: [output], losses: ["alpha", "xmp"], lossNotes: ["xmp": "too large"],
        damage: ["row 7"],
        notes: ["so"],
        stageTimes: StageTimes(header: 1, decode: 2, filter: 3, encode: 4))),
    .failed(RenderFailure(code: .truncated, stage: .decode, detail: "cut off")),
    .probed(refused: true, observed: "EACCES"), .verified,
  ]

  static let events: [ZygoteEvent] = [
    .ready(WorkerDescription(engine: ["libvips": "8.14.1", "a": "b"], sandbox: ["seccomp"])),
    .refused(SandboxRefusal(layer: "landlock", detail: "not in this kernel")),
    .spawned(token: 9, pid: 1234),
    .spawnFailed(token: .max, errno: 11),
    .reaped(
      token: 1,
      exit: ProcessExit(
        status: .signalled(31), userMicroseconds: 5, systemMicroseconds: 6, peakResidentBytes: 7)),
    .reaped(
      token: 1,
      exit: ProcessExit(
        status: .exited(3), userMicroseconds: 0, systemMicroseconds: 0, peakResidentBytes: 0)),
  ]

  @Test("requests to a job process arrive as they were sent", arguments: requests)
  func jobRequest(request: JobRequest) throws {
    #expect(try JobRequest(decoding: request.encoded()) == request)
  }

  @Test("replies of a job process arrive as they were sent", arguments: replies)
  func jobReply(reply: JobReply) throws {
    #expect(try JobReply(decoding: reply.encoded()) == reply)
  }

  @Test("events of the zygote arrive as they were sent", arguments: events)
  func zygoteEvent(event: ZygoteEvent) throws {
    #expect(try ZygoteEvent(decoding: event.encoded()) == event)
  }

  @Test("a spawn request arrives as it was sent")
  func spawnRequest() throws {
    let request = ZygoteRequest.spawn(
      SpawnRequest(
        token: 1, addressSpace: 2, cpuSeconds: 3, outputBytes: 4, resourceCount: 5))
    #expect(try ZygoteRequest(decoding: request.encoded()) == request)
  }

  @Test("masks may be nested sixteen deep and no deeper")
  func deepMasks() throws {
    let deepest = Self.masked(Self.nested(depth: 16))
    #expect(try JobRequest(decoding: deepest.encoded()) == deepest)
    let error = #expect(throws: MessageError.self) {
      try JobRequest(decoding: Self.masked(Self.nested(depth: 17)).encoded())
    }
    #expect(error?.reason == "masks nested too deeply")
  }

  @Test("a parameter of an unknown kind is refused")
  func unknownParameter() {
    let step = FilterStep(
      name: "f", version: 1, parameters: [.init(name: "marker", value: .file("x"))])
    var bytes = JobRequest.go(
      GoRequest(plan: RenderPlan(filters: [step], renditions: []), addressSpace: 1)
    ).encoded()
    let name = Array("marker".utf8)
    // The kind's byte comes right after the name.
    let start = bytes.indices.first { bytes[$0...].starts(with: name) }
    guard let start else { return #expect(Bool(false), "the name is not in the message") }
    #expect(bytes[start + name.count] == 4)
    bytes[start + name.count] = 5
    let error = #expect(throws: MessageError.self) { try JobRequest(decoding: bytes) }
    #expect(error?.reason == "an unknown kind of parameter")
  }

  @Test("an option that nobody knows is refused")
  func unknownOption() {
    var bytes = JobRequest.go(GoRequest(plan: Self.plan, addressSpace: 1)).encoded()
    let name = Array("compression".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else {
      return #expect(Bool(false), "the name is not in the message")
    }
    bytes[start] = UInt8(ascii: "k")
    let error = #expect(throws: MessageError.self) { try JobRequest(decoding: bytes) }
    #expect(error?.reason == "kompression is no Name")
  }

  @Test("a request cut at any byte is refused and never traps", arguments: requests)
  func cutRequest(request: JobRequest) {
    let bytes = request.encoded()
    for length in 0..<bytes.count {
      #expect(throws: MessageError.self) { try JobRequest(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: MessageError.self) { try JobRequest(decoding: bytes + [0]) }
  }

  @Test("a request with any one byte changed never traps", arguments: requests)
  func changedRequest(request: JobRequest) {
    let bytes = request.encoded()
    for index in bytes.indices {
      for value in [UInt8(0), 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = try? JobRequest(decoding: changed)
      }
    }
  }

  @Test("a reply cut at any byte is refused and never traps", arguments: replies)
  func cutReply(reply: JobReply) {
    let bytes = reply.encoded()
    for length in 0..<bytes.count {
      #expect(throws: MessageError.self) { try JobReply(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: MessageError.self) { try JobReply(decoding: bytes + [0]) }
  }

  @Test("a reply with any one byte changed never traps", arguments: replies)
  func changedReply(reply: JobReply) {
    let bytes = reply.encoded()
    for index in bytes.indices {
      for value in [UInt8(0), 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = try? JobReply(decoding: changed)
      }
    }
  }

  @Test("a list that claims more elements than bytes is refused before memory is taken")
  func lyingList() {
    var writer = MessageWriter()
    writer.write(UInt8(2))
    writer.write(UInt32.max)
    #expect(throws: MessageError.self) { try JobReply(decoding: writer.bytes) }
  }

  @Test("a worker of another protocol version is refused with the remedy")
  func otherVersion() {
    var writer = MessageWriter()
    writer.write(UInt8(1))
    writer.write(ProtocolVersion.current + 1)
    writer.write(UInt32(0))
    writer.write(UInt32(0))
    let error = #expect(throws: MessageError.self) { try ZygoteEvent(decoding: writer.bytes) }
    #expect(error?.reason.contains("one build") == true)
  }
}
