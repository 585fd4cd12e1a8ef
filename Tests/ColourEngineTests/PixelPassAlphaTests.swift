import ColourEngine
import RenderModel
import Testing

@Suite struct PixelPassAlphaTests {
  static let straight = PixelLayout.encoded(.uint8, bands: 4, alpha: .straight)

  @Test("straight colour becomes light times alpha and comes back")
  func premultiplied() {
    let pixels: [UInt8] = [255, 255, 255, 128, 10, 200, 90, 255, 50, 60, 70, 40, 9, 9, 9, 0]
    let there = PixelPass(from: Self.straight, steps: [], to: .workingWithAlpha)
    let light = run(there, pixels, bands: 4, to: 4, as: Float.self)
    for lane in 0..<4 { #expect(abs(light[lane] - 128 / 255) < 1e-6) }
    #expect(light[12..<16].allSatisfy { $0 == 0 })
    let back = PixelPass(from: .workingWithAlpha, steps: [], to: Self.straight)
    let result = run(back, light, bands: 4, to: 4, as: UInt8.self)
    #expect(Array(result[..<12]) == Array(pixels[..<12]))
    #expect(Array(result[12...]) == [0, 0, 0, 0])
  }

  @Test("filters act on colour as if alpha were not there")
  func filters() {
    let steps = [Steps.exposure(0.5), Steps.contrast(1.3)]
    let opaque = run(
      PixelPass(from: .encoded(.uint8), steps: steps, to: .encoded(.uint8)),
      [90, 120, 30] as [UInt8], bands: 3, to: 3, as: UInt8.self)
    let light = run(
      PixelPass(from: Self.straight, steps: [], to: .workingWithAlpha),
      [90, 120, 30, 77] as [UInt8], bands: 4, to: 4, as: Float.self)
    let filtered = run(
      PixelPass(from: .workingWithAlpha, steps: steps, to: .workingWithAlpha), light, bands: 4,
      to: 4, as: Float.self)
    let result = run(
      PixelPass(from: .workingWithAlpha, steps: [], to: Self.straight), filtered, bands: 4, to: 4,
      as: UInt8.self)
    #expect(result == opaque + [77])
  }

  @Test("exposure alone leaves premultiplied colour premultiplied")
  func linearOnly() {
    let pass = PixelPass(
      from: .workingWithAlpha, steps: [Steps.exposure(1)], to: .workingWithAlpha)
    let result = run(pass, [0.1, 0.2, 0.05, 0.5] as [Float], bands: 4, to: 4, as: Float.self)
    #expect(result == [0.2, 0.4, 0.1, 0.5])
  }

  @Test("what resampling pushed beyond 0…1 in alpha is brought back")
  func overshoot() {
    let pass = PixelPass(from: .workingWithAlpha, steps: [], to: Self.straight)
    let result = run(
      pass, [0.1, 0.1, 0.1, -0.01, 1.04, 1.04, 1.04, 1.04] as [Float], bands: 4, to: 4,
      as: UInt8.self)
    #expect(result == [0, 0, 0, 0, 255, 255, 255, 255])
  }

  @Test("without room for alpha the picture lies on the matte, mixed in light")
  func matte() {
    let pixel: [UInt8] = [0, 0, 0, 128]
    let white = PixelPass(from: Self.straight, steps: [], to: .encoded(.uint8))
    // 127/255 of full light is 0.4980, encoded 0.7354 · 255.
    #expect(run(white, pixel, bands: 4, to: 3, as: UInt8.self) == [187, 187, 187])
    let black = PixelPass(from: Self.straight, steps: [], to: .encoded(.uint8), matte: 0)
    #expect(run(black, pixel, bands: 4, to: 3, as: UInt8.self) == [0, 0, 0])
    // The ground is not filtered.
    let darker = PixelPass(
      from: Self.straight, steps: [Steps.contrast(1.5), Steps.brightness(-0.5)],
      to: .encoded(.uint8))
    #expect(
      run(darker, [200, 10, 30, 0] as [UInt8], bands: 4, to: 3, as: UInt8.self) == [255, 255, 255])
  }

  @Test("a picture without alpha becomes opaque")
  func opaque() {
    let pass = PixelPass(from: .encoded(.uint8), steps: [], to: .workingWithAlpha)
    #expect(run(pass, [255, 255, 255] as [UInt8], bands: 3, to: 4, as: Float.self)[3] == 1)
    let wide = PixelPass(
      from: .encoded(.uint16), steps: [],
      to: .encoded(.uint8, bands: 4, alpha: .straight))
    #expect(
      run(wide, [65_535, 0, 32_896] as [UInt16], bands: 3, to: 4, as: UInt8.self)
        == [255, 0, 128, 255])
  }

  @Test("grey spreads to all channels, and colour becomes the grey of its luminance")
  func grey() {
    let codes = (0...255).map { UInt8($0) }
    let grey = PixelLayout.encoded(.uint8, bands: 1)
    let spread = PixelPass(from: grey, steps: [], to: .encoded(.uint8))
    #expect(
      run(spread, codes, bands: 1, to: 3, as: UInt8.self) == codes.flatMap { [$0, $0, $0] })
    let there = PixelPass(from: grey, steps: [], to: .working)
    let back = PixelPass(from: .working, steps: [], to: grey)
    let light = run(there, codes, bands: 1, to: 3, as: Float.self)
    #expect(run(back, light, bands: 3, to: 1, as: UInt8.self) == codes)
    let green = PixelPass(from: .encoded(.uint8), steps: [], to: grey)
    #expect(run(green, [0, 255, 0] as [UInt8], bands: 3, to: 1, as: UInt8.self) == [220])
  }

  @Test("grey with alpha keeps its alpha")
  func greyAlpha() {
    let layout = PixelLayout.encoded(.uint8, bands: 2, alpha: .straight)
    let there = PixelPass(from: layout, steps: [], to: .workingWithAlpha)
    let back = PixelPass(from: .workingWithAlpha, steps: [], to: layout)
    let light = run(there, [90, 200, 255, 1] as [UInt8], bands: 2, to: 4, as: Float.self)
    #expect(run(back, light, bands: 4, to: 2, as: UInt8.self) == [90, 200, 255, 1])
  }

  @Test("encoded premultiplied bytes are taken apart before they are decoded")
  func premultipliedBytes() {
    let layout = PixelLayout.encoded(.uint8, bands: 4, alpha: .premultiplied)
    let pass = PixelPass(from: layout, steps: [], to: Self.straight)
    #expect(
      run(pass, [64, 32, 0, 128] as [UInt8], bands: 4, to: 4, as: UInt8.self)
        == [128, 64, 0, 128])
  }
}
