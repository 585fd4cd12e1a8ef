import ColourEngine
import RenderModel
import Testing

@Suite struct VignetteTests {
  private static func vignette(
    _ amount: Double, radius: Double = 0.75, feather: Double = 0.5, roundness: Double = 1,
    extent: SIMD2<Double>, reduction: Double = 1
  ) -> PlacedStep {
    PlacedStep(
      Steps.step(
        "vignette",
        ["amount": amount, "radius": radius, "feather": feather, "roundness": roundness]),
      toExtent: .scale(reduction / extent.x, reduction / extent.y), extent: extent)
  }

  private static func even(_ width: Int, _ height: Int) -> [Float] {
    [Float](repeating: 0.5, count: width * height * 3)
  }

  @Test("amount 0 gives identical pixels")
  func identity() {
    let pixels = (0..<3000).map { Float($0) / 1000 - 1 }
    #expect(apply(Self.vignette(0, extent: [100, 10]), to: pixels, width: 100) == pixels)
  }

  @Test("the middle stays, corners change by the amount, all four alike", arguments: [-1, -0.4, 1])
  func corners(amount: Double) {
    let result = apply(
      Self.vignette(amount, radius: 0.5, extent: [90, 60]), to: Self.even(90, 60), width: 90)
    #expect(result[(30 * 90 + 45) * 3] == 0.5)
    let corners = [0, 89, 59 * 90, 60 * 90 - 1].map { result[$0 * 3] }
    for corner in corners { #expect(abs(corner - Float(0.5 * (1 + amount))) < 1e-5) }
  }

  @Test("half the change lies at the radius; light falls steadily outwards")
  func radius() {
    let row = apply(
      Self.vignette(-0.8, radius: 0.6, feather: 0.4, extent: [1001, 1]),
      to: Self.even(1001, 1), width: 1001)
    // Of the half diagonal of 500.5 pixels, 0.6 is 300.3.
    #expect(abs(row[(500 + 300) * 3] - 0.3) < 0.002)
    for x in 501..<1001 { #expect(row[x * 3] <= row[(x - 1) * 3]) }
  }

  @Test("less roundness follows a square")
  func roundness() {
    let square = apply(
      Self.vignette(-1, radius: 0.5, feather: 0, roundness: 0.1, extent: [200, 200]),
      to: Self.even(200, 200), width: 200)
    // 0.5 half diagonals are 70.7 pixels: in a square also along the diagonal.
    #expect(square[(100 * 200 + 100 + 68) * 3] == 0.5)
    #expect(square[((100 + 66) * 200 + 100 + 66) * 3] == 0.5)
    #expect(square[(100 * 200 + 100 + 73) * 3] == 0)
  }

  @Test("a reduced picture is darkened as the full one is")
  func reduced() {
    let full = apply(Self.vignette(-0.7, extent: [400, 240]), to: Self.even(400, 240), width: 400)
    let small = apply(
      Self.vignette(-0.7, extent: [400, 240], reduction: 4), to: Self.even(100, 60), width: 100)
    for (x, y) in [(0, 0), (50, 30), (99, 10), (20, 59)] {
      let block = (0..<16).map { full[((y * 4 + $0 / 4) * 400 + x * 4 + $0 % 4) * 3] }
      #expect(abs(block.reduce(0, +) / 16 - small[(y * 100 + x) * 3]) < 1e-3)
    }
  }

  @Test("no parameters in range give a number that is none")
  func finite() {
    var numbers = SteadyNumbers(state: 12)
    for _ in 0..<400 {
      let pixels = (0..<120).map { _ in Float.random(in: -64...64, using: &numbers) }
      let step = Self.vignette(
        .random(in: -1...1, using: &numbers), radius: .random(in: 0...2, using: &numbers),
        feather: .random(in: 0...2, using: &numbers),
        roundness: .random(in: 0.1...1, using: &numbers),
        extent: [.random(in: 1...9e4, using: &numbers), .random(in: 1...9e4, using: &numbers)])
      let result = apply(step, to: pixels, width: 40)
      #expect(result.allSatisfy { $0.isFinite })
    }
  }
}
