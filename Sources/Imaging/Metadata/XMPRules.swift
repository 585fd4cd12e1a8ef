import RenderModel

/// Which XMP properties promise, place or measure something that a rendition may not have.
enum XMPRules {
  enum Rule: Hashable {
    /// Gone from every rendition, with what is lost by it.
    case always(Loss?)
    case unlessFrameKept
    case unlessSizeKept
    case place
    case digestOfIPTC
    case none
  }

  /// Namespaces whose every property goes.
  private static let spaces: [String: Rule] = [
    "http://ns.adobe.com/hdr-gain-map/1.0/": .always(.gainMap),
    "http://ns.apple.com/HDRGainMap/1.0/": .always(.gainMap),
    // Also names Portrait mattes; the loss of those is told from the container.
    "http://ns.apple.com/pixeldatainfo/1.0/": .always(nil),
    "http://ns.apple.com/ImageIO/1.0/": .always(nil),
    "http://ns.apple.com/depthData/1.0/": .always(.depth),
    "http://ns.apple.com/depthBlurEffect/1.0/": .always(.depth),
    "http://ns.apple.com/portraitLightingEffect/1.0/": .always(.depth),
    "http://ns.google.com/photos/1.0/depthmap/": .always(.depth),
    "http://ns.google.com/photos/1.0/image/": .always(nil),
    "http://ns.google.com/photos/1.0/audio/": .always(nil),
    "http://ns.google.com/photos/1.0/focus/": .always(nil),
    "http://ns.google.com/photos/1.0/container/": .always(nil),
    "http://ns.google.com/photos/1.0/container/item/": .always(nil),
    "http://ns.google.com/photos/dd/1.0/device/": .always(.depth),
    "http://ns.xiaomi.com/photos/1.0/camera/": .always(nil),
    "http://ns.adobe.com/xmp/note/": .always(nil),
    "http://www.metadataworkinggroup.com/schemas/regions/": .unlessFrameKept,
    "http://ns.microsoft.com/photo/1.2/": .unlessFrameKept,
    "http://ns.apple.com/faceinfo/1.0/": .unlessFrameKept,
    "http://ns.google.com/photos/1.0/panorama/": .unlessSizeKept,
    "http://www.w3.org/2003/01/geo/wgs84_pos#": .place,
  ]

  private static let tiff = "http://ns.adobe.com/tiff/1.0/"
  private static let exif = "http://ns.adobe.com/exif/1.0/"
  private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  private static let core = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
  private static let extended = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"

  private static let properties: [String: [(names: Set<Substring>, rule: Rule)]] = [
    tiff: [
      (
        [
          "Compression", "PhotometricInterpretation", "SamplesPerPixel", "PlanarConfiguration",
          "YCbCrSubSampling", "YCbCrPositioning", "BitsPerSample", "TransferFunction", "WhitePoint",
          "PrimaryChromaticities", "YCbCrCoefficients", "ReferenceBlackWhite", "NativeDigest",
        ], .always(nil)
      )
    ],
    exif: [
      (
        [
          "NativeDigest", "ComponentsConfiguration", "CompressedBitsPerPixel", "RelatedSoundFile",
        ], .always(nil)
      ),
      (["SubjectArea", "SubjectLocation"], .unlessFrameKept),
      (
        [
          "FocalPlaneXResolution", "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
        ], .unlessSizeKept
      ),
    ],
    "http://ns.adobe.com/xap/1.0/": [(["Thumbnails"], .always(nil))],
    photoshop: [
      (["ICCProfile", "ColorMode"], .always(nil)),
      (["City", "State", "Country"], .place),
      (["LegacyIPTCDigest"], .digestOfIPTC),
    ],
    core: [(["Location", "CountryCode"], .place)],
    extended: [
      (["LocationShown", "LocationCreated"], .place), (["ImageRegion"], .unlessFrameKept),
    ],
    "http://ns.adobe.com/xmp/1.0/DynamicMedia/": [(["shotLocation"], .place)],
    "http://ns.google.com/photos/1.0/camera/": [
      (
        [
          "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "MicroVideo",
          "MicroVideoVersion", "MicroVideoOffset", "MicroVideoPresentationTimestampUs",
        ], .always(nil)
      )
    ],
  ]

  static func rule(for entry: MetadataEditor.Entry) -> Rule {
    if let rule = spaces[entry.space] { return rule }
    // Whatever the namespace: cameras and drones have their own.
    if entry.property.prefix(3).lowercased() == "gps" { return .place }
    for (names, rule) in properties[entry.space] ?? [] where names.contains(entry.property) {
      return rule
    }
    return .none
  }

  private static let minimal: [String: Set<Substring>] = [
    "http://purl.org/dc/elements/1.1/": ["creator", "rights"],
    photoshop: ["Credit", "Source", "DateCreated", "AuthorsPosition"],
    exif: ["DateTimeOriginal"],
    extended: ["DigitalSourceType"],
    "http://ns.useplus.org/ldf/xmp/1.0/": ["CopyrightOwner", "ImageCreator", "Licensor"],
    "http://creativecommons.org/ns#": ["license", "attributionName", "attributionURL"],
  ]

  /// Who made the picture, when, and on what terms it may be used.
  static func isMinimal(_ entry: MetadataEditor.Entry) -> Bool {
    entry.space == "http://ns.adobe.com/xap/1.0/rights/"
      || minimal[entry.space]?.contains(entry.property) == true
  }

  /// What properties must say that are there.
  static func values(_ facts: RenditionFacts) -> [(key: String, value: String)] {
    let (width, height) = ("\(facts.size.width)", "\(facts.size.height)")
    return [
      ("Xmp.tiff.Orientation", "1"), ("Xmp.tiff.ImageWidth", width),
      ("Xmp.tiff.ImageLength", height), ("Xmp.exif.PixelXDimension", width),
      ("Xmp.exif.PixelYDimension", height),
      ("Xmp.exif.ColorSpace", facts.isSRGB ? "1" : "65535"), ("Xmp.dc.format", facts.mediaType),
      ("Xmp.mwg-rs.Regions/mwg-rs:AppliedToDimensions/stDim:w", width),
      ("Xmp.mwg-rs.Regions/mwg-rs:AppliedToDimensions/stDim:h", height),
    ]
  }
}
