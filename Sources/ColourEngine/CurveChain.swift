/// Functions of one channel, applied one after the other; tabled before any pixel is touched.
struct CurveChain: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case decode(TransferCurve)
    case encode(TransferCurve)
    /// (e − pivot) · amount + pivot
    case contrast(amount: Double, pivot: Double)
    case add(Double)
    case tone(MonotoneCurve)
  }

  private(set) var pieces: [Piece] = []

  init(_ pieces: [Piece] = []) {
    for piece in pieces { append(piece) }
  }

  var isIdentity: Bool { pieces.isEmpty }

  /// Whether values near zero lie on a straight line.
  var hasLinearToe: Bool {
    guard let first = pieces.first else { return true }
    if case .encode(let curve) = first { return curve.hasLinearToe }
    return true
  }

  func value(_ input: Double) -> Double {
    var value = input
    for piece in pieces {
      switch piece {
      case .decode(let curve): value = curve.decode(value)
      case .encode(let curve): value = curve.encode(value)
      case .contrast(let amount, let pivot): value = (value - pivot) * amount + pivot
      case .add(let amount): value += amount
      case .tone(let curve): value = curve.value(value)
      }
    }
    return value
  }

  /// Where the chain is not level because a tone curve holds its ends; infinite where it never is.
  ///
  /// Ends outside the range are not looked for. Only the first tone curve counts, and only when what comes before it rises.
  func domain(within range: ClosedRange<Double>) -> ClosedRange<Double> {
    var before = CurveChain()
    for piece in pieces {
      switch piece {
      case .decode, .encode, .add: before.pieces.append(piece)
      case .contrast(let amount, _):
        if amount <= 0 { return Self.everywhere }
        before.pieces.append(piece)
      case .tone(let curve):
        let lower = before.position(of: curve.domain.lowerBound, in: range)
        let upper = before.position(of: curve.domain.upperBound, in: range)
        return lower < upper ? lower...upper : Self.everywhere
      }
    }
    return Self.everywhere
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
