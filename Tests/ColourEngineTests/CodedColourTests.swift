import ColourEngine
import Glibc
import JSONText
import RenderModel
import Testing

@Suite struct CodedColourTests {
  @Test("PQ and HLG are shown as an independent program worked out")
  func hdr() throws {
    for golden in try GoldenCases("hdr").cases {
      let peak = try #require(golden.value["peak"]?.number?.double)
      let coded = CodedColour(
        primaries: try #require(golden.value["primaries"]?.number?.integer),
        transfer: try #require(golden.value["transfer"]?.number?.integer), matrix: 0,
        fullRange: true, peakLuminance: peak > 0 ? peak : nil)
      #expect(coded.isHDR)
      let layout = PixelLayout(
        sample: .float32, bands: 3, alpha: .none, space: try #require(coded.space))
      let pass = PixelPass(from: layout, steps: [], to: .working)
      let result = ColourEngineTests.run(pass, golden.input, bands: 3, to: 3, as: Float.self)
      golden.expect(result, within: 4e-4)
    }
  }

  @Test("the light of an HDR signal never becomes more than white, and never less for more")
  func rollOff() {
    for peak in [100, 203, 400, 1000, 4000, 10_000.0] {
      let signal = HDRSignal(transfer: .pq, peak: peak)
      var last = 0.0
      for step in 0...1000 {
        let shown = signal.rolledOff(pow(10, Double(step) / 250))
        #expect(shown >= last - 1e-9 && shown <= HDRSignal.white + 1e-6)
        last = shown
      }
      #expect(abs(last - HDRSignal.white) < 1e-6)
    }
  }

  @Test(
    "code points of the usual spaces are those spaces",
    arguments: [(1, 13, RGBSpace.sRGB), (12, 13, .displayP3), (9, 1, .rec2020), (9, 14, .rec2020)])
  func usual(primaries: Int, transfer: Int, wanted: RGBSpace) {
    #expect(coded(primaries, transfer).space == wanted)
  }

  @Test("code points without a meaning for colour give no space", arguments: [0, 2, 3, 9, 10, 19])
  func unspecified(transfer: Int) {
    #expect(coded(1, transfer).space == nil)
  }

  @Test("white is white for every pair of code points that has a meaning")
  func white() throws {
    for primaries in [1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 22] {
      for transfer in [1, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15] {
        let space = try #require(coded(primaries, transfer).space)
        let layout = PixelLayout(sample: .float32, bands: 3, alpha: .none, space: space)
        let pass = PixelPass(from: layout, steps: [], to: .working)
        let white = ColourEngineTests.run(
          pass, [1, 1, 1] as [Float], bands: 3, to: 3, as: Float.self)
        #expect(white.allSatisfy { abs($0 - 1) < 2e-3 }, "\(primaries)/\(transfer): \(white)")
      }
    }
  }

  private func coded(_ primaries: Int, _ transfer: Int) -> CodedColour {
    CodedColour(primaries: primaries, transfer: transfer, matrix: 0, fullRange: true)
  }
}
