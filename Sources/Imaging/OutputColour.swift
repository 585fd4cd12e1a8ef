import CImagingShim
import ColourEngine
import Glibc
import RenderModel

/// The space, depth and profile of one rendition, and what of the source it cannot hold.
struct OutputColour: Hashable, Sendable {
  var layout: PixelLayout
  /// What is embedded.
  var profile: [UInt8]
  var profileName: String
  var losses: [String] = []

  /// Bits a sample as encoded: those of the layout, or fewer.
  var bitDepth: Int

  init(_ rendition: Rendition, from source: SourceColour, sourceBits: Int) {
    let keepsAlpha = source.layout.hasAlpha && rendition.type != .jpeg
    let space: RGBSpace
    switch rendition.colorSpace {
    case .source where source.canKeepSpace: space = source.layout.space
    case .displayP3: space = .displayP3
    case .source: space = source.standardSpace
    case .sRGB: space = .sRGB
    }
    bitDepth = rendition.depth
    layout = PixelLayout(
      sample: bitDepth > 16 ? .float32 : bitDepth > 8 ? .uint16 : .uint8, bands: keepsAlpha ? 4 : 3,
      alpha: keepsAlpha ? .straight : .none, space: space)
    if rendition.colorSpace == .source, source.canKeepSpace, let own = source.profile {
      profile = own
      profileName = source.profileName
    } else {
      profile = space == .displayP3 ? EmbeddedProfile.displayP3 : EmbeddedProfile.sRGB
      profileName = space.name
    }
    if layout.sample == .float32 { becomeLinear() }

    if source.layout.hasAlpha && !keepsAlpha { losses.append("alpha") }
    if bitDepth < max(min(sourceBits, 16), rendition.bitDepth ?? 8) { losses.append("bitDepth") }
    if source.layout.space.exceeds(space) { losses.append("wideGamut") }
  }

  /// Numbers with a fraction hold light as it is, as programs that read them expect.
  private mutating func becomeLinear() {
    layout.space = RGBSpace(
      name: "linear " + layout.space.name, curve: .linear, toWorking: layout.space.toWorking)
    profile = EmbeddedProfile.linear(layout.space)
    profileName = layout.space.name
  }
}

/// The profiles that the library carries.
enum BuiltInProfile {
  /// Display P3 as the library's own profile has it, whose curve is a table of 182 points.
  static let p3 = bytes("p3").flatMap { RGBSpace(iccProfile: $0) } ?? .displayP3

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
