/// How many stops brighter a pixel becomes, from its luminance and its surroundings'.
protocol StopRule: Sendable {
  /// Both are in stops, four pixels at a time.
  func stops(own: SIMD4<Float>, base: SIMD4<Float>) -> SIMD4<Float>
  /// What is never exceeded.
  var most: Double { get }
}

/// Multiplies light by a power of two that follows from a pixel's luminance and its surroundings'.
struct StopFunction<Rule: StopRule>: PixelFunction {
  private let lookup: CoefficientLookup
  private let rule: Rule
  private let luminance = SIMD3<Float>(RGBSpace.workingLuminance)

  init(_ lookup: CoefficientLookup, _ rule: Rule) {
    self.lookup = lookup
    self.rule = rule
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let gain = Double(sign: .plus, exponent: Int(rule.most.rounded(.up)), significand: 1)
    return SegmentedCurves.Bounds(below: bounds.below * gain, above: bounds.above * gain)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    lookup.withRow(of: block.count, at: place) { row in
      var index = 0
      while index + 4 <= block.count {
        let pixels = unsafe FourPixels(
          block[index], block[index + 1], block[index + 2], block[index + 3])
        let gain = gain(pixels, row, index)
        for lane in 0..<4 {
          unsafe block[index + lane] *= SIMD4(gain[lane], gain[lane], gain[lane], 1)
        }
        index += 4
      }
      guard index < block.count else { return }
      let gain = unsafe gain(FourPixels(block, from: index), row, index)
      for lane in 0..<(block.count - index) {
        unsafe block[index + lane] *= SIMD4(gain[lane], gain[lane], gain[lane], 1)
      }
    }
  }

  @inline(__always)
  private func gain(_ pixels: FourPixels, _ row: CoefficientRow, _ index: Int) -> SIMD4<Float> {
    let light =
      pixels.red * luminance.x + pixels.green * luminance.y + pixels.blue * luminance.z
    let own = BinaryLogarithm.log2(light.notNegative + LocalMeaning.floor)
    let (slope, offset) = row.four(from: index)
    return BinaryLogarithm.exp2(rule.stops(own: own, base: slope * own + offset))
  }
}

/// Four pixels, channel by channel.
struct FourPixels {
  var red: SIMD4<Float>
  var green: SIMD4<Float>
  var blue: SIMD4<Float>

  @inline(__always)
  init(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>) {
    red = SIMD4(a.x, b.x, c.x, d.x)
    green = SIMD4(a.y, b.y, c.y, d.y)
    blue = SIMD4(a.z, b.z, c.z, d.z)
  }

  /// The last ones of a block; the last is repeated.
  init(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>, from index: Int) {
    let last = block.count - 1
    unsafe self.init(
      block[index], block[min(index + 1, last)], block[min(index + 2, last)],
      block[min(index + 3, last)])
  }
}

/// Stops for what is bright around a pixel, and for what is dark.
struct ToneStops: StopRule {
  private let highlights: Float
  private let shadows: Float

  init(highlights: Double, shadows: Double) {
    self.highlights = Float(highlights * LocalMeaning.highlightStops)
    self.shadows = Float(shadows * LocalMeaning.shadowStops)
  }

  var most: Double { Double(max(0, highlights) + max(0, shadows)) }

  @inline(__always)
  func stops(own: SIMD4<Float>, base: SIMD4<Float>) -> SIMD4<Float> {
    let bright = (base * 0.25 + 1).smoothStep
    let sixth: Float = 1 / 6
    let light = ((base + 8) * sixth).smoothStep
    return bright * highlights + (1 - light) * shadows
  }
}

/// Stops for what a pixel differs by from its surroundings, in the mid-tones.
struct DetailStops: StopRule {
  private let share: Float

  init(amount: Double) { share = Float(amount * LocalMeaning.detailShare) }

  /// Of d³ s² / ((d² + t²) (d² + s²)): less than s / 2.
  var most: Double { Double(abs(share)) * 0.75 }

  @inline(__always)
  func stops(own: SIMD4<Float>, base: SIMD4<Float>) -> SIMD4<Float> {
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
