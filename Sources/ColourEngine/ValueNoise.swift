import CLanes

/// Random values on a square lattice, smoothly interpolated between.
struct ValueNoise: Sendable {
  private let seed: UInt32

  init(seed: UInt32) { self.seed = seed }

  /// What a point's value is multiplied by so that the average over pixels of that area has variance 1
  /// at most.
  ///
  /// `area`: of a pixel, in cells. An even value in −1…1 has variance ⅓; a point between has
  /// (26/35)² of that, and the average of many cells the share 1/area.
  static func deviation(covering area: Double) -> Double {
    let point = (26.0 / 35) * (26.0 / 35)
    return (3 / point).squareRoot() / (1 + point * area).squareRoot()
  }

  /// Adds values of points of one row; up to seven values beyond the count may be touched.
  ///
  /// `x`, `y`: the first point, in cells; `step`: from one point to the next.
  func add(
    to values: UnsafeMutablePointer<Float>, count: Int, layer: UInt32, x: Double, y: Double,
    step: Double, strength: Float
  ) {
    let row = y.rounded(.down)
    let line = LatticeLine(
      above: Self.key(Int64(row), layer, seed), below: Self.key(Int64(row) + 1, layer, seed),
      down: Self.smooth(Float(y - row)), strength: strength)
    // 32 bits of fraction are exact enough, and carry over into the next cell by themselves.
    let position = Int64((x * 4_294_967_296).rounded())
    let advance = Int64((step * 4_294_967_296).rounded())
    if (0...1).contains(step) {
      unsafe Self.addDensely(to: values, count, line, position, advance)
    } else {
      unsafe Self.addSparsely(to: values, count, line, position, advance)
    }
  }

  /// Where most columns of the lattice lie between points: only those next to a point are made.
  private static func addSparsely(
    to values: UnsafeMutablePointer<Float>, _ count: Int, _ line: LatticeLine, _ start: Int64,
    _ advance: Int64
  ) {
    var position = start
    for index in 0..<count {
      let column = UInt32(truncatingIfNeeded: position >> 32)
      let ends = line.values(from: column)
      unsafe values[index] += ends[0] + (ends[1] - ends[0]) * smooth(fraction(position))
      position &+= advance
    }
  }

  /// Where a cell holds several points: each column is made once, eight at a time.
  private static func addDensely(
    to values: UnsafeMutablePointer<Float>, _ count: Int, _ line: LatticeLine, _ start: Int64,
    _ advance: Int64
  ) {
    let first = start >> 32
    let last = (start &+ advance &* Int64(max(0, count - 1))) >> 32
    // Eight points may lie nine columns apart, and the last ones beyond the end.
    let columns = Int(last - first) + 2 + 8
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: columns + 16) { lattice in
      guard let lattice = lattice.baseAddress else { return }
      for index in stride(from: 0, to: columns, by: 8) {
        let column = UInt32(truncatingIfNeeded: first) &+ UInt32(truncatingIfNeeded: index)
        unsafe line.values(from: column).store(lattice, index)
      }
      let step = Float(advance) * (1 / 4_294_967_296)
      // From one place a column and its neighbour are at most eight columns away.
      let isNear = step <= 0.8
      var position = start
      for index in stride(from: 0, to: count, by: 8) {
        let place = unsafe lattice + Int(position >> 32 - first)
        let points = SIMD8<Float>.counting * step + fraction(position)
        let column = lanes_whole(points)
        let t = points - lanes_float(column)
        let left: SIMD8<Float>
        let right: SIMD8<Float>
        if isNear {
          let near = unsafe SIMD8(place, 0)
          (left, right) = (lanes_chosen(near, column), lanes_chosen(near, column &+ 1))
        } else {
          left = unsafe lanes_look_up(place, column)
          right = unsafe lanes_look_up(place, column &+ 1)
        }
        let value = left.adding(right - left, times: t * t * (3 - 2 * t))
        unsafe (SIMD8(values, index) + value).store(values, index)
        position &+= 8 &* advance
      }
    }
  }

  @inline(__always)
  private static func fraction(_ position: Int64) -> Float {
    Float(Int32(truncatingIfNeeded: (position & 0xFFFF_FFFF) >> 8)) * (1 / 16_777_216)
  }

  @inline(__always)
  private static func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

  private static func key(_ row: Int64, _ layer: UInt32, _ seed: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: row) &* 0x85EB_CA77
      ^ (seed &+ layer &* 0x9E37_79B9) &* 0xC2B2_AE3D
  }
}

/// Two rows of the lattice, mixed for one row of points.
private struct LatticeLine {
  var above: UInt32
  var below: UInt32
  var down: Float
  var strength: Float

  @inline(__always)
  func values(from column: UInt32) -> SIMD8<Float> {
    let counting = unsafe unsafeBitCast(lanes_whole(.counting), to: SIMD8<UInt32>.self)
    let places = (counting &+ column) &* 0x9E37_79B1
    let top = Self.hashed(places ^ above)
    let bottom = Self.hashed(places ^ below)
    return top.adding(bottom - top, times: SIMD8(repeating: down)) * strength
  }

  /// From −1 to 1, evenly; lowbias32 by C. Wellons.
  @inline(__always)
  private static func hashed(_ keys: SIMD8<UInt32>) -> SIMD8<Float> {
    var x = keys
    x ^= x &>> 16
    x = x &* 0x7FEB_352D
    x ^= x &>> 15
    x = x &* 0x846C_A68B
    x ^= x &>> 16
    // As signed numbers over 2³¹: the upper bits become those of a float from 1 to 2.
    let bits = ((x ^ 0x8000_0000) &>> 9) | 0x3F80_0000
    return unsafe unsafeBitCast(bits, to: SIMD8<Float>.self) * 2 - 3
  }
}
