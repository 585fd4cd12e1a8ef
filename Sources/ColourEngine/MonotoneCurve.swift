/// A monotone piecewise cubic through points, its ends held (Fritsch and Carlson 1980).
///
/// Between two points the curve never leaves the range of their values; where the points fall the
/// curve falls.
struct MonotoneCurve: Hashable, Sendable {
  private var x: [Double]
  private var y: [Double]
  private var slopes: [Double]

  /// `x` must rise strictly; fewer than two points give the identity.
  init(x: [Double], y: [Double]) {
    self.x = x
    self.y = y
    slopes = Self.slopes(x, y)
  }

  /// Where the curve is not held.
  var domain: ClosedRange<Double> {
    guard let first = x.first, let last = x.last, first < last else {
      return -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    }
    return first...last
  }

  func value(_ position: Double) -> Double {
    guard x.count > 1, let lastY = y.last, let lastX = x.last else { return position }
    // Written so that NaN takes the first branch.
    guard position > x[0] else { return y[0] }
    guard position < lastX else { return lastY }
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
