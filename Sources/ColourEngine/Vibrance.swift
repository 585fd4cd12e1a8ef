import Glibc

/// C′ = C · (1 + v · (1 − min(1, C / 0.4)^|v|)) in Oklab, lightness and hue kept.
struct Vibrance: OklabAdjustment {
  /// The chroma that is full: 100 % of oklch() in CSS Color 4.
  static let fullChroma = 0.4

  private let amount: Float

  init(amount: Double) { self.amount = Float(amount) }

  func apply(to quads: UnsafeMutableBufferPointer<OklabQuad>) {
    let scale = Float(1 / (Self.fullChroma * Self.fullChroma))
    let half = abs(amount) / 2
    for index in quads.indices {
      let quad = unsafe quads[index]
      let squared = (quad.squaredChroma * scale).atMost(1).atLeast(1e-20)
      let power = (squared.logarithms * half).powersOfTwo
      let factor = (1 + amount) - power * amount
      unsafe quads[index].a = quad.a * factor
      unsafe quads[index].b = quad.b * factor
    }
  }

  /// Chroma rises by at most 0.1; where it falls, roots come nearer to the lightness.
  func bounds(withinRoots bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(below: bounds.below * 1.01 + 0.15, above: bounds.above * 1.01 + 0.15)
  }
}
