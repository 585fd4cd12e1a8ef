import RenderModel

extension FilterMeaning {
  /// Filters that look colours up in a file's table; nil for all others and when the file is missing.
  static func tableOperations(
    _ step: FilterStep, _ resources: FilterResources
  ) -> [ColourProgram.Operation]? {
    guard step.name == "lut3d", let path = step.file("path"), let table = resources.tables[path],
      let strength = step.number("strength"), (0...1).contains(strength),
      let space = step.text("colorSpace").flatMap(LookupSpace.init)?.space
    else { return nil }
    if strength == 0 { return [] }
    return [
      .matrix(space.fromWorking), .curves([CurveChain([.encode(space.curves[0])])]),
      .function(TableLookup(table: table, strength: Float(strength))),
      .curves([CurveChain([.decode(space.curves[0])])]), .matrix(space.toWorking),
    ]
  }
}

/// The space whose encoded values a table is for, by its name in the catalogue.
enum LookupSpace: String, CaseIterable {
  case sRGB, displayP3, adobeRGB, rec709, rec2020, proPhotoRGB, linearSRGB, linearRec2020

  var space: RGBSpace {
    switch self {
    case .sRGB: .sRGB
    case .displayP3: .displayP3
    case .adobeRGB:
      RGBSpace(name: "Adobe RGB (1998)", curve: .gamma(563.0 / 256), primaries: .adobeRGB)
    case .rec709: RGBSpace(name: "Rec. 709", curve: .video, primaries: .rec709)
    case .rec2020: RGBSpace(name: "Rec. 2020", curve: .video, toWorking: .identity)
    case .proPhotoRGB:
      RGBSpace(
        name: "ProPhoto RGB", curve: .parametric(type: 3, [1.8, 1, 0, 1.0 / 16, 1.0 / 32]),
        toWorking: RGBSpace.xyzToWorking
          * Bradford.adaptation(from: Primaries.proPhoto.white.xyz, to: Chromaticity.d65.xyz)
          * Primaries.proPhoto.toXYZ)
    case .linearSRGB:
      RGBSpace(name: "linear sRGB", curve: .linear, toWorking: RGBSpace.sRGB.toWorking)
    case .linearRec2020: .working
    }
  }
}

extension Primaries {
  /// Adobe RGB (1998) Color Image Encoding, 4.3.1.
  fileprivate static let adobeRGB = Primaries(
    red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.21, y: 0.71),
    blue: Chromaticity(x: 0.15, y: 0.06), white: .d65)
  /// ISO 22028-2, ROMM RGB; its white is D50.
  fileprivate static let proPhoto = Primaries(
    red: Chromaticity(x: 0.7347, y: 0.2653), green: Chromaticity(x: 0.1596, y: 0.8404),
    blue: Chromaticity(x: 0.0366, y: 0.0001), white: Chromaticity(x: 0.3457, y: 0.3585))
}

extension TransferCurve {
  /// The camera curve of ITU-R BT.709 and BT.2020 in its exact form: 4.5 · x to β, α · x^0.45 − (α − 1).
  fileprivate static var video: TransferCurve {
    let (alpha, beta) = (1.099_296_826_809_44, 0.018_053_968_510_807)
    return .parametric(
      type: 3, [1 / 0.45, 1 / alpha, (alpha - 1) / alpha, 1 / 4.5, 4.5 * beta])
  }
}
