import Glibc

/// The Oklab space of B. Ottosson (2020) with the matrices of 2021-01-25 for linear sRGB.
enum Oklab {
  /// Linear RGB on sRGB primaries to the cone responses l, m, s.
  static let conesFromSRGB = Matrix3(
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005])
  /// Cube roots of the cone responses to L, a, b.
  static let labFromRoots = Matrix3(
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660])

  static let conesFromWorking = conesFromSRGB * RGBSpace.sRGB.fromWorking
  static let workingFromCones = conesFromWorking.inverse ?? .identity

  /// L, a, b of linear RGB on sRGB primaries.
  static func lab(ofSRGB light: SIMD3<Double>) -> SIMD3<Double> {
    let cones = conesFromSRGB.apply(light)
    return labFromRoots.apply([cbrt(cones.x), cbrt(cones.y), cbrt(cones.z)])
  }
}
