/// The tile parts of a JPEG 2000 codestream, walked without decoding.
struct JPEG2000Structure: Hashable, Sendable {
  /// Whether all tile parts are there, and the mark that ends them.
  private(set) var isWhole = false

  private enum Marker {
    static let tilePart = 0xFF90
    static let end = 0xFFD9
  }

  init(_ file: borrowing FileBytes, _ codestream: Range<Int>?) {
    guard let stream = codestream else { return }
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

  private static func number(_ file: borrowing FileBytes, _ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= file.count - count else { return nil }
    var reader = BoxReader(file.copy(offset..<(offset + count)))
    return reader.number(count)
  }
}
