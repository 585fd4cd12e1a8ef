import CImagingShim
import ColourEngine
import Glibc
import RenderModel

/// One pass from encoded bytes to encoded bytes, for all renditions.
struct RenderWork {
  let picture: OpenedPicture
  let geometry: RenderGeometry
  var context: StageContext
  let renditions: [Rendition]
  /// One for each rendition.
  let colours: [OutputColour]
  let descriptors: [Int32]
  let isStrict: Bool
  /// What the renditions lack by their settings.
  var losses = LossList()

  mutating func run(_ tap: borrowing DecodeTap) throws(RenderFailure) -> RenderResult {
    var result = RenderResult(outputs: [])
    var clock = StageClock()
    if streams { context.analyses = try surveyFromSource() }
    let decoded = try decode(tap)
    // The decoder is gone and has said all it has to say, before any output is written.
    if !streams { try picture.refuseDamage(isStrict) }
    result.stageTimes.decode = clock.lap()
    if !streams { context.analyses = try survey(decoded, tap) }
    for (index, rendition) in renditions.enumerated() {
      let colour = colours[index]
      let output = geometry.outputs[index]
      let image: PipelineImage
      do throws(LibraryError) {
        image = try pipeline(decoded, to: output, colour, tap)
      } catch {
        throw failure(error, tap, .filter)
      }
      result.stageTimes.filter += clock.lap()
      let entry = try write(image, rendition, output, colour, descriptors[index], tap)
      result.outputs.append(entry)
      losses.add(LossList(colour.foundLosses))
      result.notes += colour.notes(on: rendition)
      result.stageTimes.encode += clock.lap()
    }
    return result
  }

  /// Whether pixels go from decoder to encoder without ever being all in memory.
  var streams: Bool {
    renditions.count == 1 && !geometry.needsRandomAccess && picture.raw == nil
  }

  /// Streams for one rendition; else the whole picture is decoded into memory, as stored.
  private func decode(_ tap: borrowing DecodeTap) throws(RenderFailure) -> PipelineImage {
    let loaded = try load(tap)
    do throws(LibraryError) {
      return streams ? loaded : try loaded.inMemory()
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: picture.content.name, stage: .decode)
    }
  }

  /// Opens the source once more; its pixels are decoded when they are asked for.
  func load(_ tap: borrowing DecodeTap) throws(RenderFailure) -> PipelineImage {
    picture.decodes += 1
    if let raw = picture.raw {
      let developed = try raw.develop(isStrict: isStrict)
      picture.colour = developed.colour
      picture.damage += developed.damage
      return developed.image
    }
    do throws(LibraryError) {
      let loaded = try picture.image(isStrict: isStrict, reduction: context.reduction)
      return try loaded.tapped(by: tap)
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: picture.content.name, stage: .decode)
    }
  }

  private func pipeline(
    _ decoded: borrowing PipelineImage, to output: RenderGeometry.Output, _ colour: OutputColour,
    _ tap: borrowing DecodeTap
  ) throws(LibraryError) -> PipelineImage {
    var stages = PixelStages(
      try picture.colour.prepare(decoded, colour.intent), layout: picture.colour.layout,
      context: context)
    for (index, stage) in geometry.stages.enumerated() { try stages.apply(stage, index: index) }
    try stages.resample(to: output.resampled, part: output.part)
    let staged = try stages.encode(colour.staged, gamut: colour.gamut)
    let encoded =
      if let managed = colour.managed {
        try staged.converted(.fromWorking, managed, colour.intent)
      } else {
        staged
      }
    let whole = streams && isStrict ? try encoded.thenReading(decoded, toEndBy: tap) : encoded
    return geometry.orientation == .upright ? whole : try whole.oriented(geometry.orientation)
  }

  private mutating func write(
    _ image: borrowing PipelineImage, _ rendition: Rendition, _ output: RenderGeometry.Output,
    _ colour: OutputColour, _ descriptor: Int32, _ tap: borrowing DecodeTap
  ) throws(RenderFailure) -> RenderResult.Output {
    var quality: Int?
    do throws(LibraryError) {
      let final = try image.copy()
      final.keepOnly(profile: colour.profile)
      let (facts, metadata) = preparedMetadata(rendition, output, colour)
      var isPlaced = true
      quality = try OutputEncoder(rendition, colour).encode(final, to: descriptor) {
        () throws(LibraryError) in
        isPlaced = try MetadataPlacement.put(
          metadata, into: EncodedFile(descriptor: descriptor), facts)
      }
      if !isPlaced { losses.add(metadata.unplaced) }
    } catch {
      throw failure(error, tap, .encode)
    }
    if let quality, quality < rendition.quality { losses.add(.quality) }
    return RenderResult.Output(
      name: rendition.name, type: rendition.type, bytes: FileBytes.size(of: descriptor) ?? 0,
      width: output.final.width, height: output.final.height, profile: colour.profileName,
      bitDepth: colour.bitDepth, quality: quality,
      // What JPEG XL keeps of a profile is not its bytes.
      profileDigest: rendition.type == .jpegXL ? nil : OutputFacts.digest(of: colour.profile))
  }

  private mutating func preparedMetadata(
    _ rendition: Rendition, _ output: RenderGeometry.Output, _ colour: OutputColour
  ) -> (RenditionFacts, EncodedMetadata) {
    let keepsFrame = geometry.keepsFrame(output)
    let facts = RenditionFacts(
      type: rendition.type, size: output.final, isSRGB: colour.isSRGB, keepsFrame: keepsFrame,
      keepsSize: keepsFrame && output.final == geometry.size)
    let metadata = OutputMetadata(rendition, facts).encode(picture.metadata)
    losses.add(metadata.losses)
    return (facts, metadata)
  }

  func failure(
    _ error: LibraryError, _ tap: borrowing DecodeTap, _ stage: RenderStage
  ) -> RenderFailure {
    tap.decoderFailed
      ? FailureText.decoding(
        error, messages: LibraryMessages.all, name: picture.content.name, stage: .decode)
      : FailureText.rendering(error, messages: LibraryMessages.all, stage: stage)
  }
}

/// Milliseconds between one lap and the next.
struct StageClock {
  private var last = Self.now

  mutating func lap() -> Double {
    let now = Self.now
    defer { last = now }
    return now - last
  }

  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}
