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

  func apply(to planes: OklabPlanes) {
    let scale = Float(1 / (Self.fullChroma * Self.fullChroma))
    let least = Float(bitPattern: UInt32(127 + Self.lowest) << 23)
    let firstIndex = Int32(127 + Self.lowest) << (23 - Self.shift)
    unsafe pieces.withUnsafeBufferPointer { all in
      guard let pieces = all.baseAddress else { return }
      for index in unsafe 0..<planes.count {
        let (a, b) = unsafe (planes.a[index], planes.b[index])
        // What is not a number must not lead out of the table.
        let square = ((a * a + b * b) * scale).atMost(1).atLeast(least)
        let places = SIMD4<Float>(bits: (square.bits &>> Self.shift) &- firstIndex).indices
        let low = unsafe SIMD4(lowHalf: pieces[places.0], highHalf: pieces[places.1])
        let high = unsafe SIMD4(lowHalf: pieces[places.2], highHalf: pieces[places.3])
        let intercepts = SIMD4(lowHalf: low.evenHalf, highHalf: high.evenHalf)
        let slopes = SIMD4(lowHalf: low.oddHalf, highHalf: high.oddHalf)
        let factor = intercepts + slopes * square
        unsafe planes.a[index] = a * factor
        unsafe planes.b[index] = b * factor
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
