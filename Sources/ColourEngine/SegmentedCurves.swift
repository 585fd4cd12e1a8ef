import Glibc

/// Curves of one or three channels as straight pieces that are found from the bits of a float.
///
/// 256 pieces for each doubling of the value, so the steps are as fine near black as the eye is.
/// Outside the table the outermost pieces go on.
struct SegmentedCurves: Sendable {
  private static let shift: Int32 = 15
  private static let piecesPerOctave = 256

  /// Where values of a channel can lie: −below … above.
  struct Bounds: Hashable, Sendable {
    /// Farther out nothing needs to be exact.
    private static let farthest = 16_777_216.0

    let below: Double
    let above: Double

    /// Whatever overflowed on the way counts as farthest.
    init(below: Double, above: Double) {
      self.below = below <= Self.farthest ? max(0, below) : Self.farthest
      self.above = above <= Self.farthest ? max(0, above) : Self.farthest
    }

    static let unit = Bounds(below: 0, above: 1)
    /// What is taken for pictures in float, which have no bounds.
    static let float = Bounds(below: 64, above: 64)
  }

  /// Intercept and slope of each piece; channel after channel.
  private let pieces: [SIMD2<Float>]
  private let negativeCount: Int32
  private let positiveCount: Int32
  /// The upper bits of the value where the second piece begins, less one.
  private let firstBits: Int32
  /// Pieces from one channel to the next; 0 when all share one curve.
  private let stride: Int
  /// Where the curves are not level yet; alpha has no ends.
  private let first: SIMD4<Float>
  private let last: SIMD4<Float>
  private let hasEnds: Bool

  init(_ chains: [CurveChain], within bounds: Bounds) {
    let domains = (0..<3).map { channel in
      chains[chains.count == 1 ? 0 : channel].domain(within: -bounds.below...bounds.above)
    }
    let lowest = chains.allSatisfy(\.hasLinearToe) ? -14 : -32
    // Ends where one piece meets the next are in the table; others need the value held.
    let held = domains.map { domain in
      (
        Self.isEdge(domain.lowerBound, lowest) ? -Float.infinity : Float(domain.lowerBound),
        Self.isEdge(domain.upperBound, lowest) ? Float.infinity : Float(domain.upperBound)
      )
    }
    first = SIMD4(held[0].0, held[1].0, held[2].0, -.infinity)
    last = SIMD4(held[0].1, held[1].1, held[2].1, .infinity)
    hasEnds = held.contains { $0.0.isFinite || $0.1.isFinite }
    let positive = Self.count(
      from: lowest, to: min(bounds.above, domains.map(\.upperBound).max() ?? 1))
    let negative = Self.count(
      from: lowest, to: min(bounds.below, -(domains.map(\.lowerBound).min() ?? 0)))
    positiveCount = Int32(positive)
    negativeCount = Int32(negative)
    firstBits = Int32(Float(exp2(Double(lowest))).bitPattern >> UInt32(Self.shift)) - 1
    stride = chains.count > 1 ? positive + negative : 0
    var pieces: [SIMD2<Float>] = []
    pieces.reserveCapacity(chains.count * (positive + negative))
    for (chain, domain) in zip(chains, domains) {
      let up = Self.pieces(of: chain, in: domain, count: positive, sign: 1, firstBits)
      let down = Self.pieces(of: chain, in: domain, count: negative, sign: -1, firstBits)
      pieces += down.reversed() + up
    }
    self.pieces = pieces
  }

  /// Whether a value is none, or lies where one piece ends and the next begins.
  private static func isEdge(_ value: Double, _ lowest: Int) -> Bool {
    guard value.isFinite, value != 0 else { return true }
    let isOnGrid = Float(value).bitPattern & (1 << UInt32(shift) - 1) == 0
    return isOnGrid && Double(Float(value)) == value && abs(value) >= exp2(Double(lowest))
  }

  /// One more than reach the bound, so that what comes after an end is level.
  private static func count(from lowest: Int, to bound: Double) -> Int {
    let limited = max(bound * (1 - 1e-6), 1e-30)
    return 2 + max(0, Int(log2(limited).rounded(.up)) - lowest) * piecesPerOctave
  }

  private static func pieces(
    of chain: CurveChain, in domain: ClosedRange<Double>, count: Int, sign: Double,
    _ firstBits: Int32
  ) -> [SIMD2<Float>] {
    var from = min(max(0, domain.lowerBound), domain.upperBound)
    var start = chain.value(from)
    return (0..<count).map { index in
      let bits = UInt32(firstBits + Int32(index) + 1) << UInt32(shift)
      let edge = sign * Double(Float(bitPattern: bits))
      let to = min(max(edge, domain.lowerBound), domain.upperBound)
      guard to != from else { return SIMD2(Float(start), 0) }
      let end = chain.value(to)
      let slope = (end - start) / (to - from)
      var intercept = start - slope * from
      // Half of the bend is given to each side, but zero must not move.
      if index > 0 {
        let middle = (from + to) / 2
        intercept += (chain.value(middle) - (intercept + slope * middle)) / 2
      }
      from = to
      start = end
      return SIMD2(Float(intercept), Float(slope))
    }
  }

  /// Applies the curves to the first three lanes of each pixel.
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    if hasEnds {
      for position in block.indices {
        var value = unsafe block[position]
        value.replace(with: first, where: value .< first)
        value.replace(with: last, where: value .> last)
        unsafe block[position] = value
      }
    }
    let (firstBits, offset) = (SIMD4(repeating: firstBits), SIMD4(repeating: negativeCount))
    let highest = SIMD4(repeating: negativeCount + positiveCount - 1)
    unsafe pieces.withUnsafeBufferPointer { all in
      guard let red = all.baseAddress else { return }
      let green = unsafe red + stride
      let blue = unsafe green + stride
      for position in block.indices {
        let value = unsafe block[position]
        let bits = unsafe unsafeBitCast(value, to: SIMD4<Int32>.self)
        var index = ((bits & 0x7FFF_FFFF) &>> Self.shift) &- firstBits
        index.replace(with: 0, where: index .< 0)
        index = (index ^ (bits &>> 31)) &+ offset
        index.replace(with: 0, where: index .< 0)
        index.replace(with: highest, where: index .> highest)
        // Lanes come out cheapest in pairs.
        let pairs = unsafe unsafeBitCast(index, to: SIMD2<UInt64>.self)
        let redGreen = unsafe SIMD4(
          lowHalf: red[Int(truncatingIfNeeded: pairs[0] & 0xFFFF_FFFF)],
          highHalf: green[Int(truncatingIfNeeded: pairs[0] >> 32)])
        let blueAlpha = unsafe SIMD4(
          lowHalf: blue[Int(truncatingIfNeeded: pairs[1] & 0xFFFF_FFFF)], highHalf: [0, 1])
        let intercepts = SIMD4(lowHalf: redGreen.evenHalf, highHalf: blueAlpha.evenHalf)
        let slopes = SIMD4(lowHalf: redGreen.oddHalf, highHalf: blueAlpha.oddHalf)
        unsafe block[position] = intercepts + slopes * value
      }
    }
  }

  /// Where the results of the curves can lie.
  static func bounds(of chains: [CurveChain], within bounds: Bounds) -> Bounds {
    var (below, above) = (0.0, 0.0)
    for chain in chains {
      for step in 0...128 {
        let position = Double(step) / 128
        let value = chain.value(position * (bounds.above + bounds.below) - bounds.below)
        above = max(above, value)
        below = max(below, -value)
      }
    }
    return Bounds(below: below * 1.05, above: above * 1.05)
  }
}
