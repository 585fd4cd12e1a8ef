import RenderModel

extension MessageWriter {
  mutating func write(_ limits: RenderLimits) {
    write(limits.pixels)
    write(limits.side)
    write(limits.pages)
    write(limits.inputBytes)
  }

  mutating func write(_ plan: RenderPlan) {
    write(list: plan.filters) { $0.write($1) }
    write(list: plan.renditions) { $0.write($1) }
    write(plan.tolerant)
    write(plan.limits)
    write(plan.threads)
    write(list: plan.resources) { $0.write($1) }
    write(plan.refreshesMetadata)
  }

  private mutating func write(_ rendition: Rendition) {
    write(rendition.name)
    write(rendition.type.rawValue)
    write(optional: rendition.targetSize) {
      $0.write($1.width)
      $0.write($1.height)
    }
    write(rendition.contentMode.rawValue)
    write(rendition.deliveryMode.rawValue)
    write(rendition.enlarge)
    write(rendition.quality)
    write(optional: rendition.bitDepth) { $0.write($1) }
    write(rendition.colorSpace.rawValue)
    write(optional: rendition.profile) { $0.write($1) }
    write(rendition.renderingIntent.rawValue)
    write(rendition.blackPointCompensation)
    write(rendition.metadata.rawValue)
    write(rendition.location.rawValue)
    write(rendition.options)
  }

  mutating func write(_ header: AssetHeader) {
    write(header.type.rawValue)
    write(header.width)
    write(header.height)
    write(header.pages)
    write(header.bands)
    write(header.bitDepth)
    write(header.orientation)
    write(header.hasAlpha)
    write(header.profile)
    write(optional: header.captured) { $0.write($1) }
    write(header.needsWholePicture)
    write(list: header.notes) { $0.write($1) }
  }

  mutating func write(_ output: RenderResult.Output) {
    write(output.name)
    write(output.type.rawValue)
    write(output.bytes)
    write(output.width)
    write(output.height)
    write(output.profile)
    write(output.bitDepth)
    write(optional: output.quality) { $0.write($1) }
    write(optional: output.pixelDigest) { $0.write($1) }
    write(optional: output.profileDigest) { $0.write($1) }
  }

  mutating func write(_ result: RenderResult) {
    write(list: result.outputs) { $0.write($1) }
    write(list: result.losses) { $0.write($1) }
    write(list: result.lossNotes.sorted { $0.key < $1.key }) {
      $0.write($1.key)
      $0.write($1.value)
    }
    write(list: result.damage) { $0.write($1) }
    write(list: result.notes) { $0.write($1) }
    write(result.stageTimes.header)
    write(result.stageTimes.decode)
    write(result.stageTimes.filter)
    write(result.stageTimes.encode)
  }
}

extension MessageReader {
  mutating func readLimits() throws(MessageError) -> RenderLimits {
    RenderLimits(
      pixels: try readInt(), side: try readInt(), pages: try readInt(), inputBytes: try readInt())
  }

  mutating func readPlan() throws(MessageError) -> RenderPlan {
    RenderPlan(
      filters: try readList { (reader) throws(MessageError) in try reader.readStep() },
      renditions: try readList { (reader) throws(MessageError) in try reader.readRendition() },
      tolerant: try readBool(), limits: try readLimits(), threads: try readInt(),
      resources: try readList { (reader) throws(MessageError) in try reader.readString() },
      refreshesMetadata: try readBool())
  }

  private mutating func readRendition() throws(MessageError) -> Rendition {
    Rendition(
      name: try readString(), type: UniformType(rawValue: try readString()),
      targetSize: try readOptional { (reader) throws(MessageError) in
        Rendition.TargetSize(width: try reader.readInt(), height: try reader.readInt())
      },
      contentMode: try readCase(Rendition.ContentMode.self),
      deliveryMode: try readCase(Rendition.DeliveryMode.self), enlarge: try readBool(),
      quality: try readInt(),
      bitDepth: try readOptional { (reader) throws(MessageError) in try reader.readInt() },
      colorSpace: try readCase(Rendition.ColorSpace.self),
      profile: try readOptional { (reader) throws(MessageError) in try reader.readString() },
      renderingIntent: try readCase(Rendition.RenderingIntent.self),
      blackPointCompensation: try readBool(),
      metadata: try readCase(Rendition.MetadataPolicy.self),
      location: try readCase(Rendition.LocationPolicy.self), options: try readOptions())
  }

  mutating func readHeader() throws(MessageError) -> AssetHeader {
    AssetHeader(
      type: UniformType(rawValue: try readString()), width: try readInt(), height: try readInt(),
      pages: try readInt(), bands: try readInt(), bitDepth: try readInt(),
      orientation: try readInt(), hasAlpha: try readBool(), profile: try readString(),
      captured: try readOptional { (reader) throws(MessageError) in try reader.readString() },
      needsWholePicture: try readBool(),
      notes: try readList { (reader) throws(MessageError) in try reader.readString() })
  }

  mutating func readOutput() throws(MessageError) -> RenderResult.Output {
    RenderResult.Output(
      name: try readString(), type: UniformType(rawValue: try readString()), bytes: try readInt(),
      width: try readInt(), height: try readInt(), profile: try readString(),
      bitDepth: try readInt(),
      quality: try readOptional { (reader) throws(MessageError) in try reader.readInt() },
      pixelDigest: try readOptional { (reader) throws(MessageError) in try reader.readString() },
      profileDigest: try readOptional { (reader) throws(MessageError) in try reader.readString() })
  }

  mutating func readResult() throws(MessageError) -> RenderResult {
    RenderResult(
      outputs: try readList { (reader) throws(MessageError) in try reader.readOutput() },
      losses: try readList { (reader) throws(MessageError) in try reader.readString() },
      lossNotes: Dictionary(
        try readList { (reader) throws(MessageError) in
          (try reader.readString(), try reader.readString())
        }, uniquingKeysWith: { first, _ in first }),
      damage: try readList { (reader) throws(MessageError) in try reader.readString() },
      notes: try readList { (reader) throws(MessageError) in try reader.readString() },
      stageTimes: StageTimes(
        header: try readDouble(), decode: try readDouble(), filter: try readDouble(),
        encode: try readDouble()))
  }
}
