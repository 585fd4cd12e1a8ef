import CImagingShim
import ColourEngine
import RenderModel

/// What the numbers of a decoded picture mean, and what has to happen before a pass can read them.
struct SourceColour: Hashable, Sendable {
  enum Conversion: Hashable, Sendable {
    case none
    /// Through Little CMS to 16-bit Display P3; the built-in profile serves when none fits.
    case profileToP3(fallback: String)
    case labToP3
    /// Only the first bands are picture.
    case firstBands(Int)
  }

  var conversion = Conversion.none
  /// Of the picture after the conversion.
  var layout: PixelLayout
  /// What the embedded profile calls itself, or `untagged`.
  var profileName: String
  /// The bytes to embed again when the rendition keeps this space; nil when it has none to keep.
  var profile: [UInt8]?
  /// Whether `layout.space` is the picture's own RGB space, so that a rendition can keep it.
  var canKeepSpace = false
  /// What a rendition `as source` is in where the own space cannot be kept.
  var standardSpace = RGBSpace.sRGB
  var losses: [String] = []

  init(layout: PixelLayout, profileName: String) {
    self.layout = layout
    self.profileName = profileName
  }

  /// nil when samples are of a kind that is not rendered.
  init?(_ image: borrowing PipelineImage) {
    let embedded = image.bytes(profileField)
    profileName = embedded.map { ICCProfile.description(of: $0) ?? "unnamed profile" } ?? "untagged"
    let bands = image.bands
    let model = image.model
    let kind = embedded.flatMap { ICCProfile.colorModel(of: $0) }

    if model == MINILAB_MODEL_LAB {
      // Packed Lab has four bands of which none is alpha.
      layout = Self.p3(bands: bands >= 4 && image.format == MINILAB_FORMAT_FLOAT ? 4 : 3)
      conversion = .labToP3
      return
    }
    guard let sample = PixelLayout.Sample(image.format) else { return nil }
    if model == MINILAB_MODEL_CMYK && bands >= 4 {
      layout = Self.p3(bands: bands >= 5 ? 4 : 3)
      conversion = .profileToP3(fallback: "cmyk")
      losses.append("cmyk")
      return
    }

    let kept = bands > 4 ? 3 : bands
    if bands > 4 { conversion = .firstBands(3) }
    layout = PixelLayout(
      sample: sample, bands: kept, alpha: kept == 2 || kept == 4 ? .straight : .none,
      space: sample == .float32 ? Self.linear : .sRGB)
    canKeepSpace = kept >= 3 && sample != .float32
    guard let embedded, sample != .float32 else { return }

    let fits = kept <= 2 ? kind == .grey : kind == .rgb
    if fits, let space = RGBSpace(iccProfile: embedded) {
      layout.space = space
      if kept >= 3 { profile = embedded }
    } else if fits, image.fits(profile: embedded) {
      // A lookup table: Little CMS reads it. Grey ones give three channels too.
      layout = Self.p3(bands: kept == 2 || kept == 4 ? 4 : 3)
      conversion = .profileToP3(fallback: "srgb")
      canKeepSpace = false
    }
  }

  private static let linear = RGBSpace(
    name: "linear sRGB", curve: .linear, toWorking: RGBSpace.sRGB.toWorking)

  private static func p3(bands: Int) -> PixelLayout {
    PixelLayout(
      sample: .uint16, bands: bands, alpha: bands == 4 ? .straight : .none, space: BuiltInProfile.p3
    )
  }

  /// Gives samples that are laid out as `layout` says; anything else would be read out of bounds.
  func prepare(_ image: borrowing PipelineImage) throws(LibraryError) -> PipelineImage {
    let prepared = try convert(image)
    guard prepared.bands == layout.bands, prepared.format == layout.sample.library else {
      throw LibraryError(text: "a layout of \(prepared.bands) bands is not supported")
    }
    return prepared
  }

  private func convert(_ image: borrowing PipelineImage) throws(LibraryError) -> PipelineImage {
    switch conversion {
    case .none: try image.copy()
    case .profileToP3(let fallback): try image.convertedToP3(fallback: fallback)
    case .labToP3: try image.labConvertedToP3()
    case .firstBands(let count): try image.firstBands(count)
    }
  }
}

/// The library's name for an embedded profile.
let profileField = "icc-profile-data"

extension PixelLayout.Sample {
  init?(_ format: minilab_format) {
    switch format {
    case MINILAB_FORMAT_UINT8: self = .uint8
    case MINILAB_FORMAT_UINT16: self = .uint16
    case MINILAB_FORMAT_FLOAT: self = .float32
    default: return nil
    }
  }
}
