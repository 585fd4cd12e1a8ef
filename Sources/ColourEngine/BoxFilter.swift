/// Sums over the square of a given half side about each pixel's middle, as far as the picture goes.
///
/// Pixels that are cut by the square's edge count in part, so that results follow the half side smoothly.
struct BoxFilter {
  private let width: Int
  private let height: Int
  /// Neighbours on each side that count in full, and how much the next counts.
  private let reach: Int
  private let edge: Double

  /// Half sides below half a pixel count as that: the pixel alone.
  init(width: Int, height: Int, radius: Double) {
    self.width = width
    self.height = height
    let beyond = max(radius, 0.5) - 0.5
    let whole = beyond.rounded(.down)
    reach = min(Int(whole), max(width, height))
    edge = beyond - whole
  }

  func sum(_ values: [Float]) -> [Float] {
    var result = [Float](repeating: 0, count: values.count)
    unsafe values.withUnsafeBufferPointer { input in
      unsafe result.withUnsafeMutableBufferPointer { output in
        unsafe sumRows(input, output)
        unsafe sumColumns(output)
      }
    }
    return result
  }

  /// Four rows at a time, since each sum waits for the one before.
  private func sumRows(
    _ input: UnsafeBufferPointer<Float>, _ output: UnsafeMutableBufferPointer<Float>
  ) {
    let margin = reach + 1
    unsafe withUnsafeTemporaryAllocation(
      of: SIMD4<Double>.self, capacity: width + 2 * margin + 1
    ) { rows in
      unsafe rows.initialize(repeating: SIMD4())
      for top in stride(from: 0, to: height, by: 4) {
        // The last ones may be the same row, which is then written more than once.
        let starts = (0..<4).map { min(top + $0, height - 1) * width }
        let (first, second, third, fourth) = (starts[0], starts[1], starts[2], starts[3])
        for x in 0..<width {
          unsafe rows[margin + x] = SIMD4<Double>(
            SIMD4(input[first + x], input[second + x], input[third + x], input[fourth + x]))
        }
        var sums = SIMD4<Double>()
        for x in 0..<reach { unsafe sums += rows[margin + x] }
        for x in 0..<width {
          let around = unsafe rows[x] + rows[x + 2 * margin]
          unsafe sums += rows[x + 2 * margin - 1]
          let result = SIMD4<Float>(sums + edge * around)
          unsafe output[first + x] = result.x
          unsafe output[second + x] = result.y
          unsafe output[third + x] = result.z
          unsafe output[fourth + x] = result.w
          unsafe sums -= rows[x + 1]
        }
      }
    }
  }

  /// In place: rows that are still needed are kept aside.
  private func sumColumns(_ plane: UnsafeMutableBufferPointer<Float>) {
    let kept = reach + 2
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: kept * width) { old in
      unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: width) { sums in
        unsafe sums.initialize(repeating: 0)
        unsafe old.initialize(repeating: 0)
        for y in 0..<min(reach, height) {
          for x in 0..<width { unsafe sums[x] += Double(plane[y * width + x]) }
        }
        for y in 0..<height {
          let entering = y + reach < height ? (y + reach) * width : -1
          let after = y + reach + 1 < height ? (y + reach + 1) * width : -1
          // Row y − reach − 1, 0 above the picture, and row y − reach.
          let before = (y + 1) % kept * width
          let leaving = (y + 2) % kept * width
          let own = y % kept * width
          for x in 0..<width {
            unsafe old[own + x] = plane[y * width + x]
            var sum = unsafe sums[x]
            if entering >= 0 { unsafe sum += Double(plane[entering + x]) }
            let next = unsafe after >= 0 ? Double(plane[after + x]) : 0
            let around = unsafe edge * (Double(old[before + x]) + next)
            unsafe plane[y * width + x] = Float(sum + around)
            unsafe sums[x] = sum - Double(old[leaving + x])
          }
        }
      }
    }
  }
}
