import Glibc

extension PointFilter {
  static func exposure(_ ev: Double) -> Matrix3 {
    Matrix3(diagonal: SIMD3(repeating: exp2(ev)))
  }

  /// c′ = Y + amount · (c − Y) with Y of linear sRGB (0.2126, 0.7152, 0.0722).
  static func saturation(_ amount: Double) -> Matrix3 {
    let weights: SIMD3<Double> = [0.2126, 0.7152, 0.0722]
    let rest = weights * (1 - amount)
    let mix = Matrix3(
      rest + [amount, 0, 0], rest + [0, amount, 0], rest + [0, 0, amount])
    return RGBSpace.sRGB.toWorking * mix * RGBSpace.sRGB.fromWorking
  }
}
