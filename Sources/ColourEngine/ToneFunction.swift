/// Brightens what is bright around a pixel, and what is dark, each by its own number of stops.
struct ToneFunction: BrighteningFunction {
  let lookup: CoefficientLookup
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

  @inline(__always)
  func stops(_ own: SIMD8<Float>, _ base: SIMD8<Float>) -> SIMD8<Float> {
    let bright = (base * 0.25 + 1).smoothStep
    let light = ((base + 8) * (1 / 6)).smoothStep
    return bright * highlights + (1 - light) * shadows
  }
}

/// Raises or lowers what a pixel differs by from its surroundings, in the mid-tones.
struct DetailFunction: BrighteningFunction {
  let lookup: CoefficientLookup
  private let share: Float

  init(_ lookup: CoefficientLookup, amount: Double) {
    self.lookup = lookup
    share = Float(amount * LocalMeaning.detailShare)
  }

  /// d³ s² / ((d² + t²) (d² + s²)) stays below s / 2.
  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    bounds.brightened(by: Double(abs(share)) * 0.75)
  }

  @inline(__always)
  func stops(_ own: SIMD8<Float>, _ base: SIMD8<Float>) -> SIMD8<Float> {
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

/// Multiplies light by a power of two that follows from a pixel's luminance and its surroundings'.
protocol BrighteningFunction: PixelFunction {
  var lookup: CoefficientLookup { get }
  /// Both in stops, of eight pixels.
  func stops(_ own: SIMD8<Float>, _ base: SIMD8<Float>) -> SIMD8<Float>
}

extension BrighteningFunction {
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    lookup.withRow(of: block.count, at: place) { row in
      unsafe PixelGains.multiply(block) { index, pixels in
        let own = BinaryLogarithm.log2(pixels.luminance.notNegative + LocalMeaning.floor)
        let (slope, offset) = row.eight(from: index)
        return BinaryLogarithm.exp2(stops(own, offset.adding(slope, times: own)))
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
