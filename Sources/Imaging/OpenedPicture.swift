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
  /// Of a RAW's sensor data, settled when it is developed.
  var colour: SourceColour
  /// The sensor's data in place of a decoder; nil for other pictures.
  let raw: RAWPicture?
  let structure: JPEGStructure?
  /// What every rendition lacks, whatever its settings are.
  let losses: LossList
  let metadata: MetadataBlocks
  /// How the picture was understood, where that is not plain.
  let notes: [String]
  /// The damage that opening, or developing a RAW, went past; empty for a whole file.
  var damage: [String]
  /// nil for a RAW's sensor data.
  let decoder: (any PictureDecoder)?
  let headerMilliseconds: Double

  /// Reads the header of a file; the descriptor stays the caller's and stays open until the picture
  /// is gone.
  ///
  /// `tolerant`: a damaged file is opened as far as it goes. `rawSource`: nil refuses RAW files.
  package static func open(
    descriptor: Int32, limits: RenderLimits, tolerant: Bool, rawSource: RAWSource? = .sensor
  ) -> Result<OpenedPicture, RenderFailure> {
    do throws(RenderFailure) {
      return .success(
        try OpenedPicture(descriptor, limits, rawSource, isStrict: true, damage: []))
    } catch {
      guard tolerant, error.code == .truncated || error.code == .unreadable else {
        return .failure(error)
      }
      let damage = error.detail
      return Result { () throws(RenderFailure) in
        try OpenedPicture(descriptor, limits, rawSource, isStrict: false, damage: [damage])
      }
    }
  }

  private init(
    _ descriptor: Int32, _ limits: RenderLimits, _ rawSource: RAWSource?, isStrict: Bool,
    damage: [String]
  ) throws(RenderFailure) {
    var clock = StageClock()
    LibraryMessages.clear()
    var content = try ContentType(recognising: descriptor, limits)
    if content.isRAW, rawSource == nil {
      throw RenderFailure(
        code: .unsupportedType, stage: .header,
        detail: "this is \(content.name), which only an original can be")
    }
    if content.isRAW, rawSource == .sensor {
      let raw = try RAWPicture(descriptor, content, limits, isStrict: isStrict)
      self.raw = raw
      header = raw.header
      colour = raw.colour
      notes = raw.notes
      losses = LossList(raw.losses)
      metadata = raw.metadata
      structure = nil
      decoder = nil
      self.content = content
      self.damage = damage
      headerMilliseconds = clock.lap()
      return
    }
    let preview = content.isRAW ? try RAWPreview(descriptor, content) : nil
    if let preview { content = preview.content }
    let input: PictureInput
    if let preview {
      input = try PictureInput(preview)
    } else {
      do throws(LibraryError) {
        input = try PictureInput(descriptor, content)
      } catch {
        throw FailureText.decoding(error, messages: [], name: content.name, stage: .header)
      }
    }
    if let reason = input.structure?.unsupported {
      throw RenderFailure(
        code: .unsupportedType, stage: .header,
        detail: "this is a JPEG \(reason), which is not rendered")
    }
    if isStrict && input.isCutOff { throw FailureText.cutOff(name: content.name) }
    let image: PipelineImage
    do throws(LibraryError) {
      image = try input.decoder.image(isStrict: isStrict, reduction: 1)
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: content.name, stage: .header)
    }
    let signals = input.signals(of: image)
    guard let colour = SourceColour(image, signals) else {
      throw RenderFailure(
        code: .unsupportedType, stage: .header,
        detail: "this is \(content.name) whose samples are of a kind that is not rendered yet")
    }
    var header = AssetHeader(image, input: input, content: content, colour: colour)
    preview?.complete(
      &header, ownOrientation: image.has("orientation") ? header.orientation : nil)
    if let refusal = limits.refusal(of: header) {
      throw RenderFailure(code: .limitExceeded, stage: .header, detail: refusal)
    }
    var metadata = MetadataBlocks(image)
    if let own = input.metadata { metadata = own }
    if header.captured == nil { header.captured = metadata.captured }
    self.header = header
    self.content = content
    self.colour = colour
    structure = input.structure
    raw = nil
    notes = colour.notes + (preview?.notes(header) ?? [])
    var losses = LossList(
      colour.losses + input.decoder.losses + header.pageLosses + (preview?.losses ?? []))
    if metadata.promisesVideo || input.structure?.hasVideo == true { losses.add(.motionVideo) }
    losses.add(metadata.losses)
    self.losses = losses
    self.metadata = metadata
    self.damage = damage
    decoder = input.decoder
    headerMilliseconds = clock.lap()
  }
}

extension OpenedPicture {
  /// The picture as stored, from the start; a RAW's sensor data is developed instead.
  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    guard let decoder else { throw LibraryError(text: "sensor data has no decoder") }
    return try decoder.image(isStrict: isStrict, reduction: reduction)
  }
}

extension JPEGStructure {
  /// Why the decoder cannot read it, in words that follow `a JPEG`; nil when it can.
  var unsupported: String? {
    if isHierarchical { return "of the hierarchical kind" }
    if frame == 0xF7 { return "of the JPEG-LS kind" }
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
    if type == .tiff, let raw = Self.raw(insideTIFF: descriptor) { self = raw }
    if !UniformType.readable.contains(type) {
      throw RenderFailure(code: .unsupportedType, stage: .header, detail: refusal)
    }
  }

  private var refusal: String {
    switch type {
    case .data: "the file is \(name)"
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
    // No loader must see it.
    default: minilab_codec(0)
    }
  }
}

extension AssetHeader {
  fileprivate init(
    _ image: borrowing PipelineImage, input: PictureInput, content: ContentType,
    colour: SourceColour
  ) {
    let size = image.size
    let bands = image.bands
    let decodesWhole =
      input.decoder.decodesWhole
      || image.integer("interlaced") == 1 || image.integer("jpeg-multiscan") == 1
    self.init(
      type: content.type, width: size.width, height: size.height,
      pages: max(1, image.integer("n-pages") ?? 1), bands: bands,
      bitDepth: colour.sourceBits(image.format),
      orientation: Orientation(image.integer("orientation") ?? 1)?.number ?? 1,
      hasAlpha: colour.layout.hasAlpha, profile: colour.profileName,
      captured: CaptureDate.read(image), needsWholePicture: decodesWhole, notes: input.notes)
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
