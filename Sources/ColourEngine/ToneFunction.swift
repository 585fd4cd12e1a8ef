/// Brightens what is bright around a pixel, and what is dark, each by its own number of stops.
struct ToneFunction: PixelFunction {
  private let lookup: CoefficientLookup
  private let highlights: Float
  private let shadows: Float

  init(_ lookup: CoefficientLookup, highlights: Double, shadows: Double) {
    self.lookup = lookup
    self.highlights = Float(highlights * LocalMeaning.highlightStops)
    self.shadows = Float(shadows * LocalMeaning.shadowStops)
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    bounds.brightened(by: Double(max(0, highlights) + max(0, shadows)))
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let sixth: Float = 1 / 6
    unsafe lookup.brighten(block, at: place) { _, base in
      let bright = (base * 0.25 + 1).smoothStep
      let light = ((base + 8) * sixth).smoothStep
      return bright * highlights + (1 - light) * shadows
    }
  }
}

/// Raises or lowers what a pixel differs by from its surroundings, in the mid-tones.
struct DetailFunction: PixelFunction {
  private let lookup: CoefficientLookup
  private let share: Float

  init(_ lookup: CoefficientLookup, amount: Double) {
    self.lookup = lookup
    share = Float(amount * LocalMeaning.detailShare)
  }

  /// d³ s² / ((d² + t²) (d² + s²)) stays below s / 2.
  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    bounds.brightened(by: Double(abs(share)) * 0.75)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    unsafe lookup.brighten(block, at: place) { own, base in
      let detail = own - base
      let square = detail * detail
      // t = 0.06, s = 1.5
      let kept = detail * square * 2.25
      let scale = (square + 0.0036) * (square + 2.25)
      let aboveBlack = (base * 0.2 + 1.8).smoothStep
      let nearWhite = (base * 0.5 + 1).smoothStep
      return kept / scale * aboveBlack * (1 - nearWhite) * share
    }
  }
}

extension CoefficientLookup {
  /// Multiplies light by a power of two that follows from a pixel's luminance and its surroundings',
  /// both in stops, four pixels at a time.
  @inline(__always)
  func brighten(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    _ stops: (_ own: SIMD4<Float>, _ base: SIMD4<Float>) -> SIMD4<Float>
  ) {
    let weights = SIMD3<Float>(RGBSpace.workingLuminance)
    withRow(of: block.count, at: place) { row in
      for index in stride(from: 0, to: block.count, by: 4) {
        let isWhole = index + 4 <= block.count
        let pixels = unsafe isWhole ? FourPixels(block, at: index) : FourPixels(block, from: index)
        let own = BinaryLogarithm.log2(
          pixels.luminance(weights).notNegative + LocalMeaning.floor)
        let (slope, offset) = row.four(from: index)
        let gain = BinaryLogarithm.exp2(stops(own, slope * own + offset))
        for lane in 0..<(isWhole ? 4 : block.count - index) {
          unsafe block[index + lane] *= SIMD4(gain[lane], gain[lane], gain[lane], 1)
        }
      }
    }
  }
}

extension SegmentedCurves.Bounds {
  fileprivate func brightened(by stops: Double) -> SegmentedCurves.Bounds {
    let gain = Double(sign: .plus, exponent: Int(stops.rounded(.up)), significand: 1)
    return SegmentedCurves.Bounds(below: below * gain, above: above * gain)
  }
}
