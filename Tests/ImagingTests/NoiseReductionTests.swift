import ColourEngine
import Imaging
import RenderModel
import Testing

extension FilterStep {
  static func noise(_ luminance: Double, _ colour: Double, radius: Double = 3) -> FilterStep {
    detail("noiseReduction", ["luminance": luminance, "colour": colour, "radius": radius])
  }
}

extension ImagingTests {
  @Suite("Noise reduction")
  struct NoiseReduction {
    private static func noisy(_ width: Int, _ height: Int) -> PixelBuffer {
      var state: UInt32 = 9
      return Drawing.picture(width, height) { x, _, _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return (x < width / 2 ? 60 : 180) + Int(state >> 24) % 17 - 8
      }
    }

    private func spread(_ picture: PixelBuffer, _ columns: Range<Int>) -> Double {
      var sum = 0.0
      var squares = 0.0
      for y in 0..<picture.size.height {
        for x in columns {
          let value = Double(picture[x, y, 1])
          sum += value
          squares += value * value
        }
      }
      let count = Double(picture.size.height * columns.count)
      return (squares / count - sum / count * (sum / count)).squareRoot()
    }

    @Test("even parts lose their noise and an edge keeps its place and height")
    func noiseAndEdge() throws {
      let picture = Self.noisy(160, 100)
      let smooth = try Render.png(picture, filters: [.noise(0.5, 0.5)])
      #expect(spread(smooth, 5..<65) < 0.3 * spread(picture, 5..<65))
      #expect(spread(smooth, 95..<155) < 0.3 * spread(picture, 95..<155))
      var (left, right) = (0, 0)
      for y in 0..<100 {
        left += smooth[77, y, 1]
        right += smooth[82, y, 1]
      }
      #expect(left < 7200 && right > 16_800)
    }

    @Test("colour alone leaves brightness, brightness alone leaves colour")
    func apart() throws {
      let grey = Drawing.picture(60, 60) { x, y, _ in 100 + (x * 31 + y * 17) % 40 }
      #expect(try Render.png(grey, filters: [.noise(0, 1)]).samples == grey.samples)
      let smooth = try Render.png(grey, filters: [.noise(1, 0)])
      #expect(smooth.samples != grey.samples)
      for x in 0..<60 { #expect(Set(smooth.pixel(x, 20)).count == 1) }
    }

    @Test("no strength gives identical pixels", arguments: [3, 4])
    func identity(bands: Int) throws {
      let picture = Drawing.scene(50, 40, bands: bands)
      #expect(try Render.png(picture, filters: [.noise(0, 0)]).samples == picture.samples)
      #expect(
        try Render.png(picture, filters: [.sharpen(amount: 0, radius: 3)]).samples
          == picture.samples)
    }

    @Test("what is transparent does not bleed into what is not")
    func transparency() throws {
      let picture = Drawing.picture(60, 40, bands: 4) { x, _, band in
        band == 3 ? (x < 30 ? 255 : 0) : (x < 30 ? [180, 90, 40][band] : 255)
      }
      let smooth = try Render.png(picture, filters: [.noise(1, 1)])
      for x in 0..<60 {
        #expect(smooth[x, 20, 3] == picture[x, 20, 3])
        for band in 0..<3 where x < 30 {
          #expect(abs(smooth[x, 20, band] - picture[x, 20, band]) <= 1)
        }
      }
    }

    @Test("every picture of few pixels comes out", arguments: [(1, 1), (1, 9), (9, 1), (2, 2)])
    func tiny(size: (Int, Int)) throws {
      let picture = Drawing.scene(size.0, size.1)
      for radius in [1.0, 16] {
        let result = try Render.png(picture, filters: [.noise(1, 1, radius: radius)])
        #expect(result.size == picture.size)
        if size == (1, 1) { #expect(result.samples == picture.samples) }
      }
    }

    @Test("no parameters in range and no colours give a number that is none")
    func finite() throws {
      var state: UInt32 = 1
      func random() -> Double {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Double(state >> 8) / 16_777_216
      }
      for turn in 0..<60 {
        let bands = turn % 2 == 0 ? 3 : 4
        let values = (0..<(20 * 14 * bands)).map { index -> Float in
          index % 4 == 3 && bands == 4 ? Float(random()) : Float(random() * 128 - 64)
        }
        let picture = PixelBuffer(
          size: PixelSize(width: 20, height: 14), bands: bands, sample: .float32,
          samples: unsafe values.withUnsafeBytes { unsafe Array($0) })
        let steps: [FilterStep] = [
          .noise(random(), random(), radius: 1 + (random() * 15).rounded()),
          .sharpen(amount: random() * 5, radius: 0.1 + random() * 99, threshold: random()),
          .blur(0.1 + random() * 249),
        ]
        // A number that is none would spread over the blurred picture and be written as 0.
        let result = try Render.png(
          picture, filters: Array(steps[(turn % 3)...]) + [.detail("exposure", ["ev": -10])])
        #expect(result.size == picture.size)
      }
    }
  }
}
