import ColourEngine
import Testing

@Suite struct TemperatureTintTests {
  /// Correlated colour temperatures and chromaticities of CIE 015's daylight illuminants.
  static let daylight: [(Double, Double, Double)] = [
    (5003, 0.3457, 0.3585), (5503, 0.3324, 0.3474), (6504, 0.3127, 0.3290), (7504, 0.2990, 0.3149),
  ]

  @Test("daylight lies where CIE 015 puts it", arguments: daylight)
  func daylightLocus(temperature: Double, x: Double, y: Double) {
    let white = TemperatureTint.white(temperature: temperature, tint: 0)
    #expect(abs(white.x - x) < 2e-4)
    #expect(abs(white.y - y) < 2e-4)
  }

  /// Planck's law with the CIE 1931 observer: 2000 K, 2500 K, illuminant A.
  static let blackBody: [(Double, Double, Double)] = [
    (2000, 0.5267, 0.4133), (2500, 0.4770, 0.4137), (2856, 0.4475, 0.4074),
  ]

  @Test("warm light lies on the Planckian locus", arguments: blackBody)
  func planckianLocus(temperature: Double, x: Double, y: Double) {
    let white = TemperatureTint.white(temperature: temperature, tint: 0)
    #expect(abs(white.x - x) < 1e-3)
    #expect(abs(white.y - y) < 1e-3)
  }

  @Test("the locus has no step and always goes the same way")
  func continuous() {
    var last = TemperatureTint.white(temperature: 2000, tint: 0)
    for temperature in stride(from: 2010.0, through: 25_000, by: 10) {
      let white = TemperatureTint.white(temperature: temperature, tint: 0)
      #expect(white.x < last.x)
      #expect(last.x - white.x < 1.5e-3)
      #expect(abs(white.y - last.y) < 2e-3)
      last = white
    }
    for edge in [3000.0, 4000] {
      let below = TemperatureTint.white(temperature: edge - 1e-6, tint: 80)
      let above = TemperatureTint.white(temperature: edge + 1e-6, tint: 80)
      #expect(abs(below.x - above.x) < 5e-3)
    }
  }

  @Test("a tint of 30 is a hundredth in CIE 1960 uv, at a right angle to the locus")
  func tint() {
    let middle = TemperatureTint.white(temperature: 6500, tint: 0).uv
    let green = TemperatureTint.white(temperature: 6500, tint: 30).uv
    let along = TemperatureTint.white(temperature: 6600, tint: 0).uv - middle
    let shift = green - middle
    #expect(abs((shift * shift).sum().squareRoot() - 0.01) < 1e-9)
    #expect(abs((shift * along).sum()) < 1e-3 * 0.01 * (along * along).sum().squareRoot() * 10)
    #expect(shift.y > 0)
  }

  @Test("6500 K without tint is exactly the identity")
  func identity() {
    #expect(TemperatureTint.matrix(temperature: 6500, tint: 0) == .identity)
  }

  @Test("light of a higher temperature makes grey warmer, greenish light makes it magenta")
  func direction() {
    let warm = TemperatureTint.matrix(temperature: 9000, tint: 0).apply([0.5, 0.5, 0.5])
    #expect(warm.x > 0.5 && warm.z < 0.5)
    let cool = TemperatureTint.matrix(temperature: 3200, tint: 0).apply([0.5, 0.5, 0.5])
    #expect(cool.x < 0.5 && cool.z > 0.5)
    let magenta = TemperatureTint.matrix(temperature: 6500, tint: 40).apply([0.5, 0.5, 0.5])
    #expect(magenta.y < magenta.x && magenta.y < magenta.z)
  }

  @Test("the light itself becomes the white of 6500 K, and every setting has a way back")
  func neutral() {
    let toXYZ = Primaries.rec2020.toXYZ
    let target = TemperatureTint.white(temperature: 6500, tint: 0).xyz
    for temperature in stride(from: 2000.0, through: 25_000, by: 500) {
      for tint in stride(from: -150.0, through: 150, by: 50) {
        let light = TemperatureTint.white(temperature: temperature, tint: tint)
        #expect(light.y > 0)
        let matrix = TemperatureTint.matrix(temperature: temperature, tint: tint)
        #expect(matrix.inverse != nil)
        let rgb = toXYZ.inverse?.apply(light.xyz) ?? .zero
        let result = toXYZ.apply(matrix.apply(rgb))
        #expect(((result - target) * (result - target)).sum() < 1e-16)
      }
    }
  }
}
