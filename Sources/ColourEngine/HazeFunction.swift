import CLanes

/// Takes haze away, or adds some, as thick as the coefficients say.
struct HazeFunction: PixelFunction {
  private let lookup: CoefficientLookup
  private let amount: Float
  private let airLight: SIMD4<Float>
  private let inverse: SIMD3<Float>

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
    let air = SIMD8(lowHalf: airLight, highHalf: airLight)
    lookup.withRow(of: block.count, at: place) { row in
      unsafe EightPixels.each(of: block) { index, pairs in
        let shares = share(pairs.pixels, row, index)
        pairs.first = Self.mix(pairs.first, air, lanes_first_gains(shares))
        pairs.second = Self.mix(pairs.second, air, lanes_second_gains(shares))
        pairs.third = Self.mix(pairs.third, air, lanes_third_gains(shares))
        pairs.fourth = Self.mix(pairs.fourth, air, lanes_fourth_gains(shares))
      }
    }
  }

  /// What the pixels' differences from the light of the air are multiplied by.
  @inline(__always)
  private func share(_ pixels: EightPixels, _ row: CoefficientRow, _ index: Int) -> SIMD8<Float> {
    let root = pixels.luminance.held(to: 1).roots
    let (slope, offset) = row.eight(from: index)
    var haze = offset.adding(slope, times: root).held(to: 1)
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

  /// The lanes of alpha have no light of the air and a share of 1.
  @inline(__always)
  private static func mix(
    _ pixels: SIMD8<Float>, _ air: SIMD8<Float>, _ shares: SIMD8<Float>
  ) -> SIMD8<Float> {
    air.adding(pixels - air, times: shares)
  }
}
