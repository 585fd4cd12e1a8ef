/// A colour without its brightness, in CIE 1931 xy.
package struct Chromaticity: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let d65 = Chromaticity(x: 0.3127, y: 0.3290)

  /// CIE XYZ at luminance 1.
  package var xyz: SIMD3<Double> { [x / y, 1, (1 - x - y) / y] }

  /// From CIE 1960 uv.
  package init(u: Double, v: Double) {
    let divisor = 2 * u - 8 * v + 4
    self.init(x: 3 * u / divisor, y: 2 * v / divisor)
  }

  /// CIE 1960 uv.
  package var uv: SIMD2<Double> {
    let divisor = -2 * x + 12 * y + 3
    return [4 * x / divisor, 6 * y / divisor]
  }
}

/// Chromatic adaptation by the Bradford cone responses (ICC.1, annex E).
package enum Bradford {
  package static let cones = Matrix3(
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

  /// The white of the ICC profile connection space.
  package static let connectionWhite: SIMD3<Double> = [0.9642, 1, 0.8249]

  /// XYZ under one white to the XYZ that looks the same under another.
  package static func adaptation(from source: SIMD3<Double>, to target: SIMD3<Double>) -> Matrix3 {
    guard source != target, let back = cones.inverse else { return .identity }
    let gain = cones.apply(target) / cones.apply(source)
    return back * Matrix3(diagonal: gain) * cones
  }
}

/// The three corners and the white of an RGB space.
package struct Primaries: Hashable, Sendable {
  package var red: Chromaticity
  package var green: Chromaticity
  package var blue: Chromaticity
  package var white: Chromaticity

  package init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  package static let rec709 = Primaries(
    red: Chromaticity(x: 0.640, y: 0.330), green: Chromaticity(x: 0.300, y: 0.600),
    blue: Chromaticity(x: 0.150, y: 0.060), white: .d65)
  /// SMPTE EG 432-1 with the white of D65.
  package static let displayP3 = Primaries(
    red: Chromaticity(x: 0.680, y: 0.320), green: Chromaticity(x: 0.265, y: 0.690),
    blue: Chromaticity(x: 0.150, y: 0.060), white: .d65)
  package static let rec2020 = Primaries(
    red: Chromaticity(x: 0.708, y: 0.292), green: Chromaticity(x: 0.170, y: 0.797),
    blue: Chromaticity(x: 0.131, y: 0.046), white: .d65)

  /// Whether the corners are those of the other, to what files round them to.
  package func isNearly(_ other: Primaries) -> Bool {
    zip([red, green, blue, white], [other.red, other.green, other.blue, other.white]).allSatisfy {
      abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002
    }
  }

  /// Whether the corners span a space whose matrix has an inverse of moderate size.
  package var isUsable: Bool {
    let matrix = RGBSpace.toWorking(self)
    guard matrix.isFinite, let inverse = matrix.inverse else { return false }
    return inverse.distance(to: .identity) < 1000
  }

  /// Linear RGB to XYZ under the space's own white (SMPTE RP 177).
  package var toXYZ: Matrix3 {
    let corners = Matrix3(columns: red.xyz, green.xyz, blue.xyz)
    guard let inverse = corners.inverse else { return .identity }
    return corners * Matrix3(diagonal: inverse.apply(white.xyz))
  }
}
