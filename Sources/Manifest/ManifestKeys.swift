import RenderModel

/// Every key of a manifest, once: the decoder reads by these, and a test holds the schema to them.
enum ManifestKeys {
  /// The manifest version that this program reads.
  static let version = 1
  static let maximumRenditions = 64

  static let writableTypes = UniformType.writable.map(\.rawValue)
  static let laterTypes = [
    UniformType.heic, .jpegXL, .gif, .jpeg2000, .rawImage,
  ].map(\.rawValue)

  /// What `matching` may name.
  static let matchableTypes =
    ["public.image", "public.camera-raw-image"]
    + [
      UniformType.jpeg, .png, .tiff, .heic, .heif, .avif, .webP, .jpegXL, .jpeg2000, .gif, .bmp,
      .pdf, .svg, .rawImage, .dng, .movie, .data,
    ].map(\.rawValue)

  static let longestDuration = 86_400_000

  static let deadline = ObjectShape(
    noun: "a deadline",
    keys: [
      KeyShape("base", .duration(1...longestDuration)),
      KeyShape("perMegapixel", .duration(0...longestDuration)),
    ])

  static let limits = ObjectShape(
    noun: "a set of limits",
    keys: [
      KeyShape("pixels", .integer(1...100_000_000_000)),
      KeyShape("side", .integer(1...10_000_000)),
      KeyShape("pages", .integer(1...10_000_000)),
      KeyShape("inputBytes", .integer(1...1_000_000_000_000_000)),
    ])

  static let record = ObjectShape(
    noun: "an adjustment record",
    keys: [
      KeyShape("formatIdentifier", .text),
      KeyShape("formatVersion", .text),
      KeyShape("data", .anything),
    ],
    required: ["formatIdentifier", "formatVersion", "data"])

  static let rendition = ObjectShape(
    noun: "a rendition",
    keys: [
      KeyShape("name", .text),
      KeyShape("type", .choice(writableTypes, later: laterTypes)),
      KeyShape("targetSize", .size(side: 0...10_000_000)),
      KeyShape("contentMode", .choice(words(Rendition.ContentMode.self), later: [])),
      KeyShape("deliveryMode", .choice(words(Rendition.DeliveryMode.self), later: [])),
      KeyShape("enlarge", .boolean),
      KeyShape("quality", .integer(1...100)),
      KeyShape("bitDepth", .integerChoice([8, 16], later: [10, 12])),
      KeyShape(
        "colorSpace",
        .choice(words(Rendition.ColorSpace.self), later: ["adobeRGB", "rec2020"])),
      KeyShape("metadata", .choice(words(Rendition.MetadataPolicy.self), later: [])),
      KeyShape("location", .choice(words(Rendition.LocationPolicy.self), later: [])),
      KeyShape("output", .text),
      KeyShape("maxBytes", .notYet("use quality and targetSize to make a rendition smaller")),
    ],
    required: ["name"])

  /// The keys that defaults and jobs share.
  private static let settings = [
    KeyShape("deadline", .either(text: .duration(1...longestDuration), object: deadline)),
    KeyShape("adjustment", .either(text: .text, object: record)),
    KeyShape("renditions", .list(.object(rendition), count: 1...maximumRenditions)),
    KeyShape("output", .text),
    KeyShape("report", .text),
    KeyShape("tolerant", .boolean),
    KeyShape("limits", .object(limits)),
    KeyShape("onKept", .choice(words(Job.OnKept.self), later: ["renderLast"])),
  ]

  static let defaults = ObjectShape(noun: "an object of defaults", keys: settings)

  static let selection = ObjectShape(
    noun: "a selection of assets",
    keys: [
      KeyShape("from", .text),
      KeyShape("matching", .list(.choice(matchableTypes, later: []), count: 1...64)),
      KeyShape("limit", .integer(1...1_000_000_000)),
      KeyShape("ordered", .choice(words(Selection.Order.self), later: [])),
    ])

  static let job = ObjectShape(
    noun: "a job",
    keys: [
      KeyShape("id", .text),
      KeyShape("asset", .text),
      KeyShape("assetBytes", .text),
      KeyShape("assets", .object(selection)),
    ] + settings,
    exactlyOne: ["asset", "assetBytes", "assets"])

  /// The first line of JSON Lines.
  static let header = ObjectShape(
    noun: "a manifest's header",
    keys: [
      KeyShape("minilab", .version(version)),
      KeyShape("library", .text),
      KeyShape("defaults", .object(defaults)),
    ],
    required: ["minilab"])

  /// A whole manifest as one object; its jobs are checked one by one.
  static let manifest = ObjectShape(
    noun: "a manifest",
    keys: header.keys + [KeyShape("jobs", .list(.anything, count: 0...Int.max))],
    required: ["minilab", "jobs"])

  private static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> [String]
  where Word.RawValue == String {
    type.allCases.map(\.rawValue)
  }
}
