import CImagingShim
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

  init(_ descriptor: Int32, _ content: ContentType) throws(LibraryError) {
    switch content.type {
    case .jpeg: try self.init(jpeg: .whole(descriptor))
    case .png: try self.init(png: .whole(descriptor))
    case .heic, .heif, .avif: self.init(try HEIFDecoder(.whole(descriptor)))
    case .webP: try self.init(webP: .whole(descriptor))
    case .jpegXL: self.init(try JXLDecoder(.whole(descriptor)))
    case .jpeg2000: self.init(try JPEG2000Decoder(.whole(descriptor)))
    case .tiff:
      self.init(
        try Self.tiff(descriptor), metadata: MetadataBlocks(tiff: try .whole(descriptor)))
    default:
      self.init(LibraryDecoder(try PictureSource(descriptor: descriptor), content.codec))
    }
  }

  private static func tiff(_ descriptor: Int32) throws(LibraryError) -> any PictureDecoder {
    if let own = try TIFFDecoder(.whole(descriptor)) { return own }
    return LibraryDecoder(try PictureSource(descriptor: descriptor), MINILAB_CODEC_TIFF)
  }

  private init(png file: consuming FileBytes) throws(LibraryError) {
    let chunks = PNGChunks(file)
    if chunks.isForPhones {
      throw LibraryError(text: "a PNG changed by Xcode for iOS (CgBI) is not supported")
    }
    self.init(
      LibraryDecoder(
        try PictureSource(file), MINILAB_CODEC_PNG, losses: chunks.isAnimated ? ["animation"] : []),
      signals: ColourSignals(chunks),
      notes: chunks.isAnimated ? ["an animated PNG (APNG), of which the first frame is used"] : [])
  }

  private init(
    _ decoder: any PictureDecoder, _ structure: JPEGStructure? = nil,
    signals: ColourSignals = ColourSignals(), metadata: MetadataBlocks? = nil, notes: [String] = []
  ) {
    self.decoder = decoder
    self.structure = structure
    self.signals = signals
    self.metadata = metadata
    self.notes = notes
  }

  /// What the file says of its colours besides a profile.
  func signals(of image: borrowing PipelineImage) -> ColourSignals {
    var signals = signals
    signals.coded = signals.coded ?? image.coded
    signals.readTags(of: image)
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
    let metadata = file.withSpan { JPEGMetadata.read($0) }
    file.normalize(structure)
    var signals = ColourSignals()
    signals.profileFault = structure.profileFault
    self.init(
      LibraryDecoder(try PictureSource(file), MINILAB_CODEC_JPEG, losses: structure.losses),
      structure, signals: signals, metadata: metadata, notes: structure.notes)
  }
}
