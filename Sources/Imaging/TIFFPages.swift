/// The directories of a TIFF, walked without decoding.
struct TIFFPages: Hashable, Sendable {
  /// The place of the first picture that is neither a reduced one nor a mask.
  private(set) var shown = 0
  /// Where that directory stands.
  private(set) var shownOffset = 0
  /// Pictures in full size.
  private(set) var pictures = 0
  private(set) var hasThumbnail = false
  private(set) var hasMask = false
  /// Whether a further directory, or the pixels of one, lie behind the end of the file.
  private(set) var isCutOff = false
  private(set) var density: PictureDensity?
  private(set) var pixelsAreSquare = true

  /// Directories, and what entries and lists of places are looked at in all of them together.
  private static let walked = 65_536
  private static let mostWork = 4 << 20

  init(_ file: borrowing FileBytes) {
    self = file.withSpan { TIFFPages($0) }
  }

  private init(_ bytes: Span<UInt8>) {
    guard let header = TagHeader(bytes) else { return }
    shownOffset = header.first
    var offset = header.first
    var seen: Set<Int> = []
    var hasShown = false
    var work = 0
    for place in 0..<Self.walked {
      guard offset != 0, seen.insert(offset).inserted else { break }
      guard let directory = header.directory(bytes, at: offset) else {
        isCutOff = isCutOff || place > 0
        break
      }
      work += directory.entries.reduce(0) {
        $0 + ([0x0111, 0x0117, 0x0144, 0x0145].contains($1.tag) ? $1.count : 1)
      }
      guard work <= Self.mostWork else { break }
      let kind = Self.kind(directory, header, bytes)
      switch kind {
      case .picture: pictures += 1
      case .reduced: hasThumbnail = true
      case .mask: hasMask = true
      }
      // Whether the first picture is whole its decoder tells.
      if hasShown && Self.isCutOff(directory, header, bytes) { isCutOff = true }
      if kind == .picture && !hasShown {
        hasShown = true
        shown = place
        shownOffset = offset
      }
      if directory.nextPosition == nil && place > 0 { isCutOff = true }
      offset = directory.next
    }
    // A file of nothing but reduced pictures.
    if pictures == 0 {
      hasThumbnail = false
      hasMask = false
      pictures = seen.count
    }
    guard let directory = header.directory(bytes, at: shownOffset) else { return }
    density = PictureDensity(directory, header, bytes)
    if let x = directory.entry(0x011A).flatMap({ header.fraction(bytes, $0) }),
      let y = directory.entry(0x011B).flatMap({ header.fraction(bytes, $0) })
    {
      pixelsAreSquare = PictureDensity.areEqual(x, y)
    }
  }

  var losses: [String] {
    var losses: [String] = []
    if pictures > 1 { losses.append("pages") }
    if hasThumbnail { losses.append("thumbnail") }
    if hasMask { losses.append("auxiliaryImages") }
    if !pixelsAreSquare { losses.append("pixelAspect") }
    return losses
  }

  private enum Kind { case picture, reduced, mask }

  private static func kind(
    _ directory: TagDirectory, _ header: TagHeader, _ bytes: Span<UInt8>
  ) -> Kind {
    func number(_ tag: Int) -> Int {
      directory.entry(tag).flatMap { header.integer(bytes, $0) } ?? 0
    }
    let bits = number(0x00FE)
    if bits & 4 != 0 { return .mask }
    // 2 of the tag that came before it.
    return bits & 1 != 0 || number(0x00FF) == 2 ? .reduced : .picture
  }

  private static func isCutOff(
    _ directory: TagDirectory, _ header: TagHeader, _ bytes: Span<UInt8>
  ) -> Bool {
    func numbers(_ tag: Int) -> [Int] {
      directory.entry(tag).map { header.integers(bytes, $0) } ?? []
    }
    for (places, lengths) in [(0x0111, 0x0117), (0x0144, 0x0145)] {
      for (offset, length) in zip(numbers(places), numbers(lengths))
      where length > 0 && (offset > bytes.count || length > bytes.count - offset) {
        return true
      }
    }
    return false
  }
}
