import CImagingShim
import ColourEngine
import Glibc
import RenderModel

/// Encodes one rendition, as often as its size demands.
struct OutputEncoder {
  private let rendition: Rendition
  private let colour: OutputColour

  init(_ rendition: Rendition, _ colour: OutputColour) {
    self.rendition = rendition
    self.colour = colour
  }

  /// Gives the quality that was used; nil for what loses nothing.
  ///
  /// `finish` adds to each file what counts for its size.
  func encode(
    _ image: borrowing PipelineImage, to descriptor: Int32,
    finish: () throws(LibraryError) -> Void
  ) throws(LibraryError) -> Int? {
    guard let limit = rendition.number(.maxBytes), !rendition.isLossless else {
      _ = try attempt(image, rendition.quality, descriptor, finish)
      return rendition.isLossless ? nil : rendition.quality
    }
    // Pixels come once from a decoder that streams, and are wanted several times here.
    let kept = try image.inMemory()
    var search = QualitySearch(
      qualities: rendition.lowestQuality...rendition.quality, limit: limit)
    while let quality = search.next {
      search.tried(quality, bytes: try attempt(kept, quality, descriptor, finish))
    }
    guard let best = search.best else {
      throw LibraryError(
        text: "the rendition \(rendition.name) is too large for its maxBytes: \(limit) bytes are "
          + "allowed, and with the lowest quality, \(rendition.lowestQuality), it has "
          + "\(search.smallest ?? 0); a smaller targetSize or a lower minimumQuality would help")
    }
    if search.last != best { _ = try attempt(kept, best, descriptor, finish) }
    return best
  }

  /// Gives the number of bytes; what was in the file before is gone.
  private func attempt(
    _ image: borrowing PipelineImage, _ quality: Int, _ descriptor: Int32,
    _ finish: () throws(LibraryError) -> Void
  ) throws(LibraryError) -> Int {
    // A damaged picture may be tried twice as well, and then the first try has left bytes.
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw LibraryError(text: "the output cannot be emptied: error \(errno)")
    }
    try image.save(
      to: descriptor,
      options: EncoderSettings.options(
        rendition, quality: quality, depth: colour.bitDepth, colours: colour.signal))
    try finish()
    guard let bytes = FileBytes.size(of: descriptor) else {
      throw LibraryError(text: "the output cannot be measured: error \(errno)")
    }
    return bytes
  }
}

extension OutputColour {
  /// The numbers of ITU-T H.273 for primaries and transfer; 2 where the profile alone can say it.
  var signal: (primaries: Int, transfer: Int) {
    switch layout.space {
    case .sRGB: (1, 13)
    case .displayP3: (12, 13)
    default: (2, 2)
    }
  }
}
