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

  /// Whether the profile says what Exif calls sRGB.
  var isSRGB: Bool { profileName.hasPrefix("sRGB") }
  var bitDepth: Int { layout.sample == .uint16 ? 16 : 8 }

  init(_ rendition: Rendition, from source: SourceColour, sourceBits: Int) {
    let keepsAlpha = source.layout.hasAlpha && rendition.type != .jpeg
    let space: RGBSpace
    switch rendition.colorSpace {
    case .source where source.canKeepSpace: space = source.layout.space
    case .displayP3: space = .displayP3
    case .source, .sRGB: space = .sRGB
    }
    let canBeDeep = rendition.type == .png || rendition.type == .tiff
    let deep = rendition.bitDepth == 16 && canBeDeep
    layout = PixelLayout(
      sample: deep ? .uint16 : .uint8, bands: keepsAlpha ? 4 : 3,
      alpha: keepsAlpha ? .straight : .none, space: space)
    if rendition.colorSpace == .source, source.canKeepSpace, let own = source.profile {
      profile = own
      profileName = source.profileName
    } else {
      profile = space == .displayP3 ? EmbeddedProfile.displayP3 : EmbeddedProfile.sRGB
      profileName = space.name
    }

    if source.layout.hasAlpha && !keepsAlpha { losses.append("alpha") }
    if !deep && (sourceBits > 8 || rendition.bitDepth == 16) { losses.append("bitDepth") }
    if source.layout.space.exceeds(space) { losses.append("wideGamut") }
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
