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
    var below: Double
    var above: Double

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

  init(_ chains: [CurveChain], within bounds: Bounds) {
    let domains = (0..<3).map { channel in
      chains[chains.count == 1 ? 0 : channel].domain(within: -bounds.below...bounds.above)
    }
    let lowerEnds = SIMD3<Double>(domains.map(\.lowerBound))
    let upperEnds = SIMD3<Double>(domains.map(\.upperBound))
    // What lies beyond the bounds is carried on; only a curve that is level there has an end.
    first = SIMD4(
      SIMD3<Float>(
        lowerEnds.replacing(with: -.infinity, where: lowerEnds .<= -bounds.below)), -.infinity)
    last = SIMD4(
      SIMD3<Float>(
        upperEnds.replacing(with: .infinity, where: upperEnds .>= bounds.above)), .infinity)
    let lowest = chains.allSatisfy(\.hasLinearToe) ? -14 : -32
    let positive = Self.count(from: lowest, to: upperEnds.max())
    let negative = Self.count(from: lowest, to: -lowerEnds.min())
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

  private static func count(from lowest: Int, to bound: Double) -> Int {
    let limited = min(max(bound * (1 - 1e-6), 1e-30), 16_777_216)
    return 1 + max(0, Int(log2(limited).rounded(.up)) - lowest) * piecesPerOctave
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
    unsafe pieces.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return }
      let red = unsafe base + Int(negativeCount)
      let green = unsafe red + stride
      let blue = unsafe green + stride
      let lowest = -negativeCount
      let highest = positiveCount - 1
      for position in block.indices {
        var value = unsafe block[position]
        value.replace(with: first, where: value .< first)
        value.replace(with: last, where: value .> last)
        let bits = unsafe unsafeBitCast(value, to: SIMD4<Int32>.self)
        var index = ((bits & 0x7FFF_FFFF) &>> Self.shift) &- firstBits
        index.replace(with: 0, where: index .< 0)
        index ^= bits &>> 31
        index.replace(with: lowest, where: index .< lowest)
        index.replace(with: highest, where: index .> highest)
        let one = unsafe red[Int(index[0])]
        let two = unsafe green[Int(index[1])]
        let three = unsafe blue[Int(index[2])]
        let intercepts = SIMD4(one.x, two.x, three.x, 0)
        let slopes = SIMD4(one.y, two.y, three.y, 1)
        unsafe block[position] = intercepts + slopes * value
      }
    }
  }

  /// Where the results of the curves can lie.
  static func bounds(of chains: [CurveChain], within bounds: Bounds) -> Bounds {
    var result = Bounds(below: 0, above: 0)
    for chain in chains {
      for step in 0...128 {
        let position = Double(step) / 128
        let value = chain.value(position * (bounds.above + bounds.below) - bounds.below)
        result.above = max(result.above, value)
        result.below = max(result.below, -value)
      }
    }
    return Bounds(below: result.below * 1.05, above: result.above * 1.05)
  }
}
