import CImagingShim
import RenderModel

/// What gives the pixels of one file, as often as they are asked for.
protocol PictureDecoder: AnyObject {
  /// What a rendition lacks, whatever its settings are.
  var losses: [String] { get }
  /// Whether the whole picture is in memory while it is decoded.
  var decodesWhole: Bool { get }

  /// Reads the header once more; pixels are decoded when they are asked for.
  ///
  /// `isStrict`: a damaged picture is a failure. `reduction`: what the sides may be divided by where the
  /// format allows that: 1, 2, 4 or 8.
  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage
}

/// A file that one of the library's loaders reads.
final class LibraryDecoder: PictureDecoder {
  let losses: [String]
  private let source: PictureSource
  private let codec: minilab_codec
  /// Whether the file ends before what it announces, which its library would call broken.
  private let isCutOff: Bool
  private let page: Int

  var decodesWhole: Bool { codec == MINILAB_CODEC_WEBP || codec == MINILAB_CODEC_GIF }

  /// `page`: of a TIFF, the directory that is read.
  init(
    _ source: consuming PictureSource, _ codec: minilab_codec, losses: [String] = [],
    isCutOff: Bool = false, page: Int = 0
  ) {
    self.source = source
    self.codec = codec
    self.page = page
    self.losses = losses
    self.isCutOff = isCutOff
  }

  private static let cutOff = LibraryError(text: "unexpected end of file")

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    if isCutOff && isStrict { throw Self.cutOff }
    do throws(LibraryError) {
      return try PipelineImage(
        source: source,
        options: minilab_load_options(
          codec: codec, sequential: 1, fail_on_truncated: isStrict ? 1 : 0,
          shrink: Int32(reduction), page: Int32(page)))
    } catch {
      throw isCutOff ? Self.cutOff : error
    }
  }
}
