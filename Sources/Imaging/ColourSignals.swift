import ColourEngine

/// What a file says of its colours besides an ICC profile.
struct ColourSignals: Hashable, Sendable {
  /// CICP or nclx.
  var coded: CodedColour?
  /// Whether the code points count more than a profile, as in PNG; those of HDR always do.
  var prefersCoded = false
  /// Why a profile that is in the file cannot be had; nil where there is none, or it can.
  var profileFault: String?
  /// By older means: a gamma and chromaticities, or the word of EXIF.
  var space: RGBSpace?

  /// The space that counts although there is a profile.
  var overProfile: RGBSpace? {
    guard let coded, prefersCoded || coded.isHDR else { return nil }
    return coded.space
  }

  /// The space where no profile can be used; nil when nothing is said.
  var withoutProfile: RGBSpace? { coded?.space ?? space }

  /// Adds what Exif says, where nothing else says anything.
  mutating func read(exif block: [UInt8]) {
    // Code points that are unspecified say nothing.
    guard coded?.space == nil, space == nil else { return }
    if EXIFBlock.saysAdobeRGB(block) { space = .adobeRGB }
  }
}
