import Glibc

/// Curves of one or three channels as straight pieces that are found from the bits of a float.
///
/// So many pieces for each doubling of the value, so the steps are as fine near black as the eye is;
/// more where the curves bend too much for that. Outside the table the outermost pieces go on.
struct SegmentedCurves: Sendable {
  /// How many pieces a doubling has, by the bits of a float that they leave away.
  enum Fineness: Int32, CaseIterable {
    /// Small enough to stay in a processor's nearest cache.
    case coarse = 16
    case plain = 15
    case fine = 13
    case finest = 11

    var piecesPerOctave: Int { 1 << (23 - Int(rawValue)) }
  }

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
  let pieces: [SIMD2<Float>]
  let negativeCount: Int32
  let positiveCount: Int32
  /// The upper bits of the value where the second piece begins, less one.
  let firstBits: Int32
  /// Pieces from one channel to the next; 0 when all share one curve.
  let stride: Int
  /// Where the curves are not level yet, and what they are before and after; alpha has no ends.
  let first: SIMD4<Float>
  let last: SIMD4<Float>
  let before: SIMD4<Float>
  let after: SIMD4<Float>
  let hasEnds: Bool
  let fineness: Fineness
  private let precision: PixelPrecision
  /// How far the middle of a curve lies from that of its piece, at most; in proportion above 1.
  private let bend: Double

  /// Whether results are as true as is wanted, in proportion above 1.
  var isPrecise: Bool { bend <= precision.bend }

  /// As fine as the curves need.
  init(_ chains: [CurveChain], within bounds: Bounds, _ precision: PixelPrecision = .full) {
    var made = SegmentedCurves(
      chains, within: bounds, precision == .full ? .plain : .coarse, precision)
    while !made.isPrecise, let next = made.needed {
      made = SegmentedCurves(chains, within: bounds, next, precision)
    }
    self = made
  }

  /// That which the bend needs that was found, since smooth bends shrink with the square of a piece;
  /// nil when there is none finer.
  private var needed: Fineness? {
    let finer = Fineness.allCases.filter { $0.rawValue < fineness.rawValue }
    return finer.first {
      bend <= precision.bend * Double(1 << (2 * (fineness.rawValue - $0.rawValue)))
    } ?? finer.last
  }

  /// One table, or several one after the other where one alone would not be true to the curves.
  static func tables(
    _ chains: [CurveChain], within bounds: Bounds, _ precision: PixelPrecision = .full
  ) -> [SegmentedCurves] {
    let whole = SegmentedCurves(chains, within: bounds, precision)
    let parts = chains.map(\.split)
    if whole.isPrecise || parts.allSatisfy({ $0 == nil }) { return [whole] }
    let before = zip(chains, parts).map { $1?.before ?? $0 }
    let after = parts.map { $0?.after ?? CurveChain() }
    return tables(before, within: bounds, precision)
      + [SegmentedCurves(after, within: Self.bounds(of: before, within: bounds), precision)]
  }

  private init(
    _ chains: [CurveChain], within bounds: Bounds, _ fineness: Fineness,
    _ precision: PixelPrecision
  ) {
    self.fineness = fineness
    self.precision = precision
    let domains = (0..<3).map { channel in
      chains[chains.count == 1 ? 0 : channel].domain(within: -bounds.below...bounds.above)
    }
    let lowest = chains.allSatisfy { $0.hasLinearToe(to: exp2(-14)) } ? -14 : -32
    // Ends where one piece meets the next are in the table; others need the value held.
    let held = domains.map { domain in
      (
        Self.isEdge(domain.lowerBound, lowest, fineness)
          ? -Float.infinity : Float(domain.lowerBound),
        Self.isEdge(domain.upperBound, lowest, fineness) ? Float.infinity : Float(domain.upperBound)
      )
    }
    first = SIMD4(held[0].0, held[1].0, held[2].0, -.infinity)
    last = SIMD4(held[0].1, held[1].1, held[2].1, .infinity)
    let results = (0..<3).map { channel in
      let chain = chains[chains.count == 1 ? 0 : channel]
      return (
        Float(chain.value(domains[channel].lowerBound)),
        Float(chain.value(domains[channel].upperBound))
      )
    }
    before = SIMD4(results[0].0, results[1].0, results[2].0, 0)
    after = SIMD4(results[0].1, results[1].1, results[2].1, 1)
    hasEnds = held.contains { $0.0.isFinite || $0.1.isFinite }
    let positive = Self.count(
      from: lowest, to: min(bounds.above, domains.map(\.upperBound).max() ?? 1), fineness)
    let negative = Self.count(
      from: lowest, to: min(bounds.below, -(domains.map(\.lowerBound).min() ?? 0)), fineness)
    positiveCount = Int32(positive)
    negativeCount = Int32(negative)
    firstBits = Int32(Float(exp2(Double(lowest))).bitPattern >> UInt32(fineness.rawValue)) - 1
    stride = chains.count > 1 ? positive + negative : 0
    var pieces: [SIMD2<Float>] = []
    pieces.reserveCapacity(chains.count * (positive + negative))
    var bend = 0.0
    for (chain, domain) in zip(chains, domains) {
      let up = Self.side(of: chain, in: domain, count: positive, sign: 1, firstBits, fineness)
      let down = Self.side(of: chain, in: domain, count: negative, sign: -1, firstBits, fineness)
      pieces += down.pieces.reversed() + up.pieces
      bend = max(bend, up.bend, down.bend)
    }
    self.pieces = pieces
    self.bend = bend
  }

