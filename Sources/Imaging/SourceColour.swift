import CImagingShim
import ColourEngine
import RenderModel

/// What the numbers of a decoded picture mean, and what has to happen before a pass can read them.
struct SourceColour: Hashable, Sendable {
  enum Conversion: Hashable, Sendable {
    case none
    /// Only the first bands are picture.
    case firstBands(Int)
    /// Through Little CMS to floats of the working space.
    case managed(ManagedColour)
  }

  var conversion = Conversion.none
  /// Of the picture after the conversion.
  var layout: PixelLayout
  /// What the embedded profile calls itself, what else the file says, or `untagged`.
  var profileName: String
  /// The bytes to embed again when the rendition keeps this space; nil when it has none to keep.
  var profile: [UInt8]?
  /// Whether `layout.space` is the picture's own RGB space, so that a rendition can keep it.
  var canKeepSpace = false
  /// What a rendition that wants the source's space gets when there is none to keep.
  var substitute = RGBSpace.sRGB
  var losses: [String] = []
  /// Sentences on what was not understood, or not as it was meant.
  var notes: [String] = []

  /// Whether the picture's numbers are inks.
  var isCMYK: Bool {
    if case .managed(let managed) = conversion { managed.model == .cmyk } else { false }
  }

  init(layout: PixelLayout, profileName: String) {
    self.layout = layout
    self.profileName = profileName
  }

  /// nil when samples are of a kind that is not rendered.
  init?(_ image: borrowing PipelineImage, _ signals: ColourSignals = ColourSignals()) {
    let bands = image.bands
    let embedded = EmbeddedColour(image.bytes(profileField))
    profileName = embedded?.name ?? "untagged"
    if let fault = signals.profileFault, embedded == nil {
      notes.append("the embedded profile is not used: \(fault)")
      losses.append("profile")
    }
    if image.model == MINILAB_MODEL_LAB {
      layout = .working
      useLab(embedded)
      return
    }
    guard let sample = PixelLayout.Sample(image.format) else { return nil }
    if image.model == MINILAB_MODEL_CMYK && bands >= 4 {
      layout = .working
      guard useInks(embedded, sample, hasAlpha: bands >= 5, image.size)
      else { return nil }
      return
    }
    let kept = bands > 4 ? 3 : bands
    if bands > 4 { conversion = .firstBands(3) }
    layout = PixelLayout(
      sample: sample, bands: kept, alpha: kept == 2 || kept == 4 ? .straight : .none,
      space: sample == .float32 ? Self.linear : .sRGB)
    canKeepSpace = kept >= 3 && sample != .float32
    if let space = signals.overProfile {
      if embedded != nil { notes.append("the code points count more than the embedded profile") }
      use(space)
    } else if embedded.map({ use($0, image.size) }) != true, let space = signals.withoutProfile {
      use(space)
    }
  }

  private static let linear = RGBSpace(
    name: "linear sRGB", curve: .linear, toWorking: RGBSpace.sRGB.toWorking)

  /// Takes a space that the file names by other means than a profile.
  private mutating func use(_ space: RGBSpace) {
    layout.space = space
    profileName = space.name
    guard space.hdr != nil else { return }
    canKeepSpace = false
    substitute = .displayP3
    losses.append("hdr")
  }

  /// Takes an embedded profile of a grey or RGB picture; false when it cannot be used, with a note.
  private mutating func use(_ embedded: EmbeddedColour, _ size: PixelSize) -> Bool {
    let wanted = layout.isGrey ? ICCProfile.ColorModel.grey : .rgb
    guard embedded.model == wanted, let model = ManagedColour.Model(wanted) else {
      refuse(embedded, embedded.mismatch(with: wanted))
      return false
    }
    if let space = RGBSpace(iccProfile: embedded.bytes) {
      layout.space = space
      if !layout.isGrey && layout.sample != .float32 { profile = embedded.bytes }
      return true
    }
    var managed = ManagedColour(
      model: model, profile: embedded.bytes, sample: layout.sample, hasAlpha: layout.hasAlpha)
    if let fault = managed.fault(.toWorking) {
      refuse(embedded, fault)
      return false
    }
    managed = managed.tabled(for: size)
    conversion = .managed(managed)
    layout = managed.working
    canKeepSpace = false
    return true
  }

