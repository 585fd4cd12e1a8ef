import Testing

@Suite struct ToneGoldenTests {
  @Test("the tone filters give what an independent program worked out")
  func golden() throws {
    for golden in try GoldenCases("tone").cases { golden.expect(golden.run()) }
  }
}
