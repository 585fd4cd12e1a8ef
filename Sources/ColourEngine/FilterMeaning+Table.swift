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
    case .adobeRGB: .adobeRGB
    case .rec709: RGBSpace(name: "Rec. 709", curve: .video, primaries: .rec709)
    case .rec2020: .rec2020
    case .proPhotoRGB: .proPhotoRGB
    case .linearSRGB:
      RGBSpace(name: "linear sRGB", curve: .linear, toWorking: RGBSpace.sRGB.toWorking)
    case .linearRec2020: .working
    }
  }
}
