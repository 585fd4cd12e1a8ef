import CImagingShim
import ColourEngine
package import RenderModel

/// A picture whose header has been read and whose pixels have not been decoded yet.
///
/// The libraries keep their messages in one place for the process, so one picture is worked on at a
/// time.
package final class OpenedPicture {
  package let header: AssetHeader
  /// How often pixels have been decoded for renders so far.
  package internal(set) var decodes = 0

  let content: ContentType
  let colour: SourceColour
  let structure: JPEGStructure?
  /// What every rendition lacks, whatever its settings are.
  let losses: LossList
  let metadata: MetadataBlocks
  /// The damage that opening went past; empty for a whole file.
  let damage: [String]
  let source: PictureSource
  let headerMilliseconds: Double

  /// Reads the header of a file; the descriptor stays the caller's and stays open until the picture
  /// is gone.
  ///
  /// `tolerant`: a damaged file is opened as far as it goes.
  package static func open(
    descriptor: Int32, limits: RenderLimits, tolerant: Bool
  ) -> Result<OpenedPicture, RenderFailure> {
    do throws(RenderFailure) {
      return .success(try OpenedPicture(descriptor, limits, isStrict: true, damage: []))
    } catch {
      guard tolerant, error.code == .truncated || error.code == .unreadable else {
        return .failure(error)
      }
      let damage = error.detail
      return Result { () throws(RenderFailure) in
        try OpenedPicture(descriptor, limits, isStrict: false, damage: [damage])
      }
    }
  }

  private init(
    _ descriptor: Int32, _ limits: RenderLimits, isStrict: Bool, damage: [String]
  ) throws(RenderFailure) {
    var clock = StageClock()
    LibraryMessages.clear()
    let content = try ContentType(recognising: descriptor, limits)
    let input = try PictureInput(descriptor, content)
    if let reason = input.structure?.unsupported {
      throw RenderFailure(
        code: .unsupportedType, stage: .header,
        detail: "this is a JPEG \(reason), which is not rendered")
    }
    let image: PipelineImage
    do throws(LibraryError) {
      image = try PipelineImage(
        source: input.source,
        options: minilab_load_options(
          codec: content.codec, sequential: 1, fail_on_truncated: isStrict ? 1 : 0, shrink: 1))
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: content.name, stage: .header)
    }
    guard let colour = SourceColour(image) else {
      throw RenderFailure(
        code: .unsupportedType, stage: .header,
        detail: "this is \(content.name) whose samples are of a kind that is not rendered yet")
    }
    var header = AssetHeader(image, content: content, colour: colour)
    if let hints = input.hints, !hints.hasTransforms, header.orientation == 1,
      let number = image.bytes("exif-data").flatMap({ EXIFBlock.orientation(of: $0) })
    {
      header.orientation = number
    }
    if let refusal = limits.refusal(of: header) {
      throw RenderFailure(code: .limitExceeded, stage: .header, detail: refusal)
    }
    var metadata = MetadataBlocks(image)
    if let own = input.metadata { metadata = own }
    if metadata.xmp == nil { metadata.xmp = input.xmp }
    if header.captured == nil { header.captured = metadata.captured }
    self.header = header
    self.content = content
    self.colour = colour
    structure = input.structure
    var losses = LossList(colour.losses + input.losses + header.pageLosses)
    if metadata.promisesVideo || input.structure?.hasVideo == true { losses.add(.motionVideo) }
    if losses.names.contains(Loss.gainMap.rawValue) { metadata.losses.remove(.pages) }
    losses.add(metadata.losses)
    self.losses = losses
    self.metadata = metadata
    self.damage = damage
    source = input.takeSource()
    headerMilliseconds = clock.lap()
  }
}

/// The bytes of a picture made ready for its decoder.
private struct PictureInput: ~Copyable {
  var source: PictureSource
  var structure: JPEGStructure?
  var hints: HEIFHints?
  var losses: [String] = []
  /// nil: what the library has read.
  var metadata: MetadataBlocks?
  /// What the library does not read of a HEIF.
  var xmp: [UInt8]?

  init(_ descriptor: Int32, _ content: ContentType) throws(RenderFailure) {
    do throws(LibraryError) {
      if content.type == .jpeg {
        try self.init(jpeg: descriptor)
      } else {
        try self.init(descriptor, hints: HEIFHints(descriptor, content.type))
        if hints != nil { xmp = HEIFPlacement.xmp(of: EncodedFile(descriptor: descriptor)) }
        if content.type == .tiff, let count = FileBytes.size(of: descriptor),
          let file = FileBytes(descriptor: descriptor, count: count)
        {
          metadata = MetadataBlocks(tiff: file)
        }
      }
    } catch {
      throw FailureText.decoding(error, messages: [], name: content.name, stage: .header)
    }
  }

