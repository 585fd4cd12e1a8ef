import RenderModel

/// Every key of a manifest, once: decoder, messages and schema are made from these.
enum ManifestKeys {
  /// The manifest version that this program reads.
  static let version = 1
  static let maximumRenditions = 64

  static let writableTypes = UniformType.writable.map(\.rawValue)
  static let laterTypes = [
    UniformType.gif, .jpeg2000, .rawImage,
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
    id: "deadline", noun: "a deadline",
    keys: [
      KeyShape(
        "base", .duration(1...longestDuration), "What every job may take; 30s when left out."),
      KeyShape(
        "perMegapixel", .duration(0...longestDuration),
        "What it may take more for each million pixels of the original."),
    ])

  static let limits = ObjectShape(
    id: "limits", noun: "a set of limits",
    keys: [
      KeyShape(
        "pixels", .integer(1...100_000_000_000), "Pixels of one frame; 250,000,000 when left out."),
      KeyShape(
        "side", .integer(1...10_000_000), "Pixels of the longer side; 65,500 when left out."),
      KeyShape("pages", .integer(1...10_000_000), "Pages or frames; 10,000 when left out."),
      KeyShape(
        "inputBytes", .integer(1...1_000_000_000_000_000),
        "Bytes of the original; 2,000,000,000 when left out."),
    ])

  static let record = ObjectShape(
    id: "record", noun: "an adjustment record",
    keys: [
      KeyShape(
        "formatIdentifier", .text, "Whose format it is; org.minilab.adjustments is the own one."),
      KeyShape("formatVersion", .text, "The version of that format, such as 1.0."),
      KeyShape("data", .anything, "What the format says; kept as it is written."),
    ],
    required: ["formatIdentifier", "formatVersion", "data"])

  static let profile = ObjectShape(
    id: "profile", noun: "a profile",
    keys: [KeyShape("profile", .text, "The path of an ICC profile beneath the library.")],
    required: ["profile"])

  static let rendition = ObjectShape(
    id: "rendition", noun: "a rendition",
    keys: [
      KeyShape("name", .text, "Tells it apart from the job's others and stands in file names."),
      KeyShape(
        "type", .choice(writableTypes, later: laterTypes),
        "The type to write; public.jpeg when left out."),
      KeyShape(
        "targetSize", .size(side: 0...10_000_000),
        "Width and height in pixels, 0 leaves a side free; the full size when left out."),
      KeyShape(
        "contentMode", .choice(words(Rendition.ContentMode.self), later: []),
        "How the picture meets the target size; aspectFit when left out."),
      KeyShape(
        "deliveryMode", .choice(words(Rendition.DeliveryMode.self), later: []),
        "Filters before scaling, or after it and faster; highQuality when left out."),
      KeyShape("enlarge", .boolean, "Small pictures may be made larger; false when left out."),
    ] + OutputOption.all.map(KeyShape.init) + [
      KeyShape(
        "colorSpace",
        .either(text: .choice(words(Rendition.ColorSpace.self), later: []), object: profile),
        "A space or a profile; source keeps that of RGB originals and is meant when left out."),
      KeyShape(
        "renderingIntent", .choice(words(Rendition.RenderingIntent.self), later: []),
        "How profiles with tables meet colours out of gamut; relative when left out."),
      KeyShape(
        "blackPointCompensation", .boolean,
        "Whether the darkest of one side becomes that of the other; false when left out."),
      KeyShape(
        "metadata", .choice(words(Rendition.MetadataPolicy.self), later: []),
        "What becomes of the original's metadata; keep when left out."),
      KeyShape(
        "location", .choice(words(Rendition.LocationPolicy.self), later: []),
        "What becomes of the place where it was taken; keep when left out."),
      KeyShape("output", .text, "The template of its name, in place of the job's."),
    ],
    required: ["name"])

  /// The keys that defaults and jobs share.
  private static let settings = [
    KeyShape(
      "deadline", .either(text: .duration(1...longestDuration), object: deadline),
      "How long a job may run before it is killed; 30s when left out."),
    KeyShape(
      "adjustment", .either(text: .text, object: record),
      "A record, the path of one, none, or sidecar, which is meant when left out."),
    KeyShape(
      "renditions", .list(.object(rendition), count: 1...maximumRenditions),
      "The wanted outputs; one public.jpeg named full when left out."),
    KeyShape(
      "output", .text,
      "The template of output names; {directory}/{stem}.{rendition}.{extension} when left out."),
    KeyShape(
      "report", .text, "The template of a report file beside the renders; none when left out."),
    KeyShape(
      "tolerant", .boolean, "Damaged originals are rendered as far as they go, and say so."),
    KeyShape(
      "rawSource", .choice(words(RAWSource.self), later: []),
      "Which pixels of a RAW original are rendered; sensor when left out."),
    KeyShape("limits", .object(limits), "What an original may ask for before it is decoded."),
    KeyShape(
      "onKept", .choice(words(Job.OnKept.self), later: ["renderLast"]),
      "What happens with a photo whose adjustments nobody here can render."),
  ]

  static let defaults = ObjectShape(
    id: "defaults", noun: "an object of defaults", keys: settings)

  static let selection = ObjectShape(
    id: "selection", noun: "a selection of assets",
    keys: [
      KeyShape("from", .text, "A folder beneath the library; the library when left out."),
      KeyShape(
        "matching", .list(.choice(matchableTypes, later: []), count: 1...64),
        "Types, found from the content of files; public.image when left out."),
      KeyShape("limit", .integer(1...1_000_000_000), "No more than so many, the first in order."),
      KeyShape(
        "ordered", .choice(words(Selection.Order.self), later: []), "name when left out."),
    ])

  static let job = ObjectShape(
    id: "job", noun: "a job",
    keys: [
      KeyShape("id", .text, "Its name in reports; the asset's path when left out."),
      KeyShape("asset", .text, "The original's path beneath the library."),
      KeyShape("assetBytes", .text, "The same in base64, for names that are not UTF-8."),
      KeyShape("assets", .object(selection), "Many jobs at once: the pictures of a folder."),
    ] + settings,
    exactlyOne: ["asset", "assetBytes", "assets"])

  /// The first line of JSON Lines.
  static let header = ObjectShape(
    id: "header", noun: "a manifest's header",
    keys: [
      KeyShape("minilab", .version(version), "The version of this format."),
      KeyShape(
        "library", .text,
        "The folder of the originals; beside the manifest when relative or left out."),
      KeyShape("defaults", .object(defaults), "What holds for jobs that do not say otherwise."),
    ],
    required: ["minilab"])

  /// A whole manifest as one object; its jobs are decoded one by one.
  static let manifest = ObjectShape(
    id: "manifest", noun: "a manifest",
    keys: header.keys + [
      KeyShape("jobs", .list(.object(job), count: 0...Int.max), "What is to be done.")
    ],
    required: ["minilab", "jobs"])

  /// Every object, the outermost first.
  static let objects = [
    manifest, header, defaults, job, selection, rendition, profile, deadline, limits, record,
  ]

  private static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> [String]
  where Word.RawValue == String {
    type.allCases.map(\.rawValue)
  }
}
