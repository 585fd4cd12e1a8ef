import CImagingShim

/// A JPEG 2000 that the library's loader reads, which would fill up what is cut off without a word.
final class JPEG2000Decoder: PictureDecoder {
  let losses: [String] = []
  let decodesWhole = true
  private let library: LibraryDecoder
  private let isCutOff: Bool

  init(_ file: consuming FileBytes) throws(LibraryError) {
    isCutOff = !JPEG2000Structure(file).isWhole
    library = LibraryDecoder(try PictureSource(file), MINILAB_CODEC_JPEG_2000)
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    if isStrict && isCutOff { throw LibraryError(text: "unexpected end of file") }
    let image = try library.image(isStrict: isStrict, reduction: reduction).copy()
    // The library counts sizes of the same picture as pages.
    image.remove("n-pages")
    return image
  }
}

/// The boxes of a JPEG 2000 file and the tile parts of its codestream, walked without decoding.
struct JPEG2000Structure: Hashable, Sendable {
  /// Whether all tile parts are there, and the mark that ends them.
  private(set) var isWhole = false

  private enum Marker {
    static let start = 0xFF4F
    static let tilePart = 0xFF90
    static let end = 0xFFD9
  }

  init(_ file: borrowing FileBytes) {
    guard let stream = Self.codestream(file) else { return }
    var position = stream.lowerBound + 2
    // The main header: marker segments up to the first tile part.
    while let marker = Self.number(file, position, 2), marker != Marker.tilePart {
      guard marker >= 0xFF00, let length = Self.number(file, position + 2, 2), length >= 2
      else { return }
      position += 2 + length
    }
    while let marker = Self.number(file, position, 2) {
      if marker == Marker.end {
        isWhole = true
        return
      }
      guard marker == Marker.tilePart, let length = Self.number(file, position + 6, 4)
      else { return }
      // 0: the last one, up to the end.
      if length == 0 {
        isWhole = Self.number(file, stream.upperBound - 2, 2) == Marker.end
        return
      }
      guard length >= 12 else { return }
      position += length
    }
  }

  private static func codestream(_ file: borrowing FileBytes) -> Range<Int>? {
    if number(file, 0, 2) == Marker.start { return 0..<file.count }
    var position = 0
    while let box = file.box(at: position), box.whole.upperBound <= file.count {
      if box.type == "jp2c" { return box.body }
      position = box.whole.upperBound
    }
    return nil
  }

  private static func number(_ file: borrowing FileBytes, _ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= file.count - count else { return nil }
    var reader = BoxReader(file.copy(offset..<(offset + count)))
    return reader.number(count)
  }
}
