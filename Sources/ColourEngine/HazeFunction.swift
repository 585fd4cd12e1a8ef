/// Takes haze away, or adds some, as thick as the coefficients say.
struct HazeFunction: PixelFunction {
  private let lookup: CoefficientLookup
  private let amount: Float
  private let airLight: SIMD4<Float>
  private let inverse: SIMD3<Float>
  private let luminance = SIMD3<Float>(RGBSpace.workingLuminance)

  init(lookup: CoefficientLookup, amount: Double, airLight: SIMD3<Float>) {
    self.lookup = lookup
    self.amount = Float(amount)
    self.airLight = SIMD4(airLight, 0)
    inverse = 1 / airLight
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let most = 1 / (1 - LocalMeaning.hazeShare * Double(max(0, amount)))
    return SegmentedCurves.Bounds(
      below: bounds.below, above: max(bounds.above, Double(airLight.max())) * most)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    lookup.withRow(of: block.count, at: place) { row in
      for index in stride(from: 0, to: block.count, by: 4) {
        let isWhole = index + 4 <= block.count
        let pixels = unsafe isWhole ? FourPixels(block, at: index) : FourPixels(block, from: index)
        let share = share(pixels, row, index)
        for lane in 0..<(isWhole ? 4 : block.count - index) {
          unsafe block[index + lane] = mix(block[index + lane], share[lane])
        }
      }
    }
  }

  /// What the pixel's difference from the light of the air is multiplied by.
  @inline(__always)
  private func share(_ pixels: FourPixels, _ row: CoefficientRow, _ index: Int) -> SIMD4<Float> {
    let light = pixels.luminance(luminance)
    let (slope, offset) = row.four(from: index)
    var haze = (slope * light.held(to: 1).squareRoot() + offset).held(to: 1)
    if amount < 0 {
      return 1 + amount * Float(LocalMeaning.addedHaze) * (0.25 + 0.75 * haze)
    }
    var darkest = pixels.red * inverse.x
    let (green, blue) = (pixels.green * inverse.y, pixels.blue * inverse.z)
    darkest.replace(with: green, where: green .< darkest)
    darkest.replace(with: blue, where: blue .< darkest)
    darkest = darkest.notNegative
    haze.replace(with: darkest, where: darkest .< haze)
    return 1 / (1 - amount * Float(LocalMeaning.hazeShare) * haze)
  }

  @inline(__always)
  private func mix(_ pixel: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
    var result = airLight + (pixel - airLight) * share
    result.w = pixel.w
    return result
  }
}
