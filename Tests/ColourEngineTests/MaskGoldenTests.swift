import ColourEngine
import RenderModel
import Testing

@Suite struct MaskGoldenTests {
  @Test("weights are those of the definitions, worked out by another program, within 1e-4")
  func golden() throws {
    let goldens = try MaskGoldens()
    #expect(goldens.cases.count > 80)
    for golden in goldens.cases {
      let placed = PlacedStep(Steps.exposure(1), toPicture: golden.toPicture)
      let weights = try #require(MaskWeights(golden.mask, placed, goldens.resources))
      let result = weigh(weights, golden.pixels, columns: golden.columns)
      #expect(result.count == golden.weights.count)
      var worst: Float = 0
      var place = 0
      for (index, (value, wanted)) in zip(result, golden.weights).enumerated()
      where !(abs(value - wanted) <= worst) {
        (worst, place) = (abs(value - wanted), index)
      }
      #expect(
        worst <= golden.tolerance,
        "\(golden.name): \(result[place]) at \(place), not \(golden.weights[place])")
    }
  }
}
