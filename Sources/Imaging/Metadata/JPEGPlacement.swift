/// Metadata as segments of a JPEG before its tables.
enum JPEGPlacement {
  static func put(_ metadata: EncodedMetadata, into file: EncodedFile) throws(LibraryError) {
    let head = try head(of: file)
    guard let (segments, _) = JPEGSegments.read(head.span) else {
      throw LibraryError(text: "the encoded JPEG has no scan")
    }
    let span = head.span
    // What belongs to the pixels stays: the profile, and Adobe's and JFIF's word on colour.
    let first = segments.first { !isReplaced($0, span) && $0.marker != 0xE0 }
    let start = first?.whole.lowerBound ?? 2
    var bytes: [UInt8] = [0xFF, 0xD8]
    // Readers of Exif want it first, so JFIF is there only where Exif does not say the density.
    if metadata.exif.map({ PictureDensity(exif: $0) == nil && metadata.density != nil }) ?? true {
      bytes += metadata.density?.jfif ?? PictureDensity.noJFIF
    }
    if let exif = metadata.exif { bytes += try segment(0xE1, JPEGSegments.exifSign + exif) }
    if let xmp = metadata.xmp { bytes += try segment(0xE1, JPEGSegments.xmpSign + xmp) }
    if let more = metadata.extendedXMP { bytes += try extensionSegments(more) }
    if let iptc = metadata.iptc {
      bytes += try photoshopSegments(PhotoshopResources.holding(iptc: iptc))
    }
    // Those that come later than one that stays are taken out from behind, so that places stay right.
    for late in segments.reversed() where late.whole.lowerBound > start && isReplaced(late, span) {
      try file.replace(late.whole, with: [])
    }
    try file.replace(0..<start, with: bytes)
  }

  /// The digest covers everything from the first table on, comments and metadata apart.
  static func pixelDigest(of file: EncodedFile) throws(LibraryError) -> String {
    let head = try head(of: file)
    let span = head.span
    guard let (segments, end) = JPEGSegments.read(span) else {
      throw LibraryError(text: "the JPEG has no scan")
    }
    let checksum = Checksum()
    for segment in segments where !(0xE0...0xEF).contains(segment.marker) && segment.marker != 0xFE
    {
      checksum.add(span.copy(segment.whole))
    }
    try checksum.add(file, end..<file.count)
    return checksum.text
  }

  private static func isReplaced(_ segment: JPEGSegments.Segment, _ bytes: Span<UInt8>) -> Bool {
    switch segment.marker {
    case 0xE1, 0xED, 0xFE, 0xEB: true
    case 0xE2: bytes.has(JPEGSegments.multiPictureSign, at: segment.payload.lowerBound)
    default: false
    }
  }

  /// As far as the first scan.
  private static func head(of file: EncodedFile) throws(LibraryError) -> [UInt8] {
    let count = file.count
    var length = 1 << 16
    while true {
      let bytes = try file.bytes(0..<min(length, count))
      if JPEGSegments.read(bytes.span) != nil || length >= count { return bytes }
      length *= 4
    }
  }

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) throws(LibraryError) -> [UInt8] {
    let length = payload.count + 2
    guard length <= 65_535 else {
      throw LibraryError(text: "a segment of \(length) bytes is longer than a JPEG's can be")
    }
    return [0xFF, marker, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + payload
  }

  private static func extensionSegments(_ more: ExtendedXMP) throws(LibraryError) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    var result: [UInt8] = []
    for start in stride(from: 0, to: more.bytes.count, by: 65_400) {
      let piece = more.bytes[start..<min(start + 65_400, more.bytes.count)]
      result += try segment(
        0xE1,
        JPEGSegments.extensionSign + Array(more.identifier.utf8) + number(more.bytes.count)
          + number(start) + piece)
    }
    return result
  }

  private static func photoshopSegments(_ resources: [UInt8]) throws(LibraryError) -> [UInt8] {
    var result: [UInt8] = []
    for start in stride(from: 0, to: resources.count, by: 65_500) {
      let piece = resources[start..<min(start + 65_500, resources.count)]
      result += try segment(0xED, JPEGSegments.photoshopSign + piece)
    }
    return result
  }
}

extension Checksum {
  func add(_ file: EncodedFile, _ range: Range<Int>) throws(LibraryError) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
      add(try file.bytes(start..<min(start + 1 << 20, range.upperBound)))
    }
  }
}