  private init(_ descriptor: Int32, hints: HEIFHints?) throws(LibraryError) {
    source = try PictureSource(descriptor: descriptor)
    self.hints = hints
    losses = hints?.losses ?? []
  }

  private init(jpeg descriptor: Int32) throws(LibraryError) {
    guard let count = FileBytes.size(of: descriptor),
      var file = FileBytes(descriptor: descriptor, count: count)
    else { throw LibraryError(text: "the file cannot be read into memory") }
    let structure = JPEGStructure(file)
    metadata = file.withSpan { JPEGMetadata.read($0) }
    file.normalize(structure)
    source = try PictureSource(file)
    self.structure = structure
    losses = (structure.hasGainMap ? ["gainMap"] : []) + (structure.hasDepth ? ["depth"] : [])
  }

  consuming func takeSource() -> PictureSource { source }
}

extension JPEGStructure {
  /// Why the decoder cannot read it, in words that follow `a JPEG`; nil when it can.
  var unsupported: String? {
    if isHierarchical { return "of the hierarchical kind" }
    if isLossless { return "of the lossless kind" }
    if precision != 8 { return "with \(precision) bits a sample" }
    return nil
  }
}

extension ContentType {
  /// Refuses what is not a picture that is rendered, and files that are empty or too large.
  init(recognising descriptor: Int32, _ limits: RenderLimits) throws(RenderFailure) {
    guard let count = FileBytes.size(of: descriptor),
      let head = FileBytes.head(of: descriptor, count: Self.headLength)
    else {
      throw RenderFailure(code: .unreadable, stage: .header, detail: "the file cannot be read")
    }
    if head.isEmpty {
      throw RenderFailure(code: .unreadable, stage: .header, detail: "the file is empty")
    }
    if count > limits.inputBytes {
      throw RenderFailure(
        code: .limitExceeded, stage: .header,
        detail: "\(count) bytes are more than the limit of \(limits.inputBytes) (limits.inputBytes)"
      )
    }
    self.init(head)
    if !UniformType.readable.contains(type) {
      throw RenderFailure(code: .unsupportedType, stage: .header, detail: refusal)
    }
  }

  private var refusal: String {
    switch type {
    case .data: "the file is \(name)"
    case .rawImage, .dng: "this is \(name); RAW is not rendered yet"
    case .movie: "this is \(name), not a picture"
    default: "this is \(name), which is not rendered"
    }
  }

  var codec: minilab_codec {
    switch type {
    case .jpeg: MINILAB_CODEC_JPEG
    case .png: MINILAB_CODEC_PNG
    case .webP: MINILAB_CODEC_WEBP
    case .tiff: MINILAB_CODEC_TIFF
    case .gif: MINILAB_CODEC_GIF
    default: MINILAB_CODEC_HEIF
    }
  }
}

extension AssetHeader {
  fileprivate init(
    _ image: borrowing PipelineImage, content: ContentType, colour: SourceColour
  ) {
    let size = image.size
    let bands = image.bands
    let decodesWhole =
      [UniformType.webP, .gif, .heic, .heif, .avif].contains(content.type)
      || image.integer("interlaced") == 1 || image.integer("jpeg-multiscan") == 1
    self.init(
      type: content.type, width: size.width, height: size.height,
      pages: max(1, image.integer("n-pages") ?? 1), bands: bands,
      bitDepth: colour.sourceBits(image.format),
      orientation: Orientation(image.integer("orientation") ?? 1)?.number ?? 1,
      hasAlpha: colour.layout.hasAlpha, profile: colour.profileName,
      captured: CaptureDate.read(image), needsWholePicture: decodesWhole)
  }

  fileprivate var pageLosses: [String] {
    guard pages > 1 else { return [] }
    return type == .tiff || type == .heic || type == .heif ? ["pages"] : ["animation"]
  }
}

extension SourceColour {
  fileprivate func sourceBits(_ format: minilab_format) -> Int {
    switch format {
    case MINILAB_FORMAT_UINT8: 8
    case MINILAB_FORMAT_UINT16: 16
    default: 32
    }
  }
}
