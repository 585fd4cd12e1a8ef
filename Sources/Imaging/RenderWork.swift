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
      let colour = OutputColour(
        rendition, from: picture.colour, sourceBits: picture.header.bitDepth)
      let output = geometry.outputs[index]
      let image: PipelineImage
      do throws(LibraryError) {
        image = try pipeline(decoded, to: output, colour, tap)
      } catch {
        throw failure(error, tap, .filter)
      }
      result.stageTimes.filter += clock.lap()
      losses.add(LossList(colour.losses))
      let entry = try write(image, rendition, output, colour, descriptors[index], tap)
      result.outputs.append(entry)
      result.stageTimes.encode += clock.lap()
    }
    return result
  }

  /// Whether pixels go from decoder to encoder without ever being all in memory.
  var streams: Bool {
    renditions.count == 1 && !geometry.needsRandomAccess
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
    do throws(LibraryError) {
      let loaded = try PipelineImage(
        source: picture.source,
        options: minilab_load_options(
          codec: picture.content.codec, sequential: 1, fail_on_truncated: isStrict ? 1 : 0,
          shrink: Int32(context.reduction)))
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
      try picture.colour.prepare(decoded), layout: picture.colour.layout, context: context)
    for (index, stage) in geometry.stages.enumerated() { try stages.apply(stage, index: index) }
    try stages.resample(to: output.resampled, part: output.part)
    let encoded = try stages.encode(colour.layout)
    let whole = streams && isStrict ? try encoded.thenReading(decoded, toEndBy: tap) : encoded
    return geometry.orientation == .upright ? whole : try whole.oriented(geometry.orientation)
  }

  private mutating func write(
    _ image: borrowing PipelineImage, _ rendition: Rendition, _ output: RenderGeometry.Output,
    _ colour: OutputColour, _ descriptor: Int32, _ tap: borrowing DecodeTap
  ) throws(RenderFailure) -> RenderResult.Output {
    // A damaged picture may be tried twice, and then the first try has left bytes.
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw RenderFailure(
        code: .internal, stage: .encode, detail: "the output cannot be emptied: error \(errno)")
    }
    do throws(LibraryError) {
      let final = try image.copy()
      final.keepOnly(profile: colour.profile, density: rendition.metadata == .keep)
      try final.save(
        to: descriptor,
        options: minilab_save_options(
          codec: rendition.type.encoder, quality: Int32(min(max(rendition.quality, 1), 100)),
          bit_depth: Int32(colour.bitDepth)))
      try putMetadata(rendition, output, colour, descriptor)
    } catch {
      throw failure(error, tap, .encode)
    }
    return try OutputCheck(rendition, expected: output.final, colour: colour).verify(descriptor)
  }

  private mutating func putMetadata(
    _ rendition: Rendition, _ output: RenderGeometry.Output, _ colour: OutputColour,
    _ descriptor: Int32
  ) throws(LibraryError) {
    let keepsFrame = geometry.keepsFrame(output)
    let facts = RenditionFacts(
      type: rendition.type, size: output.final, isSRGB: colour.isSRGB, keepsFrame: keepsFrame,
      keepsSize: keepsFrame && output.final == geometry.size)
    let metadata = OutputMetadata(rendition, facts).encode(picture.metadata)
    losses.add(metadata.losses)
    let file = EncodedFile(descriptor: descriptor)
    if try !MetadataPlacement.put(metadata, into: file, facts) {
      losses.add(metadata.unplaced)
    }
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

extension UniformType {
  var encoder: minilab_codec {
    switch self {
    case .png: MINILAB_CODEC_PNG
    case .webP: MINILAB_CODEC_WEBP
    case .tiff: MINILAB_CODEC_TIFF
    case .avif: MINILAB_CODEC_AVIF
    default: MINILAB_CODEC_JPEG
    }
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
