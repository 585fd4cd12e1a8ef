/// The guided filter of He, Sun and Tang: a plane as a linear function of a guide near each pixel.
///
/// Means are over a square, each pixel counted by its weight.
struct GuidedFilter {
  private let box: BoxFilter
  private let weights: [Float]
  private let totals: [Float]
  private let epsilon: Float

  /// `epsilon`: variances of the guide well above it are edges, well below it detail.
  init(width: Int, height: Int, weights: [Float], radius: Double, epsilon: Double) {
    box = BoxFilter(width: width, height: height, radius: radius)
    self.weights = weights
    self.epsilon = Float(epsilon)
    totals = box.sum(weights)
  }

  /// a and b of target ≈ a · guide + b, themselves averaged; 0 where nothing weighs.
  func coefficients(guide: [Float], target: [Float]) -> [SIMD2<Float>] {
    fit(
      mean(guide), mean(target), square: mean(product(guide, guide)),
      product: mean(product(guide, target)))
  }

  /// The same where the guide is its own target: an edge-preserving smoothing.
  func coefficients(guide: [Float]) -> [SIMD2<Float>] {
    let (first, second) = (mean(guide), mean(product(guide, guide)))
    return fit(first, first, square: second, product: second)
  }

  private func fit(
    _ guide: [Float], _ target: [Float], square: [Float], product: [Float]
  ) -> [SIMD2<Float>] {
    var slopes = [Float](repeating: 0, count: guide.count)
    var offsets = slopes
    for index in guide.indices {
      let variance = max(0, square[index] - guide[index] * guide[index])
      let covariance = product[index] - guide[index] * target[index]
      let slope = covariance / (variance + epsilon)
      slopes[index] = slope
      offsets[index] = target[index] - slope * guide[index]
    }
    slopes = mean(slopes)
    offsets = mean(offsets)
    return zip(slopes, offsets).map { SIMD2($0, $1) }
  }

  private func mean(_ values: [Float]) -> [Float] {
    var sums = box.sum(product(values, weights))
    for index in sums.indices {
      sums[index] = totals[index] > 1e-6 ? sums[index] / totals[index] : 0
    }
    return sums
  }

  private func product(_ left: [Float], _ right: [Float]) -> [Float] {
    var result = left
    for index in result.indices { result[index] *= right[index] }
    return result
  }
}
