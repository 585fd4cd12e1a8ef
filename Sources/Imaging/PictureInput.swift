import CImagingShim
import ColourEngine
import RenderModel

/// A file made ready for its decoder.
struct PictureInput {
  let decoder: any PictureDecoder
  /// nil for other types.
  let structure: JPEGStructure?
  /// What the file is beside its type, in words.
  let notes: [String]
  /// What the container says of its colours; the decoded picture may say more.
  private let signals: ColourSignals
  /// nil: what the decoder has read.
  let metadata: MetadataBlocks?
  /// Whether the file ends before all that its container announces, as a walk over it has found; what
  /// decoders find for themselves is theirs to say.
  let isCutOff: Bool

  init(_ descriptor: Int32, _ content: ContentType) throws(LibraryError) {
    switch content.type {
    case .jpeg: try self.init(jpeg: .whole(descriptor))
    case .png: self.init(try PNGDecoder(.whole(descriptor)))
    case .gif: try self.init(gif: .whole(descriptor))
    case .heic, .heif, .avif: self.init(try HEIFDecoder(.whole(descriptor)))
    case .webP: try self.init(webP: .whole(descriptor))
    case .jpegXL: self.init(try JXLDecoder(.whole(descriptor)))
    case .jpeg2000:
      let decoder = try JPEG2000Decoder(.whole(descriptor))
      self.init(decoder, notes: decoder.notes)
    case .tiff: try self.init(tiff: descriptor)
    default:
      self.init(LibraryDecoder(try PictureSource(descriptor: descriptor), content.codec))
    }
  }

  private init(tiff descriptor: Int32) throws(LibraryError) {
    let file = try FileBytes.whole(descriptor)
    let pages = TIFFPages(file)
    let metadata = MetadataBlocks(tiff: try .whole(descriptor), pages)
    let own = try TIFFDecoder(file, pages)
    let decoder: any PictureDecoder =
      if let own { own } else { try StreamedTIFFDecoder(.whole(descriptor), pages) }
    self.init(decoder, metadata: metadata, isCutOff: pages.isCutOff)
  }

  private init(_ decoder: PNGDecoder) {
    let chunks = decoder.chunks
    self.init(
      decoder, signals: decoder.signals, metadata: chunks.metadata,
      notes: chunks.isAnimated ? ["an animated PNG (APNG), of which the first frame is used"] : [],
      isCutOff: chunks.isCutOff)
  }

  private init(gif file: consuming FileBytes) throws(LibraryError) {
    let structure = GIFStructure(file)
    var metadata = MetadataBlocks()
    metadata.xmp = structure.xmp
    self.init(
      LibraryDecoder(
        try PictureSource(file), MINILAB_CODEC_GIF,
        losses: structure.pixelsAreSquare ? [] : ["pixelAspect"]),
      metadata: metadata, isCutOff: structure.isCutOff)
  }

  private init(
    _ decoder: any PictureDecoder, _ structure: JPEGStructure? = nil,
    signals: ColourSignals = ColourSignals(), metadata: MetadataBlocks? = nil,
    notes: [String] = [], isCutOff: Bool = false
  ) {
    self.decoder = decoder
    self.structure = structure
    self.signals = signals
    self.metadata = metadata
    self.notes = notes
    self.isCutOff = isCutOff
  }

  /// What the file says of its colours besides a profile.
  func signals(of image: borrowing PipelineImage) -> ColourSignals {
    var signals = signals
    signals.coded = signals.coded ?? image.coded
    if let exif = metadata?.exif ?? image.bytes("exif-data") { signals.read(exif: exif) }
    return signals
  }

  /// The JPEG inside a RAW.
  init(_ preview: RAWPreview) throws(RenderFailure) {
    let file = try preview.copy()
    do throws(LibraryError) {
      try self.init(jpeg: file)
    } catch {
      throw FailureText.decoding(
        error, messages: [], name: preview.content.name, stage: .header)
    }
  }

  private init(webP file: consuming FileBytes) throws(LibraryError) {
    // The length in the header is that of what follows it (RFC 9649, 2.4).
    let length = file.count < 8 ? 0 : (4..<8).reversed().reduce(0) { $0 << 8 | Int(file[$1]) }
    let isCutOff = file.count < 8 + length
    self.init(
      LibraryDecoder(try PictureSource(file), MINILAB_CODEC_WEBP, isCutOff: isCutOff))
  }

  private init(jpeg bytes: consuming FileBytes) throws(LibraryError) {
    var file = bytes
    let structure = JPEGStructure(file)
    var metadata = file.withSpan { JPEGMetadata.read($0) }
    // Programs that change Exif alone leave JFIF as it was.
    metadata.density =
      metadata.exif.flatMap { PictureDensity(exif: $0) } ?? structure.density
    file.normalize(structure)
    var signals = ColourSignals()
    signals.profileFault = structure.profileFault
    self.init(
      LibraryDecoder(try PictureSource(file), MINILAB_CODEC_JPEG, losses: structure.losses),
      structure, signals: signals, metadata: metadata, notes: structure.notes,
      isCutOff: structure.lacksPictures)
  }
}
