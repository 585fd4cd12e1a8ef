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

  /// Adds what the tags of a picture say, where nothing else does.
  mutating func readTags(of image: borrowing PipelineImage) {
    guard coded == nil, space == nil else { return }
    // Cameras say that a picture is Adobe RGB by the interoperability rule R03 of DCF, since EXIF has no
    // word for it but an old, unofficial 2.
    let isR03 = image.text("exif-ifd4-InteroperabilityIndex")?.hasPrefix("R03") ?? false
    let isTwo = image.text("exif-ifd2-ColorSpace")?.hasPrefix("2 ") ?? false
    if isR03 || isTwo { space = .adobeRGB }
  }
}
