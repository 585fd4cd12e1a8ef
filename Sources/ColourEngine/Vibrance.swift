internal import CPixelKernels
import Glibc

/// C′ = C · (1 + v · (1 − min(1, C / 0.4)^|v|)) in Oklab, lightness and hue kept.
struct Vibrance: OklabAdjustment {
  /// The chroma that is full: 100 % of oklch() in CSS Color 4.
  static let fullChroma = 0.4

  /// Below 2 to this power the squared share of full chroma counts as that.
  private static let lowest = -24
  private static let shift: Int32 = 17
  /// Straight pieces for each doubling.
  private static let piecesPerOctave = 64

  /// Intercept and slope of the factor of chroma over the squared share of full chroma.
  private let pieces: [SIMD2<Float>]
  private let isStronger: Bool

  init(amount: Double) {
    isStronger = amount > 0
    func factor(_ square: Double) -> Double { 1 + amount * (1 - pow(square, abs(amount) / 2)) }
    let firstBits = Float(exp2(Double(Self.lowest))).bitPattern
    pieces = (0...(-Self.lowest * Self.piecesPerOctave)).map { index in
      let bits = firstBits + (UInt32(index) << UInt32(Self.shift))
      let from = Double(Float(bitPattern: bits))
      let to = Double(Float(bitPattern: bits + (1 << UInt32(Self.shift))))
      let slope = (factor(to) - factor(from)) / (to - from)
      return SIMD2(Float(factor(from) - slope * from), Float(slope))
    }
  }

  func apply(to planes: ColourPlanes) {
    unsafe pieces.withUnsafeBufferPointer { pieces in
      unsafe pieces.withMemoryRebound(to: Float.self) { pieces in
        guard let pieces = pieces.baseAddress else { return }
        unsafe minilab_oklab_scale_chroma(
          planes.start, planes.groups, pieces, Float(1 / (Self.fullChroma * Self.fullChroma)),
          Float(exp2(Double(Self.lowest))), Self.shift)
      }
    }
  }

  /// Chroma rises by at most 0.1; where it falls, roots come nearer to the lightness.
  func bounds(withinRoots bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let rise = isStronger ? 0.15 : 0.01
    return SegmentedCurves.Bounds(
      below: bounds.below * 1.01 + rise, above: bounds.above * 1.01 + rise)
  }
}
