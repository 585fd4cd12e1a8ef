import Glibc

/// Functions of one channel, applied one after the other; tabled before any pixel is touched.
struct CurveChain: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case decode(TransferCurve)
    case encode(TransferCurve)
    /// (e − pivot) · amount + pivot
    case contrast(amount: Double, pivot: Double)
    case add(Double)
    case tone(MonotoneCurve)
    /// What lies outside becomes the nearer end.
    case hold(ClosedRange<Double>)
    /// |v|^exponent with the sign of v; a straight line through 0 where |v| is below the toe.
    case power(exponent: Double, toe: Double)
    case ends(EndShift)
    case gain(LuminanceGain)
    /// That share of the chain's result and the rest of what was there before.
    case mixed(CurveChain, share: Double)

    /// Outside this the piece is level; nil for pieces that never are.
    var ends: ClosedRange<Double>? {
      switch self {
      case .tone(let curve): curve.isHeld ? curve.domain : nil
      case .hold(let range): range
      default: nil
      }
    }

    /// Whether the slope jumps at an end or at zero.
    var hasCorner: Bool {
      if case .power = self { true } else { ends != nil }
    }

    /// Whether what was zero before is another value after it, and another becomes zero.
    var movesZero: Bool {
      switch self {
      case .add, .tone, .ends: true
      case .contrast(_, let pivot): pivot != 0
      case .mixed(let chain, _): chain.pieces.contains(where: \.movesZero)
      default: false
      }
    }

    /// Whether a larger value may become a smaller one, or many become one.
    var mayFall: Bool {
      switch self {
      case .tone, .gain: true
      case .contrast(let amount, _): amount <= 0
      case .mixed(let chain, _): chain.hasEnds || chain.pieces.contains(where: \.mayFall)
      default: false
      }
    }
  }

  /// Far beyond any light, and still far from what a float cannot hold.
  private static let farthest = 1e18

  private(set) var pieces: [Piece] = []

  init(_ pieces: [Piece] = []) {
    for piece in pieces { append(piece) }
  }

  var isIdentity: Bool { pieces.isEmpty }

  /// Whether values up to `end`, above and below zero, lie on straight lines.
  func hasLinearToe(to end: Double) -> Bool {
    if case .encode(let curve) = pieces.first, !curve.hasLinearToe { return false }
    let zero = value(0)
    return [end, -end].allSatisfy { end in
      let rise = value(end) - zero
      return [0.5, 0.125, 0.015_625].allSatisfy { part in
        abs(value(end * part) - (zero + rise * part)) < 1e-5
      }
    }
  }

  /// Whether some values become the same because a piece holds its ends.
  var hasEnds: Bool { pieces.contains { $0.ends != nil } }

  func value(_ input: Double) -> Double {
    var value = input
    for piece in pieces {
      switch piece {
      case .decode(let curve): value = curve.decode(value)
      case .encode(let curve): value = curve.encode(value)
      case .contrast(let amount, let pivot): value = (value - pivot) * amount + pivot
      case .add(let amount): value += amount
      case .tone(let curve): value = curve.value(value)
      case .hold(let range): value = min(max(value, range.lowerBound), range.upperBound)
      case .power(let exponent, let toe): value = Self.power(value, exponent, toe)
      case .ends(let shift): value = shift.value(value)
      case .gain(let gain): value = gain.value(value)
      case .mixed(let chain, let share): value += share * (chain.value(value) - value)
      }
      value = min(max(value, -Self.farthest), Self.farthest)
    }
    return value
  }

  private static func power(_ value: Double, _ exponent: Double, _ toe: Double) -> Double {
    let size = abs(value)
    let result = size < toe ? size / toe * pow(toe, exponent) : pow(size, exponent)
    return value < 0 ? -result : result
  }

  /// Where the chain is not level because pieces hold their ends; infinite where it never is.
  ///
  /// Ends outside the range are not looked for, nor those of pieces after one that may fall.
  func domain(within range: ClosedRange<Double>) -> ClosedRange<Double> {
    var before = CurveChain()
    var domain = Self.everywhere
    for piece in pieces {
      if let ends = piece.ends {
        let lower = max(domain.lowerBound, before.position(of: ends.lowerBound, in: range))
        let upper = min(domain.upperBound, before.position(of: ends.upperBound, in: range))
        guard lower < upper else { return domain }
        domain = lower...upper
      }
      if piece.mayFall { return domain }
      before.pieces.append(piece)
    }
    return domain
  }

  private static let everywhere = -Double.infinity...Double.infinity

  /// Where a chain that rises reaches a value; infinite when it does not in the range.
  private func position(of wanted: Double, in range: ClosedRange<Double>) -> Double {
    if value(range.lowerBound) >= wanted { return -.infinity }
    if value(range.upperBound) <= wanted { return .infinity }
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if value(middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }

  /// What undoes the piece before it takes that piece away.
  mutating func append(_ piece: Piece) {
    switch (pieces.last, piece) {
    case (_, .decode(.linear)), (_, .encode(.linear)): break
    case (.decode(let one), .encode(let other)) where one == other && one.isInvertible,
      (.encode(let one), .decode(let other)) where one == other && one.isInvertible:
      pieces.removeLast()
    default: pieces.append(piece)
    }
  }

  mutating func append(_ chain: CurveChain) {
    for piece in chain.pieces { append(piece) }
  }

  /// The same in two steps, so that the last piece with a corner has it where its table is exact.
  ///
  /// nil when no other piece before it has one, nor moves its corner away from zero.
  var split: (before: CurveChain, after: CurveChain)? {
    guard let last = pieces.lastIndex(where: \.hasCorner),
      pieces[..<last].contains(where: { $0.hasCorner || $0.movesZero })
    else { return nil }
    var (before, after) = (CurveChain(), CurveChain())
    before.pieces = Array(pieces[..<last])
    after.pieces = Array(pieces[last...])
    return (before, after)
  }
}

extension TransferCurve {
  /// Whether no value outside 0…1 is lost on the way there and back.
  fileprivate var isInvertible: Bool {
    switch self {
    case .linear, .sRGB, .gamma: true
    case .parametric, .table: false
    }
  }
}
