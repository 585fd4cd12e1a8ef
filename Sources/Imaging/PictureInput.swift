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

  init(_ descriptor: Int32, _ content: ContentType) throws(LibraryError) {
    switch content.type {
    case .jpeg: try self.init(jpeg: Self.bytes(descriptor))
    case .png: try self.init(png: descriptor)
    case .heic, .heif, .avif: self.init(try HEIFDecoder(Self.bytes(descriptor)))
    case .jpegXL: self.init(try JXLDecoder(Self.bytes(descriptor)))
    case .jpeg2000:
      let decoder = try JPEG2000Decoder(Self.bytes(descriptor))
      self.init(decoder, notes: decoder.notes)
    case .tiff:
      self.init(
        try Self.tiff(descriptor), metadata: MetadataBlocks(tiff: try Self.bytes(descriptor)))
    default:
      self.init(LibraryDecoder(try PictureSource(descriptor: descriptor), content.codec))
    }
  }

  private static func tiff(_ descriptor: Int32) throws(LibraryError) -> any PictureDecoder {
    if let own = try TIFFDecoder(bytes(descriptor)) { return own }
    return LibraryDecoder(try PictureSource(descriptor: descriptor), MINILAB_CODEC_TIFF)
  }

  private init(png descriptor: Int32) throws(LibraryError) {
    let file = try Self.bytes(descriptor)
    let chunks = PNGChunks(file)
    if chunks.isForPhones {
      throw LibraryError(text: "a PNG changed by Xcode for iOS (CgBI) is not supported")
    }
    self.init(
      LibraryDecoder(
        try PictureSource(file), MINILAB_CODEC_PNG, losses: chunks.isAnimated ? ["animation"] : []),
      signals: ColourSignals(png: descriptor),
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
    if signals.coded == nil, let points = image.codePoints {
      signals.coded = CodedColour(
        primaries: points.primaries, transfer: points.transfer, matrix: points.matrix,
        fullRange: points.isFullRange)
    }
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

  private init(jpeg bytes: consuming FileBytes) throws(LibraryError) {
    var file = bytes
    let structure = JPEGStructure(file)
    let metadata = file.withSpan { JPEGMetadata.read($0) }
    file.normalize(structure)
    self.init(
      LibraryDecoder(try PictureSource(file), MINILAB_CODEC_JPEG, losses: structure.losses),
      structure, metadata: metadata, notes: structure.notes)
  }

  private static func bytes(_ descriptor: Int32) throws(LibraryError) -> FileBytes {
    guard let count = FileBytes.size(of: descriptor),
      let file = FileBytes(descriptor: descriptor, count: count)
    else { throw LibraryError(text: "the file cannot be read into memory") }
    return file
  }
}
