/// Interpolation by the cubic of Catmull and Rom; beyond the edge the edge goes on.
enum CatmullRom {
  /// Over 4 × 4 pixels; positions count in pixel centres.
  static func sample(_ input: FloatWindow, _ x: Double, _ y: Double) -> SIMD4<Float> {
    let column = Int(x.rounded(.down))
    let row = Int(y.rounded(.down))
    let across = weights(Float(x - Double(column)))
    let down = weights(Float(y - Double(row)))
    // One more, since four samples are read where three are a pixel.
    return input.holds(column - 1, row - 1, count: 5)
      ? inner(input, column, row, across, down) : outer(input, column, row, across, down)
  }

  /// With a kernel that is stretched, so that a picture made smaller has no aliases.
  ///
  /// `scratch`: room for 4 × the larger spread + 2 numbers.
  static func sample(
    _ input: FloatWindow, _ position: SIMD2<Double>, spread: SIMD2<Double>,
    scratch: UnsafeMutableBufferPointer<Float>
  ) -> SIMD4<Float> {
    let (x, y) = (position.x, position.y)
    let first = Int((x - 2 * spread.x).rounded(.up))
    let last = Int((x + 2 * spread.x).rounded(.down))
    let top = Int((y - 2 * spread.y).rounded(.up))
    let bottom = Int((y + 2 * spread.y).rounded(.down))
    var total: Float = 0
    for column in first...last {
      let weight = kernel(Float((Double(column) - x) / spread.x))
      unsafe scratch[column - first] = weight
      total += weight
    }
    var sum = SIMD4<Float>()
    var totalDown: Float = 0
    for row in top...bottom {
      let weight = kernel(Float((Double(row) - y) / spread.y))
      totalDown += weight
      let line = unsafe weighted(input, row, first...last, scratch)
      sum += weight * line
    }
    return sum / (total * totalDown)
  }

  private static func weighted(
    _ input: FloatWindow, _ row: Int, _ columns: ClosedRange<Int>,
    _ weights: UnsafeMutableBufferPointer<Float>
  ) -> SIMD4<Float> {
    var sum = SIMD4<Float>()
    let first = columns.lowerBound
    let rect = input.rect
    let line = min(max(row, rect.top), rect.bottom - 1)
    // Four samples are read where three are a pixel, so the last pixel of a window is none of these.
    if first >= rect.left, columns.upperBound < rect.right - 1 {
      let start = unsafe UnsafeRawPointer(input.row(first, line))
      for index in 0..<columns.count {
        unsafe sum +=
          weights[index]
          * start.loadUnaligned(fromByteOffset: index * input.bands * 4, as: SIMD4<Float>.self)
      }
    } else {
      for column in columns {
        let weight = unsafe weights[column - first]
        for band in 0..<input.bands { sum[band] += weight * input.clamped(column, line, band) }
      }
    }
    return sum
  }

  private static func inner(
    _ input: FloatWindow, _ column: Int, _ row: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>
  ) -> SIMD4<Float> {
    var sum = SIMD4<Float>()
    for v in 0..<4 {
      let line = unsafe UnsafeRawPointer(input.row(column - 1, row + v - 1))
      var part = SIMD4<Float>()
      for u in 0..<4 {
        unsafe part +=
          across[u]
          * line.loadUnaligned(fromByteOffset: u * input.bands * 4, as: SIMD4<Float>.self)
      }
      sum += down[v] * part
    }
    return sum
  }

  private static func outer(
    _ input: FloatWindow, _ column: Int, _ row: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>
  ) -> SIMD4<Float> {
    var sum = SIMD4<Float>()
    for band in 0..<input.bands {
      for v in 0..<4 {
        for u in 0..<4 {
          sum[band] += down[v] * across[u] * input.clamped(column + u - 1, row + v - 1, band)
        }
      }
    }
    return sum
  }

  /// Those of the four pixels around a position, `t` after the second.
  private static func weights(_ t: Float) -> SIMD4<Float> {
    let t2 = t * t
    let t3 = t2 * t
    return [
      -0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3,
      -0.5 * t2 + 0.5 * t3,
    ]
  }

  private static func kernel(_ x: Float) -> Float {
    let t = abs(x)
    if t < 1 { return 1.5 * t * t * t - 2.5 * t * t + 1 }
    if t < 2 { return -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 }
    return 0
  }
}
