/// The items of a HEIF or AVIF file and what is said of them, from its boxes alone.
struct HEIFContainer: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var id: Int
    var type: String
    var contentType = ""
    var isHidden = false
  }

  struct Reference: Hashable, Sendable {
    var type: String
    var from: Int
    var to: [Int]
  }

  /// That an item has a property, by its number, and where the metadata box says so.
  struct Association: Hashable, Sendable {
    var property: Int
    var place: Range<Int>
  }

  /// Where the bytes of an item lie: in the file, or in the container's own data.
  struct Extent: Hashable, Sendable {
    var isInside: Bool
    var range: Range<Int>
  }

  var primary = 0
  var items: [Int: Item] = [:]
  var references: [Reference] = []
  var associations: [Int: [Association]] = [:]
  var properties: [HEIFProperty] = []
  /// The bodies of the properties in the metadata box.
  var propertyPlaces: [Range<Int>] = []
  /// The body of the metadata box in the file.
  private(set) var metadataPlace = 0..<0
  var extents: [Int: [Extent]] = [:]
  var groups: [String] = []
  var ownData: [UInt8] = []
  /// Whether there is a sequence of pictures with times.
  var hasSequence = false
  /// Whether a video comes with the picture.
  var hasVideo = false
  /// Whether something that is announced lies beyond the end of the file.
  var isCutOff = false

  private static let longestMetadata = 64 << 20
  /// Of extents; what a few bytes announce may not fill the memory.
  static let mostEntries = 1 << 20

  init(_ file: borrowing FileBytes) throws(LibraryError) {
    var meta: Range<Int>?
    var layout = FileLayout(file)
    while let box = layout.next(file) {
      switch box.type {
      case "meta": meta = meta ?? box.body
      case "moov": hasSequence = true
      case "mpvd": hasVideo = true
      default: break
      }
    }
    isCutOff = layout.isCutOff
    if file.hasText("MotionPhoto_Data", layout.position, file.count) { hasVideo = true }
    guard let meta else {
      throw LibraryError(
        text: isCutOff ? "the file ends before its metadata" : "there is no metadata box")
    }
    guard meta.count <= Self.longestMetadata, meta.count >= 4 else {
      throw LibraryError(text: "the metadata box has an impossible size")
    }
    metadataPlace = meta
    read(BoxReader(file.copy(meta)))
    guard let item = items[primary] else {
      throw LibraryError(text: "the picture that the file announces is not in it")
    }
    // A tone-mapped picture that is shown first: its base is the picture.
    if item.type == "tmap", let base = sources(of: primary).first { primary = base }
    isCutOff =
      isCutOff
      || extents.values.joined().contains {
        $0.range.upperBound > ($0.isInside ? ownData.count : file.count)
      }
  }

  /// The properties of an item, in the order in which they apply.
  func properties(of item: Int) -> [HEIFProperty] {
    associations[item, default: []].compactMap {
      properties.indices.contains($0.property) ? properties[$0.property] : nil
    }
  }

  /// What an item is made from: the tiles of a grid, the base of a tone map.
  func sources(of item: Int) -> [Int] {
    references.first { $0.type == "dimg" && $0.from == item }?.to ?? []
  }

  /// The bytes of an item; nil when they are not all there, or too many.
  func data(of item: Int, in file: borrowing FileBytes, limit: Int = 32 << 20) -> [UInt8]? {
    var bytes: [UInt8] = []
    for extent in extents[item, default: []] {
      guard extent.range.upperBound <= (extent.isInside ? ownData.count : file.count),
        extent.range.count <= limit - bytes.count
      else { return nil }
      bytes += extent.isInside ? Array(ownData[extent.range]) : file.copy(extent.range)
    }
    return bytes.isEmpty ? nil : bytes
  }
}

/// The boxes of the file itself, up to what is no box.
private struct FileLayout {
  private static let types: Set<String> = [
    "ftyp", "meta", "mdat", "moov", "free", "skip", "wide", "idat", "uuid", "mpvd", "styp", "pdin",
    "moof", "mfra", "etyp",
  ]

  private(set) var position = 0
  private(set) var isCutOff = false

  init(_ file: borrowing FileBytes) {}

  mutating func next(_ file: borrowing FileBytes) -> BoxReader.Box? {
    guard position < file.count else { return nil }
    var reader = BoxReader(file.copy(position..<min(file.count, position + 16)))
    guard var size = reader.number(4), let type = reader.code(), Self.types.contains(type)
    else { return nil }
    if size == 1 {
      guard let large = reader.number(8) else {
        isCutOff = true
        return nil
      }
      size = large
    } else if size == 0 {
      size = file.count - position
    }
    guard size >= reader.position else { return nil }
    let body = position + reader.position
    if size > file.count - position {
      isCutOff = true
      size = file.count - position
      // What is cut off in the middle of its boxes is not read at all.
      if type != "mdat" { return nil }
    }
    position += size
    return BoxReader.Box(type: type, body: body..<position)
  }
}
