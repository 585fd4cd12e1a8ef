/// The white balance of `temperatureTint`: from the light the picture was taken in to 6500 K.
package enum TemperatureTint {
  /// Tint units for a step of 1 in CIE 1960 uv.
  static let tintScale = 3000.0
  static let neutral = white(temperature: 6500, tint: 0)

  /// A matrix on linear working RGB; the identity at 6500 K and tint 0.
  package static func matrix(temperature: Double, tint: Double) -> Matrix3 {
    if temperature == 6500, tint == 0 { return .identity }
    let adaptation = Bradford.adaptation(
      from: white(temperature: temperature, tint: tint).xyz, to: neutral.xyz)
    return RGBSpace.xyzToWorking * adaptation * RGBSpace.workingToXYZ
  }

  /// The colour of the light; a positive tint lies on the green side of the locus.
  package static func white(temperature: Double, tint: Double) -> Chromaticity {
    let middle = locus(temperature)
    // The direction along the locus, towards lower temperatures, from a small step in mired.
    let warmer = locus(1_000_000 / (1_000_000 / temperature + 0.5))
    let cooler = locus(1_000_000 / (1_000_000 / temperature - 0.5))
    let along = warmer - cooler
    let length = (along * along).sum().squareRoot()
    let green = SIMD2(-along.y, along.x) / length
    let uv = middle + green * (tint / tintScale)
    return Chromaticity(u: uv.x, v: uv.y)
  }

  /// CIE daylight from 4000 K, Planckian to 3000 K, and in between a mix linear in mired; CIE 1960 uv.
  static func locus(_ temperature: Double) -> SIMD2<Double> {
    if temperature >= 4000 { return daylight(temperature).uv }
    if temperature <= 3000 { return planckian(temperature) }
    let weight = (1 / 3000 - 1 / temperature) / (1 / 3000.0 - 1 / 4000.0)
    return planckian(temperature) * (1 - weight) + daylight(temperature).uv * weight
  }

  /// The daylight locus of CIE 015, stated for 4000…25000 K.
  static func daylight(_ temperature: Double) -> Chromaticity {
    let t = 1000 / temperature
    let x =
      temperature <= 7000
      ? 0.244063 + 0.09911 * t + 2.9678 * t * t - 4.6070 * t * t * t
      : 0.237040 + 0.24748 * t + 1.9018 * t * t - 2.0064 * t * t * t
    return Chromaticity(x: x, y: -3 * x * x + 2.87 * x - 0.275)
  }

  /// The black body by Krystek (1985), stated for 1000…15000 K; CIE 1960 uv.
  static func planckian(_ t: Double) -> SIMD2<Double> {
    let u =
      (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
      / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
    let v =
      (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
      / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
    return [u, v]
  }
}
