/// Colours shadows and highlights apart, luma kept; on encoded colours.
///
/// e′ = e + t·(1 − t)·((1 − w)·shadows + w·highlights), t = luma held in 0…1,
/// w = t / (t + (1 − t)·4^(−balance)).
struct SplitTone: PixelFunction {
  private let shadows: SIMD4<Float>
  private let change: SIMD4<Float>
  private let ratio: Float

  /// Colours without luma, and the ratio 4^(−balance).
  init(shadows: SIMD3<Double>, highlights: SIMD3<Double>, ratio: Double) {
    self.shadows = SIMD4(SIMD3<Float>(shadows), 0)
    change = SIMD4(SIMD3<Float>(highlights - shadows), 0)
    self.ratio = Float(ratio)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    for index in block.indices {
      let value = unsafe block[index]
      let t = value.heldLuma
      let weight = t / (t + (1 - t) * ratio)
      unsafe block[index] = value + (shadows + change * weight) * (t * (1 - t))
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(below: bounds.below + 0.25, above: bounds.above + 0.25)
  }
}

/// Mixes colours with tones of one colour from black through it to white; on encoded colours.
struct Tinting: PixelFunction {
  private let colour: SIMD4<Float>
  private let amount: SIMD4<Float>

  init(colour: SIMD3<Double>, amount: Double) {
    self.colour = SIMD4(SIMD3<Float>(colour), 0)
    self.amount = SIMD4(SIMD3<Float>(repeating: Float(amount)), 0)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let complement = 1 - colour
    for index in block.indices {
      let value = unsafe block[index]
      let luma = value.luma
      let tone = luma < 0.5 ? colour * (2 * luma) : 1 - complement * (2 - 2 * luma)
      unsafe block[index] = value + (tone - value) * amount
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let luma = max(bounds.below, bounds.above)
    return SegmentedCurves.Bounds(below: 2 * luma + 1, above: 2 * luma + 1)
  }
}

extension SIMD4<Float> {
  /// By the weights of ITU-R BT.709.
  @inline(__always)
  var luma: Float { x * 0.2126 + y * 0.7152 + z * 0.0722 }

  /// Luma in 0…1.
  @inline(__always)
  var heldLuma: Float {
    let luma = luma
    return luma > 0 ? (luma < 1 ? luma : 1) : 0
  }
}