  /// Whether a value is none, or lies where one piece ends and the next begins.
  private static func isEdge(_ value: Double, _ lowest: Int, _ fineness: Fineness) -> Bool {
    guard value.isFinite, value != 0 else { return true }
    let isOnGrid = Float(value).bitPattern & (1 << UInt32(fineness.rawValue) - 1) == 0
    return isOnGrid && Double(Float(value)) == value && abs(value) >= exp2(Double(lowest))
  }

  /// One more than reach the bound, so that what comes after an end is level.
  private static func count(from lowest: Int, to bound: Double, _ fineness: Fineness) -> Int {
    let limited = max(bound * (1 - 1e-6), 1e-30)
    return 2 + max(0, Int(log2(limited).rounded(.up)) - lowest) * fineness.piecesPerOctave
  }

  /// The pieces of one sign from zero outwards, and how much the curve bends in one at most.
  private static func side(
    of chain: CurveChain, in domain: ClosedRange<Double>, count: Int, sign: Double,
    _ firstBits: Int32, _ fineness: Fineness
  ) -> (pieces: [SIMD2<Float>], bend: Double) {
    var from = min(max(0, domain.lowerBound), domain.upperBound)
    var start = chain.value(from)
    var worst = 0.0
    let fixed = SIMD4(sign, domain.lowerBound, domain.upperBound, 0)
    let pieces = (0..<count).map { index in
      let bits = UInt32(firstBits + Int32(index) + 1) << UInt32(fineness.rawValue)
      let edge = sign * Double(Float(bitPattern: bits))
      let to = min(max(edge, domain.lowerBound), domain.upperBound)
      guard to != from else { return SIMD2(Float(start), 0) }
      let end = chain.value(to)
      let slope = (end - start) / (to - from)
      var intercept = start - slope * from
      let middle = (from + to) / 2
      let value = chain.value(middle)
      let bend = value - (intercept + slope * middle)
      worst = max(worst, abs(bend) / max(1, abs(value)))
      // Half of the bend is given to each side, but black, white and the ends must not move.
      if !any(fixed .== from), !any(fixed .== to) { intercept += bend / 2 }
      from = to
      start = end
      return SIMD2(Float(intercept), Float(slope))
    }
    return (pieces, worst)
  }

  /// Where the results of the curves can lie.
  static func bounds(of chains: [CurveChain], within bounds: Bounds) -> Bounds {
    let range = -bounds.below...bounds.above
    var (below, above) = (0.0, 0.0)
    for chain in chains {
      let domain = chain.domain(within: range)
      func look(at position: Double) {
        let value = chain.value(min(max(position, domain.lowerBound), domain.upperBound))
        above = max(above, value)
        below = max(below, -value)
      }
      // As the eye sees them, for curves may rise and fall again within little light.
      for (limit, sign) in [(bounds.above, 1.0), (bounds.below, -1.0)] {
        look(at: sign * limit)
        var position = limit
        while position > 1e-4 {
          position *= 0.97
          look(at: sign * position)
        }
      }
      look(at: 0)
      look(at: max(domain.lowerBound, range.lowerBound))
      look(at: min(domain.upperBound, range.upperBound))
    }
    return Bounds(below: below * 1.05, above: above * 1.05)
  }
}
