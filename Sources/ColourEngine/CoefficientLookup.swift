import CLanes

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
    let places = isParallel ? places(count, place) : nil
    let entries = places.map { $0.last - $0.first + 1 } ?? count
    let room = entries + CoefficientRow.slack
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * room) { buffer in
      guard let slopes = buffer.baseAddress else { return }
      unsafe buffer.initialize(repeating: 0)
      let offsets = unsafe slopes + room
      if let places {
        unsafe mix(places, into: slopes, offsets)
      } else {
        unsafe lookUp(count, place, into: slopes, offsets)
      }
      unsafe body(
        CoefficientRow(
          slopes: slopes, offsets: offsets, start: Float(places?.start ?? 0),
          step: Float(places?.step ?? 1), limit: Float(entries - 1)))
    }
  }

  /// A run of pixels along a row of the coefficients.
  private struct Places {
    /// Columns that are needed.
    var first: Int
    var last: Int
    /// Rows, and how far it is on the way from one to the other.
    var row: Int
    var next: Int
    var down: Float
    /// Where the first pixel lies after the first column, and the way to the next.
    var start: Double
    var step: Double
  }

  private func places(_ count: Int, _ place: PixelPlace) -> Places {
    let position = toGrid.project(Double(place.column) + 0.5, Double(place.row) + 0.5)
    let step = toGrid.rows.first.x
    let end = position.x + Double(count - 1) * step
    let first = hold(min(position.x, end), analysis.width)
    let row = hold(position.y, analysis.height)
    return Places(
      first: first, last: min(hold(max(position.x, end), analysis.width) + 1, analysis.width - 1),
      row: row, next: min(row + 1, analysis.height - 1),
      down: Float(min(max(position.y - Double(row), 0), 1)), start: position.x - Double(first),
      step: step)
  }

  private func mix(
    _ places: Places, into slopes: UnsafeMutablePointer<Float>,
    _ offsets: UnsafeMutablePointer<Float>
  ) {
    unsafe analysis.coefficients.withUnsafeBufferPointer { all in
      let above = unsafe UnsafeBufferPointer(rebasing: all[(places.row * analysis.width)...])
      let below = unsafe UnsafeBufferPointer(rebasing: all[(places.next * analysis.width)...])
      for index in places.first...places.last {
        let value = unsafe above[index] + (below[index] - above[index]) * places.down
        unsafe slopes[index - places.first] = value.x
        unsafe offsets[index - places.first] = value.y
      }
    }
  }

  /// For turned and projective maps: a pixel after the other.
  private func lookUp(
    _ count: Int, _ place: PixelPlace, into slopes: UnsafeMutablePointer<Float>,
    _ offsets: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      let position = toGrid.project(
        Double(place.column + index) + 0.5, Double(place.row) + 0.5)
      let found = value(position)
      unsafe slopes[index] = found.x
      unsafe offsets[index] = found.y
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

/// Coefficients along a run of pixels, interpolated linearly between entries.
@safe
struct CoefficientRow {
  /// How many more entries can be read than there are.
  static let slack = 16

  private let slopes: UnsafePointer<Float>
  private let offsets: UnsafePointer<Float>
  private let start: Float
  private let step: Float
  private let limit: Float
  /// Whether eight pixels lie between eight entries.
  private let isNear: Bool

  /// `start`: where the first pixel lies, in entries; `step`: from pixel to pixel.
  /// `limit`: the last entry.
  init(
    slopes: UnsafePointer<Float>, offsets: UnsafePointer<Float>, start: Float, step: Float,
    limit: Float
  ) {
    unsafe self.slopes = slopes
    unsafe self.offsets = offsets
    self.start = start
    self.step = step
    self.limit = limit
    isNear = step >= 0 && step <= 0.8
  }

  /// a and b of eight pixels from that one on.
  @inline(__always)
  func eight(from index: Int) -> (slope: SIMD8<Float>, offset: SIMD8<Float>) {
    let positions = ((SIMD8<Float>.counting + Float(index)) * step + start).held(to: limit)
    guard isNear else {
      let entry = lanes_whole(positions)
      let t = positions - lanes_float(entry)
      let slope = unsafe lanes_look_up(slopes, entry)
      let offset = unsafe lanes_look_up(offsets, entry)
      return (
        slope.adding(unsafe lanes_look_up(slopes, entry &+ 1) - slope, times: t),
        offset.adding(unsafe lanes_look_up(offsets, entry &+ 1) - offset, times: t)
      )
    }
    let first = Int(positions[0])
    let near = positions - Float(first)
    let entry = lanes_whole(near)
    let t = near - lanes_float(entry)
    let slopes = unsafe SIMD8(slopes, first)
    let offsets = unsafe SIMD8(offsets, first)
    let slope = lanes_chosen(slopes, entry)
    let offset = lanes_chosen(offsets, entry)
    return (
      slope.adding(lanes_chosen(slopes, entry &+ 1) - slope, times: t),
      offset.adding(lanes_chosen(offsets, entry &+ 1) - offset, times: t)
    )
  }
}
