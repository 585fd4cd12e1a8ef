import CImagingShim
import ColourEngine

/// A PNG: its pixels by the library's loader, and what that leaves out by its chunks.
final class PNGDecoder: PictureDecoder {
  let losses: [String]
  let decodesWhole = false
  let chunks: PNGChunks
  let signals: ColourSignals
  private let library: LibraryDecoder
  /// Whether the numbers of the colours are in the narrow range of video.
  private let isNarrow: Bool

  init(_ file: consuming FileBytes) throws(LibraryError) {
    chunks = PNGChunks(file)
    if chunks.isForPhones {
      throw LibraryError(text: "a PNG changed by Xcode for iOS (CgBI) is not supported")
    }
    signals = ColourSignals(pngChunks: chunks.colours)
    isNarrow = signals.coded.map { !$0.isFullRange && $0.space != nil } ?? false
    losses =
      (chunks.isAnimated ? ["animation"] : []) + (chunks.pixelsAreSquare ? [] : ["pixelAspect"])
    library = LibraryDecoder(try PictureSource(file), MINILAB_CODEC_PNG)
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    let image = try library.image(isStrict: isStrict, reduction: reduction)
    let lacksEXIF = chunks.metadata.exif != nil && !image.has("exif-data")
    let lacksProfile = chunks.profile != nil && !image.has(profileField)
    guard isNarrow || lacksEXIF || lacksProfile else { return image }
    let result =
      isNarrow ? try image.widened(colours: image.bands < 3 ? 1 : 3) : try image.copy()
    if lacksEXIF, let exif = chunks.metadata.exif {
      result.setEXIF(Array("Exif\0\0".utf8) + exif)
      if let orientation = EXIFBlock.orientation(of: exif) {
        result.set("orientation", to: orientation)
      }
    }
    if lacksProfile, let profile = chunks.profile {
      // Empty blocks would not be seen.
      result.set(profileField, to: profile.isEmpty ? [0] : profile)
    }
    return result
  }
}
