/// Questions to the bytes of an ICC profile, which may be hostile.
package enum ICCProfile {
  package enum ColorModel: Hashable, Sendable {
    case rgb, grey, cmyk, lab, xyz, other
  }

  /// What the profile calls itself, safe to show; nil when it says nothing readable.
  package static func description(of bytes: [UInt8]) -> String? {
    ICCTags(bytes)?.text("desc")
  }

  /// nil when the bytes are no profile, or not all of one.
  package static func colorModel(of bytes: [UInt8]) -> ColorModel? {
    guard let tags = ICCTags(bytes), !tags.isCutOff else { return nil }
    return tags.model
  }

  /// Whether `RGBSpace` can stand for the profile exactly: matrix or grey curve, no lookup table.
  package static func isMatrixShaper(_ bytes: [UInt8]) -> Bool {
    RGBSpace(iccProfile: bytes) != nil
  }
}
