import CImagingShim
import ColourEngine
import Glibc
import RenderModel

/// The space, depth and profile of one rendition, and what of the source it cannot hold.
struct OutputColour: Sendable {
  /// What is encoded; of managed samples the space says nothing.
  var layout: PixelLayout
  /// What Little CMS makes of the working space's floats; nil where a matrix does it.
  var managed: ManagedColour?
  /// What is embedded.
  var profile: [UInt8]
  var profileName: String
  var intent: ColourIntent
  /// Counts what the space cannot hold; nil where nothing of the source lies outside it.
  var gamut: GamutMeter?
  private var losses: [String] = []

  /// Bits a sample as encoded: those of the layout, or fewer.
  var bitDepth: Int
  /// Whether the profile says what Exif calls sRGB.
  var isSRGB: Bool { profileName.hasPrefix("sRGB") }

  /// `given`: the bytes of the profile that the rendition names.
  init(
    _ rendition: Rendition, from source: SourceColour, sourceBits: Int, given: [UInt8]? = nil
  ) throws(RenderFailure) {
    let keepsAlpha = source.layout.hasAlpha && rendition.type != .jpeg
    bitDepth = rendition.depth
    let target =
      rendition.profile == nil
      ? TargetSpace(rendition, source) : try TargetSpace(rendition, given: given ?? [])
    intent = ColourIntent(rendition)
    layout = PixelLayout(
      sample: bitDepth > 16 ? .float32 : bitDepth > 8 ? .uint16 : .uint8, bands: keepsAlpha ? 4 : 3,
      alpha: keepsAlpha ? .straight : .none, space: target.space)
    profile = target.profile
    profileName = target.name
    // Before the meter: what it counts is what lies outside the primaries.
    if layout.sample == .float32, target.model == nil { becomeLinear() }
    if let model = target.model {
      let alpha = keepsAlpha && model != .cmyk
      let managed = ManagedColour(
        model: model, profile: target.profile, sample: layout.sample, hasAlpha: alpha)
      if let fault = managed.fault(.fromWorking) {
        throw Self.refusal(rendition, "(\(target.name)) cannot be written to: \(fault)")
      }
      layout.bands = managed.bands
      layout.alpha = alpha ? .straight : .none
      self.managed = managed
    } else if source.layout.space.exceeds(target.space) {
      gamut = GamutMeter()
    }
    if source.isCMYK && managed?.model != .cmyk { losses.append("cmyk") }
    if source.layout.hasAlpha && layout.alpha == .none { losses.append("alpha") }
    if bitDepth < max(min(sourceBits, 16), rendition.bitDepth ?? 8) { losses.append("bitDepth") }
  }

  /// What the stages give: the samples to encode, or the floats that they are made of.
  var staged: PixelLayout { managed?.working ?? layout }

  /// What was lost, once the rendition is encoded.
  var foundLosses: [String] {
    losses + (gamut.map { $0.share > 0 } == true ? ["wideGamut"] : [])
  }

  func notes(on rendition: Rendition) -> [String] {
    guard let share = gamut?.share, share > 0 else { return [] }
    let percent = (share * 10_000).rounded() / 100
    let shown = percent < 0.01 ? "less than 0.01" : "\(percent)"
    return [
      "\(DisplayText.escaped(rendition.name)): \(shown) % of the pixels have colours that "
        + "\(profileName) cannot hold"
    ]
  }

  /// Numbers with a fraction hold light as it is, as programs that read them expect.
  private mutating func becomeLinear() {
    layout.space = RGBSpace(
      name: "linear " + layout.space.name, curve: .linear, toWorking: layout.space.toWorking)
    profile = EmbeddedProfile.profile(of: layout.space)
    profileName = layout.space.name
  }

  fileprivate static func refusal(_ rendition: Rendition, _ words: String) -> RenderFailure {
    RenderFailure(
      code: .invalidJob, stage: .encode,
      detail: "the rendition \(DisplayText.escaped(rendition.name)): the profile \(words)")
  }
}

/// Where the colours of a rendition go.
private struct TargetSpace {
  var space: RGBSpace
  var profile: [UInt8]
  var name: String
  /// nil where the space alone says how to get there.
  var model: ManagedColour.Model?

  init(_ rendition: Rendition, _ source: SourceColour) {
    space = Self.space(rendition.colorSpace, source)
    if rendition.colorSpace == .source, source.canKeepSpace, let own = source.profile {
      profile = own
      name = source.profileName
    } else {
      profile = EmbeddedProfile.profile(of: space)
      name = space.name
    }
  }

  init(_ rendition: Rendition, given: [UInt8]) throws(RenderFailure) {
    profile = given
    name = ICCProfile.description(of: given) ?? "unnamed"
    space = .working
    let found = ICCProfile.colorModel(of: given)
    guard let model = ManagedColour.Model(found), model != .lab else {
      throw OutputColour.refusal(
        rendition,
        found == nil
          ? "is no ICC profile" : "(\(name)) is not for grey, RGB or CMYK pictures")
    }
    if model == .rgb, let matrix = RGBSpace(iccProfile: given) {
      space = matrix
      return
    }
    let holders: [UniformType] =
      switch model {
      case .grey: [.jpeg, .png, .tiff]
      case .cmyk: [.jpeg, .tiff]
      default: UniformType.writable
      }
    guard holders.contains(rendition.type) else {
      let names = holders.map(\.rawValue).joined(separator: " or ")
      throw OutputColour.refusal(
        rendition, "(\(name)) is for \(model == .grey ? "grey" : "CMYK"), which \(names) can hold")
    }
    self.model = model
  }

  private static func space(_ wanted: Rendition.ColorSpace, _ source: SourceColour) -> RGBSpace {
    switch wanted {
    case .source: return source.canKeepSpace ? source.layout.space : source.substitute
    case .sRGB: return .sRGB
    case .displayP3: return .displayP3
    case .adobeRGB: return .adobeRGB
    case .rec2020: return .rec2020
    }
  }
}

/// The profiles that the library carries.
enum BuiltInProfile {
  /// A press that inks are taken for where nothing else is said.
  static let cmyk = bytes("cmyk")

  private static func bytes(_ name: String) -> [UInt8]? {
    var length = 0
    guard let start = unsafe minilab_builtin_profile(name, &length) else { return nil }
    defer { unsafe free(start) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }
}

extension RGBSpace {
  /// Whether a primary of this space lies outside the other by more than rounding.
  func exceeds(_ other: RGBSpace) -> Bool {
    let primaries = other.fromWorking * toWorking
    return (0..<3).contains { index in
      let column = primaries.column(index)
      return min(column.x, min(column.y, column.z)) < -0.01
    }
  }
}
