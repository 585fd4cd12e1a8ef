import RenderModel

/// An Exif block changed so that it says what is true of a rendition.
struct EXIFEdit {
  private let metadata: OutputMetadata
  private var facts: RenditionFacts { metadata.facts }

  /// Groups of Exiv2 that are no maker's.
  private static let standardGroups: Set<Substring> = ["Image", "Photo", "GPSInfo", "Iop"]
  /// Other pictures of the file, by groups of Exiv2.
  private static let pictureGroups: [String] = [
    "Thumbnail", "SubThumb", "SubImage", "Image2", "Image3", "MpfInfo", "PanaRaw",
  ]
  private static let minimal: [Substring: Set<Int>] = [
    // Orientation, date, author, rights, and the author as Windows writes it.
    "Image": [0x0112, 0x0132, 0x013B, 0x8298, 0x9C9D],
    // Version, capture date with offset and fraction.
    "Photo": [0x9000, 0x9003, 0x9011, 0x9291],
  ]
  /// Pointers, which are made anew.
  private static let pointers: Set<Int> = [0x8769, 0x8825, 0xA005]
  /// Layout of compressed samples, a sound file beside the picture, padding.
  private static let untrue: Set<Int> = [0x9101, 0x9102, 0xA004, 0xEA1C, 0xEA1D]

  init(_ metadata: OutputMetadata) { self.metadata = metadata }

  /// nil when nothing is left.
  func run(_ exif: [UInt8], _ losses: inout LossList) throws(LibraryError) -> [UInt8]? {
    guard exif.count <= MetadataLimits.exifInput else {
      throw LibraryError(text: "its \(exif.count) bytes are too many")
    }
    var bytes = exif
    guard let changes = EXIFBlock.simplifications(bytes.span) else {
      throw LibraryError(text: "it has no directory")
    }
    for change in changes {
      bytes.replaceSubrange(
        change.offset..<(change.offset + change.bytes.count), with: change.bytes)
    }
    let editor = try MetadataEditor()
    try editor.decode(.exif, bytes)
    let keepsNotes = try prune(editor, &losses)
    try agree(editor)
    return try encode(editor, keepsNotes: keepsNotes, &losses)
  }

  /// Gives whether maker notes are left.
  private func prune(
    _ editor: borrowing MetadataEditor, _ losses: inout LossList
  ) throws(LibraryError) -> Bool {
    var hadNotes = false
    // Maker notes name places too, in fields that nobody has listed.
    let keepsNotes =
      metadata.policy == .keep && metadata.location == .keep && facts.type != .tiff
    try editor.remove(.exif) { entry in
      if Self.isNote(entry) { hadNotes = hadNotes || entry.property != "Offset" }
      return drops(entry, keepsNotes: keepsNotes)
    }
    guard hadNotes else { return false }
    guard keepsNotes else {
      if metadata.policy == .keep {
        losses.add(
          .makerNote,
          metadata.location == .strip
            ? "they may name the place" : "their offsets do not survive in a TIFF")
      }
      return false
    }
    if let note = try editor.value(Self.noteKey), AppleMakerNote.isOne(note) {
      guard let kept = AppleMakerNote.withoutPromises(note) else {
        try dropNotes(editor)
        losses.add(.makerNote, "they are broken")
        return false
      }
      if kept != note { try editor.set(Self.noteKey, bytes: kept) }
    }
    return true
  }

  private static let noteKey = "Exif.Photo.MakerNote"

  private static func isNote(_ entry: MetadataEditor.Entry) -> Bool {
    entry.key == noteKey
      || !standardGroups.contains(entry.group)
        && !pictureGroups.contains { entry.group.hasPrefix($0) }
  }

  private func drops(_ entry: MetadataEditor.Entry, keepsNotes: Bool) -> Bool {
    if Self.pictureGroups.contains(where: { entry.group.hasPrefix($0) }) { return true }
    if Self.isNote(entry) {
      return !keepsNotes || entry.property.contains("Preview")
        || entry.property.contains("Thumbnail")
    }
    if Self.pointers.contains(entry.tag) && entry.group != "GPSInfo" { return true }
    if entry.group == "Image" && TIFFLayout.tags.contains(entry.tag) { return true }
    guard metadata.policy == .keep else {
      return Self.minimal[entry.group]?.contains(entry.tag) != true
    }
    switch entry.group {
    case "GPSInfo": return metadata.location == .strip
    case "Iop": return !facts.isSRGB
    default:
      if Self.untrue.contains(entry.tag) { return true }
      // Where the subject is, and how many pixels the sensor has a centimetre.
      if [0x9214, 0xA214].contains(entry.tag) { return !facts.keepsFrame }
      if [0xA20E, 0xA20F, 0xA210].contains(entry.tag) { return !facts.keepsSize }
      return false
    }
  }

  /// Makes what is left agree with the pixels.
  private func agree(_ editor: borrowing MetadataEditor) throws(LibraryError) {
    var count = 0
    try editor.remove(.exif) { _ in
      count += 1
      return false
    }
    guard count > 0 else { return }
    if editor.has(.exif, "Exif.Image.Orientation") {
      try editor.set("Exif.Image.Orientation", short: 1)
    }
    if !editor.has(.exif, "Exif.Photo.ExifVersion") {
      try editor.set("Exif.Photo.ExifVersion", bytes: Array("0232".utf8))
    }
    try editor.set("Exif.Photo.PixelXDimension", long: facts.size.width)
    try editor.set("Exif.Photo.PixelYDimension", long: facts.size.height)
    try editor.set("Exif.Photo.ColorSpace", short: facts.isSRGB ? 1 : 0xFFFF)
    if editor.has(.exif, "Exif.Iop.InteroperabilityIndex") {
      try editor.set(.exif, "Exif.Iop.InteroperabilityIndex", text: "R98")
    }
  }

  private func encode(
    _ editor: borrowing MetadataEditor, keepsNotes: Bool, _ losses: inout LossList
  ) throws(LibraryError) -> [UInt8]? {
    if keepsNotes {
      let note = "with them Exif would be larger than \(MetadataLimits.exif) bytes"
      if try editor.sizeOfEXIF() <= MetadataLimits.comfortableEXIF {
        if let block = try editor.encode(.exif), block.count <= MetadataLimits.exif {
          if !holdsPicture(block) { return block }
          losses.add(.makerNote, "they hold a preview of the original")
        } else {
          losses.add(.makerNote, note)
        }
      } else {
        losses.add(.makerNote, note)
      }
      try dropNotes(editor)
    }
    try editor.removeLargeEXIF(&losses)
    guard let block = try editor.encode(.exif) else { return nil }
    guard block.count <= MetadataLimits.exif else {
      throw LibraryError(text: "its \(block.count) bytes are too many")
    }
    return block
  }

  private func dropNotes(_ editor: borrowing MetadataEditor) throws(LibraryError) {
    try editor.remove(.exif, where: Self.isNote)
  }

  /// Whether the bytes of a JPEG's beginning are somewhere in a block.
  private func holdsPicture(_ block: [UInt8]) -> Bool {
    guard block.count > 4 else { return false }
    return (0..<(block.count - 3)).contains {
      block[$0] == 0xFF && block[$0 + 1] == 0xD8 && block[$0 + 2] == 0xFF
        && [0xC0, 0xC4, 0xDB, 0xE0, 0xE1].contains(block[$0 + 3])
    }
  }
}
