/// A uniform type identifier, found from the bytes of a file and never from its name.
package struct UniformType: Hashable, Sendable, RawRepresentable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let jpeg = UniformType(rawValue: "public.jpeg")
  package static let png = UniformType(rawValue: "public.png")
  package static let tiff = UniformType(rawValue: "public.tiff")
  package static let heic = UniformType(rawValue: "public.heic")
  package static let heif = UniformType(rawValue: "public.heif")
  package static let avif = UniformType(rawValue: "public.avif")
  package static let webP = UniformType(rawValue: "org.webmproject.webp")
  package static let jpegXL = UniformType(rawValue: "public.jpeg-xl")
  package static let jpeg2000 = UniformType(rawValue: "public.jpeg-2000")
  package static let gif = UniformType(rawValue: "com.compuserve.gif")
  package static let bmp = UniformType(rawValue: "com.microsoft.bmp")
  package static let pdf = UniformType(rawValue: "com.adobe.pdf")
  package static let svg = UniformType(rawValue: "public.svg-image")
  package static let rawImage = UniformType(rawValue: "com.adobe.raw-image")
  package static let dng = UniformType(rawValue: "com.adobe.dng-image")
  package static let photoshop = UniformType(rawValue: "com.adobe.photoshop-image")
  package static let openEXR = UniformType(rawValue: "com.ilm.openexr-image")
  package static let radiance = UniformType(rawValue: "public.radiance")
  package static let jpegXR = UniformType(rawValue: "com.microsoft.jpeg-xr")
  package static let icon = UniformType(rawValue: "com.microsoft.ico")
  package static let movie = UniformType(rawValue: "public.movie")
  package static let data = UniformType(rawValue: "public.data")

  /// The types that a rendition can be written as.
  package static let writable: [UniformType] = [
    .jpeg, .png, .webP, .tiff, .avif, .heic, .jpegXL,
  ]

  /// The types that the built-in renderer reads.
  package static let readable: [UniformType] = [
    .jpeg, .png, .webP, .tiff, .heic, .heif, .avif, .jpegXL, .jpeg2000, .gif, .rawImage, .dng,
  ]

  /// The file-name extension that belongs to a writable type; nil for the others.
  package var preferredExtension: String? {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .webP: "webp"
    case .tiff: "tif"
    case .avif: "avif"
    case .heic: "heic"
    case .jpegXL: "jxl"
    default: nil
    }
  }

  /// The longest side that the format can hold, in pixels; nil for types that cannot be written.
  ///
  /// JPEG: ISO/IEC 10918-1 has 16 bits, of which libjpeg takes 65,500. WebP: RFC 9649 has 14 bits.
  /// PNG: 31 bits. TIFF: 32 bits, bounded here by what libvips holds. AVIF and HEIC: what libheif reads
  /// again. JPEG XL: what level 5 of its codestream holds.
  package var longestSide: Int? {
    switch self {
    case .jpeg: 65_500
    case .webP: 16_383
    case .png, .tiff: 10_000_000
    case .avif, .heic: 16_384
    case .jpegXL: 262_144
    default: nil
    }
  }

  /// The types whose format can hold sides of so many pixels.
  package static func writable(sides: Int) -> [UniformType] {
    writable.filter { ($0.longestSide ?? 0) >= sides }
  }

  /// Whether this type is `other` or one of its kind: every picture conforms to `public.image`.
  package func conforms(to other: UniformType) -> Bool {
    if self == other { return true }
    switch other.rawValue {
    case "public.image":
      return Self.readable.contains(self)
        || [
          .bmp, .svg, .photoshop, .openEXR, .radiance, .jpegXR, .icon,
        ].contains(self)
    case "public.camera-raw-image", "com.adobe.raw-image": return self == .dng || self == .rawImage
    case "public.heif": return self == .heic || self == .avif
    default: return false
    }
  }
}

extension UniformType: Codable {
  package init(from decoder: any Decoder) throws {
    self.rawValue = try decoder.singleValueContainer().decode(String.self)
  }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
