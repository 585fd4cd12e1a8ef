import CImagingShim
import RenderModel

/// A file made ready for its decoder.
struct PictureInput {
  let decoder: any PictureDecoder
  /// nil for other types.
  let structure: JPEGStructure?
  /// What the file is beside its type, in words.
  let notes: [String]

  init(_ descriptor: Int32, _ content: ContentType) throws(LibraryError) {
    switch content.type {
    case .jpeg: try self.init(jpeg: descriptor)
    case .png: try self.init(png: descriptor)
    case .heic, .heif, .avif: self.init(try HEIFDecoder(Self.bytes(descriptor)))
    case .jpegXL: self.init(try JXLDecoder(Self.bytes(descriptor)))
    case .jpeg2000: self.init(try JPEG2000Decoder(Self.bytes(descriptor)))
    case .tiff: self.init(try Self.tiff(descriptor))
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
      notes: chunks.isAnimated ? ["an animated PNG (APNG), of which the first frame is used"] : [])
  }

  private init(
    _ decoder: any PictureDecoder, _ structure: JPEGStructure? = nil, notes: [String] = []
  ) {
    self.decoder = decoder
    self.structure = structure
    self.notes = notes
  }

  private init(jpeg descriptor: Int32) throws(LibraryError) {
    var file = try Self.bytes(descriptor)
    let structure = JPEGStructure(file)
    file.normalize(structure)
    let losses = structure.losses
    self.init(
      LibraryDecoder(try PictureSource(file), MINILAB_CODEC_JPEG, losses: losses), structure,
      notes: structure.notes)
  }

  private static func bytes(_ descriptor: Int32) throws(LibraryError) -> FileBytes {
    guard let count = FileBytes.size(of: descriptor),
      let file = FileBytes(descriptor: descriptor, count: count)
    else { throw LibraryError(text: "the file cannot be read into memory") }
    return file
  }
}
