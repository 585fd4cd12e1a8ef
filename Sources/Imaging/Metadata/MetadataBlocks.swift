import RenderModel

/// The metadata of a picture as its file holds them, each block without the container's wrapping.
struct MetadataBlocks: Hashable, Sendable {
  /// From the TIFF header on.
  var exif: [UInt8]?
  var xmp: [UInt8]?
  /// What a JPEG holds of its packet outside of it.
  var extendedXMP: [UInt8]?
  /// Datasets of IIM.
  var iptc: [UInt8]?
  /// As the container has it, or else Exif.
  var density: PictureDensity?
  /// What the file has that no output can carry.
  var losses = LossList()

  /// The moment of capture by Exif.
  var captured: String? { exif.flatMap { EXIFBlock.captured($0.span) } }
}

/// Names of losses in the order they were found, each once, with a figure where there is one.
struct LossList: Hashable, Sendable {
  private(set) var names: [String] = []
  private(set) var notes: [String: String] = [:]

  init(_ names: [String] = []) {
    for name in names where !self.names.contains(name) { self.names.append(name) }
  }

  mutating func add(_ loss: Loss, _ note: String? = nil) {
    if !names.contains(loss.rawValue) { names.append(loss.rawValue) }
    if let note, notes[loss.rawValue] == nil { notes[loss.rawValue] = note }
  }

  mutating func add(_ other: LossList) {
    for name in other.names where !names.contains(name) { names.append(name) }
    notes.merge(other.notes) { first, _ in first }
  }
}

/// How large metadata may be before they are left behind rather than parsed.
enum MetadataLimits {
  /// Exif has one segment of a JPEG; what does not fit there is kept nowhere.
  static let exif = 65_525
  /// Below this Exiv2 leaves nothing out by itself.
  static let comfortableEXIF = 60_000
  static let xmp = 4 << 20
  /// Tags and attributes of a packet: the toolkit's time grows with their square.
  static let xmpMarks = 20_000
  static let xmpNamespaces = 300
  static let iptc = 1 << 20
  /// Image resources of Photoshop, of which a few are looked at.
  static let photoshop = 16 << 20
  /// What is read of a picture's Exif block; a TIFF's is the file itself.
  static let exifInput = 16 << 20
}
