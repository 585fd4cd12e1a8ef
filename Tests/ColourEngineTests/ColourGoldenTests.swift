import Testing

@Suite struct ColourGoldenTests {
  @Test("colour filters and looks give the colours of their published formulas")
  func golden() throws {
    for golden in try GoldenCases("colours").cases {
      golden.expect(golden.run())
    }
  }
}
