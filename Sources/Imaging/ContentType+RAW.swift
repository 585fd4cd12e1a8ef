import RenderModel

extension ContentType {
  var isRAW: Bool { type == .rawImage || type == .dng }

  /// RAW formats that have a sign of their own.
  static func raw(_ head: Head) -> ContentType? {
    if head.has("FUJIFILMCCD-RAW") || head.has("FUJIFILM") {
      return ContentType(.rawImage, "a Fujifilm RAW image (RAF)")
    }
    if head.has("HEAPCCDR", at: 6) { return ContentType(.rawImage, "a Canon RAW image (CRW)") }
    if head.has("IIU", [0]) { return ContentType(.rawImage, "a Panasonic RAW image (RW2)") }
    if head.has("IIRO") || head.has("IIRS") || head.has("MMOR") {
      return ContentType(.rawImage, "an Olympus RAW image (ORF)")
    }
    if head.has([0], "MRM") { return ContentType(.rawImage, "a Minolta RAW image (MRW)") }
    if head.has("FOVb") { return ContentType(.rawImage, "a Sigma RAW image (X3F)") }
    return nil
  }

  fileprivate static let rawNames: [(maker: String, name: String)] = [
    ("NIKON", "a Nikon RAW image (NEF)"), ("SONY", "a Sony RAW image (ARW)"),
    ("PENTAX", "a Pentax RAW image (PEF)"), ("RICOH", "a Pentax RAW image (PEF)"),
    ("SAMSUNG", "a Samsung RAW image (SRW)"), ("Hasselblad", "a Hasselblad RAW image (3FR)"),
    ("Imacon", "a Hasselblad RAW image (FFF)"), ("Phase One", "a Phase One RAW image (IIQ)"),
    ("Leaf", "a Leaf RAW image (MOS)"), ("Mamiya", "a Mamiya RAW image (MEF)"),
    ("SEIKO EPSON", "an Epson RAW image (ERF)"), ("EASTMAN KODAK", "a Kodak RAW image (DCR)"),
    ("Kodak", "a Kodak RAW image (DCR)"), ("KODAK", "a Kodak RAW image (KDC)"),
    ("LEICA", "a Leica RAW image (RWL)"), ("Leica", "a Leica RAW image (RWL)"),
    ("Panasonic", "a Panasonic RAW image (RW2)"),
  ]

  /// For sensor data in a TIFF by that maker.
  static func rawName(maker: String) -> String {
    rawNames.first { maker.hasPrefix($0.maker) }?.name ?? "a RAW image"
  }

  /// Looks into all directories of a TIFF, wherever in the file they lie; nil for an ordinary picture.
  static func raw(insideTIFF descriptor: Int32) -> ContentType? {
    guard let bytes = FileBytes(whole: descriptor) else { return nil }
    return RAWStructure(bytes)?.kind
  }

  /// TIFF, BigTIFF, and the RAW formats that are TIFF inside and must not be taken for pictures.
  static func tiff(_ head: Head) -> ContentType? {
    let isBig: Bool
    if head.has("II", [0x2A, 0]) || head.has("MM", [0, 0x2A]) {
      isBig = false
    } else if head.has("II", [0x2B, 0]) || head.has("MM", [0, 0x2B]) {
      isBig = true
    } else {
      return nil
    }
    // The directory of a CR2 lies behind its own mark; elsewhere these may be pixels.
    if !isBig, head.has("CR", at: 8), head.number(at: 4, bytes: 4, bigEndian: false) == 16 {
      return ContentType(.rawImage, "a Canon RAW image (CR2)")
    }
    if !isBig, head.has("IIIITwaR", at: 8) || head.has("MMMMRawT", at: 8) {
      return ContentType(.rawImage, "a Phase One RAW image (IIQ)")
    }
    if !isBig, let directory = TIFFDirectory(head), let raw = directory.raw { return raw }
    return ContentType(.tiff, isBig ? "a BigTIFF" : "a TIFF")
  }
}

/// The first directory of a TIFF as far as it lies in the head of the file.
private struct TIFFDirectory {
  private static let maximumEntries = 512
  /// By the makers' own compressions.
  private static let names = [
    34_713: "a Nikon RAW image (NEF)", 32_767: "a Sony RAW image (ARW)",
    65_535: "a Pentax RAW image (PEF)", 65_000: "a Kodak RAW image (DCR)",
  ]

  private let head: Head
  private let bigEndian: Bool
  /// Offset of each entry by its tag.
  private var entries: [Int: Int] = [:]

  init?(_ head: Head) {
    self.head = head
    bigEndian = head.has("MM")
    guard let start = head.number(at: 4, bytes: 4, bigEndian: bigEndian),
      let count = head.number(at: start, bytes: 2, bigEndian: bigEndian)
    else { return nil }
    for index in 0..<min(count, Self.maximumEntries) {
      let offset = start + 2 + 12 * index
      guard let tag = head.number(at: offset, bytes: 2, bigEndian: bigEndian) else { break }
      entries[tag] = offset
    }
  }

  /// nil when the directory is an ordinary picture's.
  var raw: ContentType? {
    if entries[0xC612] != nil { return ContentType(.dng, "a RAW image (DNG)") }
    if let photometry = value(0x0106), SensorData.photometries.contains(photometry) {
      return ContentType(.rawImage, "a RAW image")
    }
    if let compression = value(0x0103), SensorData.compressions.contains(compression) {
      return ContentType(.rawImage, Self.names[compression] ?? "a RAW image")
    }
    // A reduced picture first, its sensor data in sub-directories: how cameras write.
    guard value(0x00FE) == 1 || entries[0x00FE] == nil, entries[0x014A] != nil,
      let maker = text(0x010F)
    else { return nil }
    return ContentType.rawNames.first { maker.hasPrefix($0.maker) }.map {
      ContentType(.rawImage, $0.name)
    }
  }

  private func value(_ tag: Int) -> Int? {
    guard let entry = entries[tag],
      let type = head.number(at: entry + 2, bytes: 2, bigEndian: bigEndian)
    else { return nil }
    return head.number(at: entry + 8, bytes: type == 3 ? 2 : 4, bigEndian: bigEndian)
  }

  private func text(_ tag: Int) -> String? {
    guard let entry = entries[tag],
      let length = head.number(at: entry + 4, bytes: 4, bigEndian: bigEndian), length < 256,
      let offset = length <= 4
        ? entry + 8 : head.number(at: entry + 8, bytes: 4, bigEndian: bigEndian)
    else { return nil }
    let bytes = (0..<length).map { head[offset + $0] }.prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
