import RenderModel

/// What of a picture's metadata goes into a rendition.
struct OutputMetadata: Hashable, Sendable {
  private static let minimalFields: Set<String> = [
    "exif-ifd0-Artist", "exif-ifd0-Copyright", "exif-ifd2-DateTimeOriginal",
    "exif-ifd2-SubSecTimeOriginal", "exif-ifd2-OffsetTimeOriginal", "exif-ifd0-DateTime",
  ]
  /// Properties that announce data which a rendition does not have.
  private static let promises = [
    "hdrgm:", "HDRGainMap", "GCamera:MotionPhoto", "GCamera:MicroVideo", "Container:Directory",
    "GDepth:",
  ]
  private static let places = [
    "exif:GPS", "photoshop:City", "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location",
    "Iptc4xmpExt:Location",
  ]

  var policy: Rendition.MetadataPolicy
  var location: Rendition.LocationPolicy

  init(_ rendition: Rendition) {
    policy = rendition.metadata
    location = rendition.location
  }

  /// Changes the metadata of an image that is about to be encoded.
  ///
  /// The orientation is reset, embedded thumbnails go, sizes are made right by the encoder. What is
  /// not known to be safe goes too: page counts, animation, palettes, everything of a codec's own.
  /// Gives blocks that were dropped although metadata are kept.
  func apply(to image: borrowing PipelineImage, profile: [UInt8]) -> [String] {
    var losses: [String] = []
    for name in image.fieldNames where !keeps(name) { image.remove(name) }
    if policy == .keep {
      if let xmp = image.bytes(Self.xmp) {
        if let text = XMPText(
          xmp, promises: Self.promises, places: location == .strip ? Self.places : [])
        {
          image.set(Self.xmp, to: text.bytes)
        } else {
          image.remove(Self.xmp)
          losses.append("xmp")
        }
      }
      if location == .strip, let iptc = image.bytes(Self.iptc), IPTC.namesPlace(iptc) {
        image.remove(Self.iptc)
        losses.append("iptc")
      }
    } else {
      image.setResolution(72 / 25.4)
    }
    image.set(profileField, to: profile)
    image.set("orientation", to: 1)
    return losses
  }

  private static let xmp = "xmp-data"
  private static let iptc = "iptc-data"

  private func keeps(_ name: String) -> Bool {
    if name == profileField || Self.isBuiltIn(name) { return true }
    switch policy {
    case .strip: return false
    case .minimal: return Self.minimalFields.contains(name)
    case .keep:
      if name.hasPrefix("exif-ifd1-") { return false }
      if name.hasPrefix("exif-ifd3-") { return location == .keep }
      return name.hasPrefix("exif-") || name == Self.xmp || name == Self.iptc
        || name == "resolution-unit"
    }
  }

  /// Fields of the library's image itself, which cannot be removed.
  private static func isBuiltIn(_ name: String) -> Bool {
    [
      "width", "height", "bands", "format", "coding", "interpretation", "xres", "yres", "xoffset",
      "yoffset", "filename", "scale", "offset",
    ].contains(name)
  }
}

/// An XMP packet whose orientation, if any, says that nothing is to be turned.
struct XMPText: Hashable, Sendable {
  private(set) var bytes: [UInt8]

  /// nil when the packet names one of the properties that must not be kept.
  init?(_ bytes: [UInt8], promises: [String], places: [String]) {
    self.bytes = bytes
    if (promises + places).contains(where: { !occurrences(of: $0).isEmpty }) { return nil }
    for start in occurrences(of: "tiff:Orientation") {
      var position = start + "tiff:Orientation".utf8.count
      // An attribute ="6" or an element >6<; closing tags have no digit close by.
      let end = min(bytes.count, position + 8)
      while position < end,
        [0x20, 0x09, 0x0A, 0x0D, 0x3D, 0x22, 0x27, 0x3E].contains(bytes[position])
      {
        position += 1
      }
      if position < end, (0x31...0x38).contains(bytes[position]) { self.bytes[position] = 0x31 }
    }
  }

  private func occurrences(of text: String) -> [Int] {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return [] }
    return (0...(bytes.count - wanted.count)).filter {
      bytes[$0] == first && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}

/// The datasets of an IPTC block.
enum IPTC {
  /// Whether one of them names a city, sublocation, state or country.
  static func namesPlace(_ bytes: [UInt8]) -> Bool {
    let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
    guard bytes.count >= 5 else { return false }
    return (0..<(bytes.count - 4)).contains {
      bytes[$0] == 0x1C && bytes[$0 + 1] == 2 && places.contains(bytes[$0 + 2])
    }
  }
}
