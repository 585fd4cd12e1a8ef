/// Coefficients over the extent of a picture, interpolated bilinearly at the places of its pixels.
struct CoefficientLookup: Sendable {
  private let analysis: LocalAnalysis
  /// From a pixel's position to columns and rows of the coefficients.
  private let toGrid: Matrix3
  /// Whether all pixels of a row lie on a row of the coefficients.
  private let isParallel: Bool

  init(_ analysis: LocalAnalysis, toExtent: Matrix3) {
    self.analysis = analysis
    toGrid =
      .translation(-0.5, -0.5) * .scale(Double(analysis.width), Double(analysis.height))
      * toExtent
    let last = toGrid.rows.third
    isParallel = toGrid.rows.second.x == 0 && last.x == 0 && last.y == 0 && last.z == 1
  }

  /// Calls with the coefficients for a run of pixels of one row.
  @inline(__always)
  func withRow(of count: Int, at place: PixelPlace, _ body: (CoefficientRow) -> Void) {
    if isParallel {
      withParallelRow(of: count, at: place, body)
    } else {
      withSlantedRow(of: count, at: place, body)
    }
  }

  @inline(__always)
  private func withParallelRow(
    of count: Int, at place: PixelPlace, _ body: (CoefficientRow) -> Void
  ) {
    let position = toGrid.project(Double(place.column) + 0.5, Double(place.row) + 0.5)
    let step = toGrid.rows.first.x
    let end = position.x + Double(count - 1) * step
    let first = hold(min(position.x, end), analysis.width)
    let last = hold(max(position.x, end), analysis.width) + 1
    let row = hold(position.y, analysis.height)
    let next = min(row + 1, analysis.height - 1)
    let down = Float(min(max(position.y - Double(row), 0), 1))
    let entries = last - first + 1
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: entries) { buffer in
      unsafe analysis.coefficients.withUnsafeBufferPointer { all in
        let above = unsafe UnsafeBufferPointer(rebasing: all[(row * analysis.width)...])
        let below = unsafe UnsafeBufferPointer(rebasing: all[(next * analysis.width)...])
        var value = unsafe above[first] + (below[first] - above[first]) * down
        for index in 0..<entries {
          let column = min(first + index + 1, analysis.width - 1)
          let following = unsafe above[column] + (below[column] - above[column]) * down
          unsafe buffer.initializeElement(
            at: index, to: SIMD4(lowHalf: value, highHalf: following - value))
          value = following
        }
      }
      guard let start = buffer.baseAddress else { return }
      let limit = analysis.width - 1 - first
      unsafe body(
        CoefficientRow(
          entries: start, start: Float(position.x - Double(first)), step: Float(step),
          limit: Float(min(limit, entries - 1))))
    }
  }

  /// For turned and projective maps: a pixel after the other.
  private func withSlantedRow(
    of count: Int, at place: PixelPlace, _ body: (CoefficientRow) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { buffer in
      for index in 0..<count {
        let position = toGrid.project(
          Double(place.column + index) + 0.5, Double(place.row) + 0.5)
        unsafe buffer.initializeElement(
          at: index, to: SIMD4(lowHalf: value(position), highHalf: SIMD2()))
      }
      guard let start = buffer.baseAddress else { return }
      unsafe body(
        CoefficientRow(entries: start, start: 0.5, step: 1, limit: Float(count) - 0.5))
    }
  }

  private func value(_ position: SIMD2<Double>) -> SIMD2<Float> {
    let (left, top) = (hold(position.x, analysis.width), hold(position.y, analysis.height))
    let right = min(left + 1, analysis.width - 1)
    let bottom = min(top + 1, analysis.height - 1)
    // Written so that what is not finite becomes 0.
    let across = Float(position.x > Double(left) ? min(position.x - Double(left), 1) : 0)
    let down = Float(position.y > Double(top) ? min(position.y - Double(top), 1) : 0)
    func row(_ row: Int) -> SIMD2<Float> {
      let start = analysis.coefficients[row * analysis.width + left]
      return start + (analysis.coefficients[row * analysis.width + right] - start) * across
    }
    return row(top) + (row(bottom) - row(top)) * down
  }

  /// The column or row at or before a position, inside.
  private func hold(_ position: Double, _ count: Int) -> Int {
    position > 0 ? Int(min(position, Double(count - 1))) : 0
  }
}

/// Coefficients along a run of pixels, as straight pieces.
@safe
struct CoefficientRow {
  /// a, b, and how much they grow to the next entry.
  let entries: UnsafePointer<SIMD4<Float>>
  /// Where the first pixel lies, in entries.
  let start: Float
  let step: Float
  /// The end of what may be looked up.
  let limit: Float

  init(entries: UnsafePointer<SIMD4<Float>>, start: Float, step: Float, limit: Float) {
    unsafe self.entries = entries
    self.start = start
    self.step = step
    self.limit = limit
  }

  /// a and b of four pixels from that one on.
  @inline(__always)
  func four(from index: Int) -> (SIMD4<Float>, SIMD4<Float>) {
    let lanes = SIMD4<Float>(0, 1, 2, 3)
    let position = ((lanes + Float(index)) * step + start).held(to: limit)
    // At 2²³ a float's last bits count ones; a middle may be rounded either way, which is the same.
    let shifted = (position - 0.5).notNegative + 8_388_608
    let rest = position - (shifted - 8_388_608)
    let bits = unsafe unsafeBitCast(shifted, to: SIMD4<UInt32>.self) & 0x7F_FFFF
    let pairs = unsafe unsafeBitCast(bits, to: SIMD2<UInt64>.self)
    let a = unsafe entries[Int(truncatingIfNeeded: pairs[0] & 0xFFFF_FFFF)]
    let b = unsafe entries[Int(truncatingIfNeeded: pairs[0] >> 32)]
    let c = unsafe entries[Int(truncatingIfNeeded: pairs[1] & 0xFFFF_FFFF)]
    let d = unsafe entries[Int(truncatingIfNeeded: pairs[1] >> 32)]
    let slope = SIMD4(a.x, b.x, c.x, d.x) + SIMD4(a.z, b.z, c.z, d.z) * rest
    let offset = SIMD4(a.y, b.y, c.y, d.y) + SIMD4(a.w, b.w, c.w, d.w) * rest
    return (slope, offset)
  }
}
