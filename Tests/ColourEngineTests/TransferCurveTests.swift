import ColourEngine
import Glibc
import Testing

@Suite struct TransferCurveTests {
  /// Light of encoded sRGB values, from IEC 61966-2-1 by independent calculators.
  static let published: [(Double, Double)] = [
    (0, 0), (0.04045, 0.0031308), (0.5, 0.2140411), (188 / 255.0, 0.5028865),
    (119 / 255.0, 0.1844750), (1, 1), (10 / 255.0, 0.0030353), (11 / 255.0, 0.0033465),
  ]

  @Test("the sRGB curve has its published values both ways", arguments: published)
  func sRGB(encoded: Double, light: Double) {
    #expect(abs(TransferCurve.sRGB.decode(encoded) - light) < 1e-6)
    #expect(abs(TransferCurve.sRGB.encode(light) - encoded) < 1e-5)
  }

  static let curves: [TransferCurve] = [
    .linear, .sRGB, .gamma(2.2), .gamma(1.8), .parametric(type: 0, [2.4]),
    .parametric(type: 1, [2.2, 0.9, 0.1]), .parametric(type: 2, [2.2, 0.9, 0.1, 0.05]),
    .parametric(type: 3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]),
    .parametric(type: 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0]),
    .table([0, 0.1, 0.3, 0.6, 1]),
  ]

  @Test("encoding undoes decoding", arguments: curves)
  func roundTrip(curve: TransferCurve) {
    for step in 0...1000 {
      let encoded = Double(step) / 1000
      #expect(abs(curve.encode(curve.decode(encoded)) - encoded) < 1e-6)
    }
  }

  @Test("simple curves go on evenly below zero and above one")
  func extended() {
    for curve in [TransferCurve.sRGB, .gamma(2.2), .linear] {
      #expect(curve.decode(-0.5) == -curve.decode(0.5))
      #expect(abs(curve.encode(curve.decode(3)) - 3) < 1e-12)
    }
  }

  @Test("parametric functions follow ICC.1, table 68")
  func parametric() {
    let x = 0.3
    #expect(TransferCurve.parametric(type: 0, [2]).decode(x) == pow(x, 2))
    #expect(TransferCurve.parametric(type: 1, [2, 2, -0.1]).decode(x) == pow(2 * x - 0.1, 2))
    #expect(TransferCurve.parametric(type: 1, [2, 2, -0.1]).decode(0.04) == 0)
    #expect(
      TransferCurve.parametric(type: 2, [2, 2, -0.1, 0.25]).decode(x)
        == pow(2 * x - 0.1, 2) + 0.25)
    #expect(TransferCurve.parametric(type: 2, [2, 2, -0.1, 0.25]).decode(0.04) == 0.25)
    #expect(TransferCurve.parametric(type: 3, [2, 1, 0, 0.5, 0.4]).decode(x) == 0.5 * x)
    #expect(
      TransferCurve.parametric(type: 4, [2, 1, 0, 0.5, 0.4, 0.01, 0.02]).decode(x)
        == 0.5 * x + 0.02)
    #expect(
      TransferCurve.parametric(type: 4, [2, 1, 0, 0.5, 0.2, 0.01, 0.02]).decode(x)
        == pow(x, 2) + 0.01)
  }

  @Test("a table is read between its samples and held beyond them")
  func table() {
    let curve = TransferCurve.table([0, 0.25, 1])
    #expect(curve.decode(0.25) == 0.125)
    #expect(curve.decode(0.75) == 0.625)
    #expect(curve.decode(-1) == 0)
    #expect(curve.decode(2) == 1)
    #expect(curve.encode(0.625) == 0.75)
    #expect(TransferCurve.table([0, 0, 0, 1]).encode(0.5) == 2.5 / 3)
  }

  @Test("no curve traps on numbers that are none", arguments: curves)
  func oddNumbers(curve: TransferCurve) {
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, Double.leastNonzeroMagnitude] {
      _ = curve.decode(value)
      _ = curve.encode(value)
    }
    #expect(curve.decode(.nan).isNaN || curve.decode(.nan) >= 0)
  }
}
