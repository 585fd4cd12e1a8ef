import Testing

@Suite struct ColourGoldenTests {
  @Test("colour filters and looks give the colours of their published formulas")
  func golden() throws {
    for golden in try GoldenCases("colours").cases {
      let result = golden.run()
      try #require(result.count == golden.output.count && !result.isEmpty)
      var worst: Float = 0
      var place = 0
      for pixel in stride(from: 0, to: result.count, by: 3) {
        let lanes = pixel..<(pixel + 3)
        // All channels are made of all three, so the brightest tells how fine a float can be.
        let scale = golden.output[lanes].reduce(1) { max($0, abs($1)) }
        for lane in lanes {
          let difference = abs(result[lane] - golden.output[lane]) / scale
          // Written so that NaN counts.
          if !(difference <= worst) { (worst, place) = (difference, pixel) }
        }
      }
      #expect(
        worst <= 1e-4,
        """
        \(golden.name): \(golden.input[place..<(place + 3)]) becomes \
        \(result[place..<(place + 3)]), not \(golden.output[place..<(place + 3)])
        """)
    }
  }
}
