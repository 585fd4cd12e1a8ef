import ColourEngine

/// The picture of a HEIF or AVIF file that is shown, and what comes with it.
struct HEIFPicture: Hashable, Sendable {
  /// What turns the coded picture into the shown one, in this order.
  enum Transform: Hashable, Sendable {
    case crop(PixelRect)
    case orient(Orientation)
  }

  var item: Int
  /// As coded, before the transforms.
  var codedSize: PixelSize
  /// After the transforms.
  var size: PixelSize
  var transforms: [Transform] = []
  var coding: HEIFCoding
  /// The item that holds the opacity; nil when there is none.
  var alpha: Int?
  var profile: [UInt8]?
  var coded: CodedColour?
  var losses: [String] = []
  /// Whether samples use their whole range; red, green and blue come from libheif with all of it.
  var isFullRange: Bool { coded?.isFullRange ?? coding.isFullRange ?? true }
  /// By ITU-T H.273; 2 when nothing says it.
  var matrix: Int { coded?.matrix ?? coding.matrix ?? 2 }
  /// What the samples are, as they are to be had from libheif, which makes colours of most kinds right.
  var channels: HEIFConversion.Channels {
    if coding.isMonochrome { return .grey }
    switch matrix {
    // It narrows the range of these once more.
    case 0 where !isFullRange: return .narrowColours
    // And these are grey where they have more than 8 bits.
    case 8 where coded != nil || coding.bits > 8: return .greenAndOrange
    default: return .colours
    }
  }
  /// With `Exif\0\0` in front.
  var exif: [UInt8]?
  var xmp: [UInt8]?

  init(_ container: HEIFContainer, _ file: borrowing FileBytes) throws(LibraryError) {
    item = container.primary
    let properties = container.properties(of: item)
    coding = try Self.coding(container)
    guard
      let stored = properties.compactMap({ if case .size(let size) = $0 { size } else { nil } })
        .first, stored.width > 0, stored.height > 0
    else { throw LibraryError(text: "its picture has no size") }
    codedSize = stored
    size = stored
    let extras = HEIFExtras(container)
    alpha = extras.alpha
    losses = extras.losses
    for property in properties { try apply(property) }
    let sources = container.sources(of: item)
    if profile == nil, coded == nil, let first = sources.first {
      // Tiles say it where their grid does not.
      for property in container.properties(of: first) { readColour(property) }
    }
    if properties.contains(where: { if case .aspect(let x, let y) = $0 { x != y } else { false } })
    {
      losses.append("pixelAspect")
    }
    (exif, xmp) = container.metadata(file)
    transforms = Self.joined(transforms)
  }

  /// Whether the container says how the picture lies; then EXIF does not.
  private(set) var hasOrientation = false

  private mutating func apply(_ property: HEIFProperty) throws(LibraryError) {
    switch property {
    case .rotation(let turns):
      hasOrientation = true
      turn([.upright, Orientation(8), Orientation(3), Orientation(6)][turns] ?? .upright)
    case .mirror(let topToBottom):
      hasOrientation = true
      turn(Orientation(topToBottom ? 4 : 2) ?? .upright)
    case .aperture(let aperture):
      guard let rect = aperture.rect(in: size) else {
        throw LibraryError(text: "its clean aperture does not lie in the picture")
      }
      transforms.append(.crop(rect))
      size = rect.size
    default: readColour(property)
    }
  }

  private mutating func turn(_ orientation: Orientation) {
    transforms.append(.orient(orientation))
    size = orientation.displayed(size)
  }

  private mutating func readColour(_ property: HEIFProperty) {
    switch property {
    case .profile(let bytes): profile = profile ?? (bytes.isEmpty ? nil : bytes)
    case .coded(let colour): coded = coded ?? colour
    default: break
    }
  }

  /// Turns after one another are one, and none where they are undone.
  private static func joined(_ transforms: [Transform]) -> [Transform] {
    var result: [Transform] = []
    for transform in transforms {
      if case .orient(let next) = transform, case .orient(let last)? = result.last {
        result[result.count - 1] = .orient(last.then(next))
      } else {
        result.append(transform)
      }
    }
    return result.filter { $0 != .orient(.upright) }
  }

  private static func coding(_ container: HEIFContainer) throws(LibraryError) -> HEIFCoding {
    var item = container.primary
    var depth = 0
    // A grid of grids is not allowed; a loop would not end.
    while let source = container.sources(of: item).first, depth < 4 {
      item = source
      depth += 1
    }
    let found = container.properties(of: item).compactMap {
      if case .coding(let coding) = $0 { coding } else { nil }
    }
    if let coding = found.first { return coding }
    let type = container.items[item]?.type ?? "?"
    let names = [
      "jpeg": "JPEG", "avc1": "AVC", "vvc1": "VVC", "evc1": "EVC", "j2k1": "JPEG 2000",
      "unci": "plain samples",
    ]
    guard let name = names[type] else {
      throw LibraryError(text: "nothing says how its picture is coded")
    }
    throw LibraryError(text: "its picture is coded as \(name), which is not supported")
  }
}
