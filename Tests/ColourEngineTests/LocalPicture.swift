import ColourEngine
import RenderModel

/// A picture of linear working light in memory, and local filters on it as a render applies them.
struct LocalPicture {
  var width: Int
  var height: Int
  /// Red, green, blue and straight alpha.
  var samples: [Float]

  static let layout = PixelLayout(sample: .float32, bands: 4, alpha: .straight, space: .working)

  init(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> SIMD4<Float>) {
    self.width = width
    self.height = height
    samples = []
    for y in 0..<height {
      for x in 0..<width {
        let value = pixel(x, y)
        samples += [value.x, value.y, value.z, value.w]
      }
    }
  }

  /// The same light in all channels.
  static func grey(_ width: Int, _ height: Int, _ light: (Int, Int) -> Float) -> LocalPicture {
    LocalPicture(width, height) { x, y in SIMD4(SIMD3(repeating: light(x, y)), 1) }
  }

  func reduced(longest: Int = ReducedPicture.longestSide) -> ReducedPicture {
    let reduction = PictureReduction(
      from: Self.layout, width: width, height: height, longest: longest)
    unsafe samples.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      for row in 0..<height { unsafe reduction.add(start + row * width * 16, row: row) }
    }
    return reduction.picture()
  }

  func filtered(
    _ step: FilterStep, longest: Int = ReducedPicture.longestSide, map: Matrix3? = nil
  ) -> LocalPicture {
    let placed = PlacedStep(
      step, toExtent: map ?? .scale(1 / Double(width), 1 / Double(height)),
      extent: [Double(width), Double(height)],
      analysis: LocalAnalysis.of(step, reduced(longest: longest)))
    let pass = PixelPass(from: Self.layout, placed: [placed], to: Self.layout)
    var result = self
    unsafe samples.withUnsafeBytes { input in
      unsafe result.samples.withUnsafeMutableBytes { output in
        guard let input = input.baseAddress, let output = output.baseAddress else { return }
        for row in 0..<height {
          unsafe pass.run(
            input + row * width * 16, output + row * width * 16, pixels: width,
            at: PixelPlace(column: 0, row: row))
        }
      }
    }
    return result
  }

  subscript(x: Int, y: Int, band: Int) -> Float { samples[(y * width + x) * 4 + band] }
}

extension Steps {
  static func highlightsShadows(_ highlights: Double, _ shadows: Double) -> FilterStep {
    step("highlightsShadows", ["highlights": highlights, "shadows": shadows])
  }
  static func localContrast(_ amount: Double, radius: Double = 0.03) -> FilterStep {
    step("localContrast", ["amount": amount, "radius": radius])
  }
  static func dehaze(_ amount: Double) -> FilterStep { step("dehaze", ["amount": amount]) }
}
