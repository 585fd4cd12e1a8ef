import RenderModel

/// A monotone piecewise cubic through points (Fritsch and Carlson 1980).
///
/// Between two points the curve never leaves the range of their values; where the points fall the
/// curve falls.
struct MonotoneCurve: Hashable, Sendable {
  /// What becomes of values beyond the first and the last point.
  enum Ends: Hashable, Sendable {
    case held
    /// An end in a corner of the unit square goes on straight; any other is held.
    case openCorners
  }

  private var x: [Double]
  private var y: [Double]
  private var slopes: [Double]
  /// 0 where the curve is held.
  private var slopeBelow = 0.0
  private var slopeAbove = 0.0

  /// `x` of the points must rise strictly; fewer than two give the identity.
  init(_ points: [FilterStep.CurvePoint], ends: Ends) {
    x = points.map(\.x)
    y = points.map(\.y)
    slopes = Self.slopes(x, y)
    guard ends == .openCorners, let first = points.first, let last = points.last else { return }
    if first.x == 0, [0, 1].contains(first.y) { slopeBelow = slopes.first ?? 0 }
    if last.x == 1, [0, 1].contains(last.y) { slopeAbove = slopes.last ?? 0 }
  }

  /// Whether some values become the same because an end is held.
  var isHeld: Bool { x.count > 1 && (slopeBelow == 0 || slopeAbove == 0) }

  /// Where the curve is not held.
  var domain: ClosedRange<Double> {
    let everywhere = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    guard let first = x.first, let last = x.last, first < last else { return everywhere }
    let lowest = slopeBelow == 0 ? first : everywhere.lowerBound
    return lowest...(slopeAbove == 0 ? last : everywhere.upperBound)
  }

  func value(_ position: Double) -> Double {
    guard x.count > 1, let lastY = y.last, let lastX = x.last else { return position }
    // Written so that NaN takes the first branch.
    guard position > x[0] else { return y[0] + slopeBelow * (position - x[0]) }
    guard position < lastX else { return lastY + slopeAbove * (position - lastX) }
    var low = 0
    var high = x.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if x[middle] <= position { low = middle } else { high = middle }
    }
    let width = x[high] - x[low]
    let t = (position - x[low]) / width
    let (t2, t3) = (t * t, t * t * t)
    return y[low] * (2 * t3 - 3 * t2 + 1) + y[high] * (3 * t2 - 2 * t3)
      + width * (slopes[low] * (t3 - 2 * t2 + t) + slopes[high] * (t3 - t2))
  }

  private static func slopes(_ x: [Double], _ y: [Double]) -> [Double] {
    guard x.count > 1 else { return [] }
    var secants: [Double] = []
    for index in 1..<x.count {
      let rise: Double = y[index] - y[index - 1]
      secants.append(rise / (x[index] - x[index - 1]))
    }
    var slopes = [secants[0]]
    for (before, after) in zip(secants, secants.dropFirst()) {
      slopes.append(before * after > 0 ? (before + after) / 2 : 0)
    }
    slopes.append(secants[secants.count - 1])
    for (index, secant) in secants.enumerated() {
      guard secant != 0 else {
        slopes[index] = 0
        slopes[index + 1] = 0
        continue
      }
      let (a, b) = (slopes[index] / secant, slopes[index + 1] / secant)
      let length = (a * a + b * b).squareRoot()
      guard length > 3 else { continue }
      slopes[index] = 3 * a / length * secant
      slopes[index + 1] = 3 * b / length * secant
    }
    return slopes
  }
}
