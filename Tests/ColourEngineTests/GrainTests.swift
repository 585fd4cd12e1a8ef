import ColourEngine
import RenderModel
import Testing

@Suite struct GrainTests {
  private static func grain(
    _ amount: Double, size: Double = 0.5, roughness: Double = 0.5, seed: Double = 1,
    extent: SIMD2<Double> = [6000, 4000], reduction: Double = 1, left: Double = 0
  ) -> PlacedStep {
    PlacedStep(
      Steps.step(
        "grain", ["amount": amount, "size": size, "roughness": roughness, "seed": seed]),
      toExtent: Matrix3.scale(reduction / extent.x, reduction / extent.y)
        * .translation(left / reduction, 0),
      extent: extent)
  }

  private static func even(_ light: Float, _ width: Int, _ height: Int) -> [Float] {
    [Float](repeating: light, count: width * height * 3)
  }

  /// Mean and standard deviation.
  private static func moments(_ values: [Float]) -> (mean: Double, deviation: Double) {
    let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
    let squares = values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (mean, (squares / Double(values.count)).squareRoot())
  }

  @Test("amount 0 gives identical pixels")
  func identity() {
    let pixels = (0..<3000).map { Float($0) / 1000 - 1 }
    #expect(apply(Self.grain(0), to: pixels, width: 100) == pixels)
  }

  @Test("the same seed gives the same grain, another seed another one")
  func seeds() {
    let grey = Self.even(0.25, 200, 100)
    let first = apply(Self.grain(0.5), to: grey, width: 200)
    #expect(first == apply(Self.grain(0.5), to: grey, width: 200))
    let other = apply(Self.grain(0.5, seed: 2), to: grey, width: 200)
    var product = 0.0
    for (one, two) in zip(first, other) { product += Double((one - 0.25) * (two - 0.25)) }
    let (deviation, count) = (Self.moments(first).deviation, Double(first.count))
    #expect(deviation > 0.01)
    #expect(abs(product / count) < 0.1 * deviation * deviation)
  }

  @Test("a part of a picture has the grain that the whole has there")
  func parts() {
    let whole = apply(Self.grain(0.5), to: Self.even(0.25, 300, 40), width: 300)
    let part = apply(Self.grain(0.5, left: 101), to: Self.even(0.25, 150, 40), width: 150)
    for row in 0..<40 {
      for index in 0..<450 {
        #expect(abs(whole[(row * 300 + 101) * 3 + index] - part[row * 450 + index]) < 1e-5)
      }
    }
  }

  @Test("grain leaves hue, black and white, and is strongest between")
  func strength() {
    func deviation(_ light: Float) -> Double {
      Self.moments(apply(Self.grain(0.3), to: Self.even(light, 200, 200), width: 200)).deviation
    }
    #expect(deviation(0) == 0 && deviation(1) == 0)
    // In the root of light: 4 e (1 − e) at ¼, ½ and ¾, and twice the root to go back to light.
    let roots = [(0.0625, 0.25), (0.25, 0.5), (0.5625, 0.75)].map { light, root in
      deviation(Float(light)) / (2 * root)
    }
    #expect(abs(roots[1] - 0.03) < 0.004)
    #expect(abs(roots[0] / roots[1] - 0.75) < 0.03 && abs(roots[2] / roots[1] - 0.75) < 0.03)
    let colour = apply(Self.grain(1), to: [0.1, 0.4, 0.05], width: 1)
    #expect(abs(colour[0] / colour[1] - 0.25) < 1e-5 && abs(colour[2] / colour[1] - 0.125) < 1e-5)
  }

  @Test(
    "a reduced picture has the grain that the full one has when it is averaged",
    arguments: [0.2, 0.5, 2], [2, 4, 8])
  func scale(size: Double, reduction: Int) {
    let (width, height) = (640, 640)
    let full = apply(Self.grain(0.4, size: size), to: Self.even(0.25, width, height), width: width)
    var averaged: [Float] = []
    for y in stride(from: 0, to: height, by: reduction) {
      for x in stride(from: 0, to: width, by: reduction) {
        var sum: Float = 0
        for v in y..<(y + reduction) {
          for u in x..<(x + reduction) { sum += full[(v * width + u) * 3] }
        }
        averaged.append(sum / Float(reduction * reduction))
      }
    }
    let side = width / reduction
    let reduced = apply(
      Self.grain(0.4, size: size, reduction: Double(reduction)), to: Self.even(0.25, side, side),
      width: side)
    let (one, two) = (Self.moments(averaged), Self.moments(reduced))
    #expect(abs(one.mean - two.mean) < 0.003)
    #expect(two.deviation / one.deviation > 0.75 && two.deviation / one.deviation < 1.33)
  }

  @Test("no parameters in range give a number that is none")
  func finite() {
    var numbers = SteadyNumbers(state: 11)
    for _ in 0..<400 {
      let pixels = (0..<120).map { _ in Float.random(in: -64...64, using: &numbers) }
      let step = Self.grain(
        .random(in: 0...1, using: &numbers), size: .random(in: 0.1...10, using: &numbers),
        roughness: .random(in: 0...1, using: &numbers),
        seed: Double(UInt32.random(in: 0...UInt32.max, using: &numbers)),
        extent: [.random(in: 1...9e4, using: &numbers), .random(in: 1...9e4, using: &numbers)],
        left: .random(in: 0...8e4, using: &numbers))
      let result = apply(step, to: pixels, width: 40)
      #expect(result.allSatisfy { $0.isFinite })
    }
  }
}
