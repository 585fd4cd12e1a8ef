import RenderModel

/// A guided filter of each of brightness and two colour differences by itself, in the roots of light.
struct NoiseReduction: RowFilter {
  /// Pixels on each side of the middle one of a window.
  let radius: Int
  /// How much variance counts as noise: of brightness, and of each colour difference.
  let luminanceNoise: Float
  let colourNoise: Float

  /// Two windows, one after the other.
  var reach: Int { luminanceNoise == 0 && colourNoise == 0 ? 0 : 2 * radius }

  /// The rings of both windows are large, and every row of them is read for every row that is made.
  var bandWidth: Int { max(256, 16 * reach) }

  /// nil when a parameter is missing or out of range.
  ///
  /// `reduction`: how many pixels of the full resolution one pixel stands for.
  init?(_ step: FilterStep, reduction: Int = 1) {
    guard let luminance = step.number("luminance"), let colour = step.number("colour"),
      let radius = step.number("radius"), (0...1).contains(luminance), (0...1).contains(colour),
      (1...100).contains(radius)
    else { return nil }
    self.radius = Int((radius / Double(max(1, reduction))).rounded())
    luminanceNoise = Float(luminance * luminance / 100)
    colourNoise = Float(colour * colour / 25)
  }

  func worker(for band: RowBand) -> any RowWorker { NoiseReductionWorker(self, band) }
}
