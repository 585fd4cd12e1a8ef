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

  init(_ chains: [CurveChain], within bounds: Bounds) {
    let lowest = chains.allSatisfy(\.hasLinearToe) ? -14 : -32
    let positive = Self.count(from: lowest, to: bounds.above)
    let negative = Self.count(from: lowest, to: bounds.below)
    positiveCount = Int32(positive)
    negativeCount = Int32(negative)
    firstBits = Int32(Float(exp2(Double(lowest))).bitPattern >> UInt32(Self.shift)) - 1
    stride = chains.count > 1 ? positive + negative : 0
    var pieces: [SIMD2<Float>] = []
    pieces.reserveCapacity(chains.count * (positive + negative))
    for chain in chains {
      let up = Self.pieces(of: chain, count: positive, sign: 1, firstBits: firstBits)
      let down = Self.pieces(of: chain, count: negative, sign: -1, firstBits: firstBits)
      pieces += down.reversed() + up
    }
    self.pieces = pieces
  }

  private static func count(from lowest: Int, to bound: Double) -> Int {
    let limited = min(max(bound * (1 - 1e-6), 1e-30), 16_777_216)
    return 1 + max(0, Int(log2(limited).rounded(.up)) - lowest) * piecesPerOctave
  }

  private static func pieces(
    of chain: CurveChain, count: Int, sign: Double, firstBits: Int32
  ) -> [SIMD2<Float>] {
    var from = 0.0
    var start = chain.value(0)
    return (0..<count).map { index in
      let bits = UInt32(firstBits + Int32(index) + 1) << UInt32(shift)
      let to = sign * Double(Float(bitPattern: bits))
      let end = chain.value(to)
      let slope = (end - start) / (to - from)
      let intercept = start - slope * from
      // Half of the bend is given to each side.
      let middle = (from + to) / 2
      let bend = chain.value(middle) - (intercept + slope * middle)
      // A bend around zero must not move zero.
      let shifted = index == 0 ? intercept : intercept + bend / 2
      from = to
      start = end
      return SIMD2(Float(shifted), Float(slope))
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
        let value = unsafe block[position]
        let bits = unsafe unsafeBitCast(value, to: SIMD4<Int32>.self)
        var index = ((bits & 0x7FFF_FFFF) &>> Self.shift) &- firstBits
        index.replace(with: 0, where: index .< 0)
        index ^= bits &>> 31
        index.replace(with: lowest, where: index .< lowest)
        index.replace(with: highest, where: index .> highest)
        let first = unsafe red[Int(index[0])]
        let second = unsafe green[Int(index[1])]
        let third = unsafe blue[Int(index[2])]
        let intercepts = SIMD4(first.x, second.x, third.x, 0)
        let slopes = SIMD4(first.y, second.y, third.y, 1)
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
