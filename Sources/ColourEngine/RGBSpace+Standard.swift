extension RGBSpace {
  /// Adobe RGB (1998), whose exponent is 2 51/256.
  package static let adobeRGB = RGBSpace(
    name: "Adobe RGB (1998)", curve: .gamma(563.0 / 256), primaries: .adobeRGB)
  /// ITU-R BT.2020 with the camera curve.
  package static let rec2020 = RGBSpace(name: "Rec. 2020", curve: .video, toWorking: .identity)
  package static let proPhotoRGB = RGBSpace(
    name: "ProPhoto RGB", curve: .parametric(type: 3, [1.8, 1, 0, 1.0 / 16, 1.0 / 32]),
    primaries: .proPhoto)

  /// The spaces that a rendition can be asked for by name.
  package static let standard = [sRGB, displayP3, adobeRGB, rec2020]

  /// Linear RGB of those primaries to the working space; other whites than D65 adapted by Bradford.
  static func toWorking(_ primaries: Primaries) -> Matrix3 {
    if primaries == .rec2020 { return .identity }
    let adaptation = Bradford.adaptation(from: primaries.white.xyz, to: Chromaticity.d65.xyz)
    return xyzToWorking * adaptation * primaries.toXYZ
  }

  func hasPrimaries(of other: RGBSpace) -> Bool {
    toWorking.distance(to: other.toWorking) < 1e-9
  }
}

extension Primaries {
  /// Adobe RGB (1998) Color Image Encoding, 4.3.1.
  package static let adobeRGB = Primaries(
    red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.21, y: 0.71),
    blue: Chromaticity(x: 0.15, y: 0.06), white: .d65)
  /// ISO 22028-2, ROMM RGB; its white is D50.
  package static let proPhoto = Primaries(
    red: Chromaticity(x: 0.7347, y: 0.2653), green: Chromaticity(x: 0.1596, y: 0.8404),
    blue: Chromaticity(x: 0.0366, y: 0.0001), white: Chromaticity(x: 0.3457, y: 0.3585))
}

extension TransferCurve {
  /// The camera curve of ITU-R BT.709 and BT.2020 in its exact form: 4.5 · x to β, α · x^0.45 − (α − 1).
  package static var video: TransferCurve {
    let (alpha, beta) = (1.099_296_826_809_44, 0.018_053_968_510_807)
    return .parametric(
      type: 3, [1 / 0.45, 1 / alpha, (alpha - 1) / alpha, 1 / 4.5, 4.5 * beta])
  }
}