  /// Takes inks by their profile, else by the usual one; false when there is none.
  private mutating func useInks(
    _ embedded: EmbeddedColour?, _ sample: PixelLayout.Sample, hasAlpha: Bool, _ size: PixelSize
  ) -> Bool {
    var managed = ManagedColour(
      model: .cmyk, profile: embedded?.bytes, sample: sample, hasAlpha: hasAlpha)
    var fault: String?
    if let embedded {
      fault =
        embedded.model == .cmyk ? managed.fault(.toWorking) : embedded.mismatch(with: .cmyk)
      if let fault { refuse(embedded, fault) }
    }
    if embedded == nil || fault != nil {
      guard let usual = BuiltInProfile.cmyk else { return false }
      managed.profile = usual
      notes.append("the inks are taken as those of the built-in CMYK profile")
    }
    managed = managed.tabled(for: size)
    conversion = .managed(managed)
    layout = managed.working
    return true
  }

  private mutating func useLab(_ embedded: EmbeddedColour?) {
    var managed = ManagedColour(model: .lab, sample: .float32, hasAlpha: false)
    if let embedded {
      var own = managed
      own.profile = embedded.bytes
      let fault =
        embedded.model == .lab ? own.fault(.toWorking) : embedded.mismatch(with: .lab)
      if let fault { refuse(embedded, fault) } else { managed = own }
    }
    conversion = .managed(managed)
  }

  private mutating func refuse(_ embedded: EmbeddedColour, _ fault: String) {
    notes.append("the embedded profile (\(embedded.name)) is not used: \(fault)")
    losses.append("profile")
    profileName = "untagged"
  }

  /// Gives samples that are laid out as `layout` says; anything else would be read out of bounds.
  func prepare(
    _ image: borrowing PipelineImage, _ intent: ColourIntent = .plain
  ) throws(LibraryError) -> PipelineImage {
    let prepared = try convert(image, intent)
    guard prepared.bands == layout.bands, prepared.format == layout.sample.library else {
      throw LibraryError(text: "a layout of \(prepared.bands) bands is not supported")
    }
    return prepared
  }

  private func convert(
    _ image: borrowing PipelineImage, _ intent: ColourIntent
  ) throws(LibraryError) -> PipelineImage {
    switch conversion {
    case .none: return try image.copy()
    case .firstBands(let count): return try image.firstBands(count)
    case .managed(let managed):
      if managed.model == .lab { return try image.lab().converted(.toWorking, managed, intent) }
      let samples =
        image.bands > managed.bands ? try image.firstBands(managed.bands) : try image.copy()
      return try samples.converted(.toWorking, managed, intent)
    }
  }
}

/// A profile that a file brings along, and what it says of itself.
private struct EmbeddedColour {
  var bytes: [UInt8]
  var name: String
  var model: ICCProfile.ColorModel?

  init?(_ bytes: [UInt8]?) {
    guard let bytes else { return nil }
    self.bytes = bytes
    name = ICCProfile.description(of: bytes) ?? "unnamed"
    model = ICCProfile.colorModel(of: bytes)
  }

  func mismatch(with wanted: ICCProfile.ColorModel) -> String {
    guard let model else { return "it is damaged or incomplete" }
    return "it is for \(model.words) pictures and this is a \(wanted.words) one"
  }
}

extension ICCProfile.ColorModel {
  fileprivate var words: String {
    switch self {
    case .rgb: "RGB"
    case .grey: "grey"
    case .cmyk: "CMYK"
    case .lab: "Lab"
    case .xyz: "XYZ"
    case .other: "other"
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
