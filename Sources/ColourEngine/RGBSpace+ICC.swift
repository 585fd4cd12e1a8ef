extension RGBSpace {
  /// An RGB matrix profile or a grey curve profile, version 2 or 4.
  ///
  /// nil for profiles with lookup tables, other colour models, and broken or absurd ones. A profile
  /// that means sRGB or Display P3 within the precision of its own numbers gives exactly those.
  /// Colourants are relative to the D50 of the connection space, `chad` already in them, and are
  /// adapted to D65 by Bradford: relative colorimetry, white stays white.
  package init?(iccProfile bytes: [UInt8]) {
    guard let tags = ICCTags(bytes), tags.connectsThroughXYZ, !tags.has("A2B0") else { return nil }
    let name = tags.text("desc") ?? "unnamed profile"
    switch tags.model {
    case .grey:
      guard let curve = tags.curve("kTRC") else { return nil }
      self.init(name: name, curve: curve, toWorking: Self.sRGB.toWorking)
    case .rgb:
      guard let red = tags.curve("rTRC"), let green = tags.curve("gTRC"),
        let blue = tags.curve("bTRC"), let matrix = Self.matrix(tags)
      else { return nil }
      let space = Self(name: name, curves: (red, green, blue), toWorking: matrix)
      self = Self.standard.first { $0.isNearly(space) } ?? space
    default: return nil
    }
  }

  private static func matrix(_ tags: ICCTags) -> Matrix3? {
    guard let red = tags.xyz("rXYZ"), let green = tags.xyz("gXYZ"), let blue = tags.xyz("bXYZ")
    else { return nil }
    let adaptation = Bradford.adaptation(
      from: Bradford.connectionWhite, to: Chromaticity.d65.xyz)
    var matrix = xyzToWorking * adaptation * Matrix3(columns: red, green, blue)
    // The colourants' 16 bits leave white a little coloured; what is further off is meant.
    let white = matrix.apply([1, 1, 1])
    let error = white - 1
    if max(abs(error.x), abs(error.y), abs(error.z)) < 0.01 {
      matrix = Matrix3(diagonal: 1 / white) * matrix
    }
    guard let inverse = matrix.inverse, inverse.distance(to: .identity) < 1000 else { return nil }
    return matrix
  }

  /// Whether two spaces differ by less than a thousandth in light and a quarter code in 8 bits.
  private func isNearly(_ other: RGBSpace) -> Bool {
    guard toWorking.distance(to: other.toWorking) < 1e-3 else { return false }
    for (mine, theirs) in zip(curves, other.curves) {
      for code in 0...255 {
        let encoded = Double(code) / 255
        if abs(mine.encode(theirs.decode(encoded)) - encoded) > 0.001 { return false }
      }
    }
    return true
  }
}
