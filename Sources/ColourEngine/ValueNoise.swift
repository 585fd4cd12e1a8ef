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

  /// Adds values of points of one row.
  ///
  /// `x`, `y`: the first point, in cells; `step`: from one point to the next.
  func add(
    to values: UnsafeMutableBufferPointer<Float>, layer: UInt32, x: Double, y: Double,
    step: Double, strength: Float
  ) {
    let row = y.rounded(.down)
    let down = Self.smooth(Float(y - row))
    let line = LatticeLine(
      above: Self.key(Int64(row), layer, seed), below: Self.key(Int64(row) + 1, layer, seed),
      down: down, strength: strength)
    // 32 bits of fraction are exact enough, and carry over into the next cell by themselves.
    let position = Int64((x * 4_294_967_296).rounded())
    let advance = Int64((step * 4_294_967_296).rounded())
    if step > 1 {
      unsafe Self.addSparsely(to: values, line, position, advance)
    } else {
      unsafe Self.addDensely(to: values, line, position, advance)
    }
  }

  /// Where most columns of the lattice lie between points: only those next to a point are made.
  private static func addSparsely(
    to values: UnsafeMutableBufferPointer<Float>, _ line: LatticeLine, _ start: Int64,
    _ advance: Int64
  ) {
    var position = start
    for index in values.indices {
      let column = UInt32(truncatingIfNeeded: position >> 32)
      let ends = line.values(column, column &+ 1)
      unsafe values[index] += ends.x + (ends.y - ends.x) * smooth(fraction(position))
      position &+= advance
    }
  }

  /// Where a cell holds several points: each column is made once, four at a time.
  private static func addDensely(
    to values: UnsafeMutableBufferPointer<Float>, _ line: LatticeLine, _ start: Int64,
    _ advance: Int64
  ) {
    let first = start >> 32
    let last = (start &+ advance &* Int64(max(0, values.count - 1))) >> 32
    let columns = Int(last - first) + 2
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: columns / 4 + 1) {
      fours in
      for index in fours.indices {
        let column = UInt32(truncatingIfNeeded: first) &+ UInt32(truncatingIfNeeded: 4 * index)
        unsafe fours[index] = line.values(from: column)
      }
      unsafe fours.withMemoryRebound(to: Float.self) { lattice in
        var position = start
        for index in values.indices {
          let column = Int(position >> 32 - first)
          let left = unsafe lattice[column]
          let right = unsafe lattice[column + 1]
          unsafe values[index] += left + (right - left) * smooth(fraction(position))
          position &+= advance
        }
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
  func values(from column: UInt32) -> SIMD4<Float> {
    mixed(SIMD4(repeating: column) &+ SIMD4(0, 1, 2, 3))
  }

  @inline(__always)
  func values(_ left: UInt32, _ right: UInt32) -> SIMD2<Float> {
    mixed(SIMD4(left, right, left, right)).lowHalf
  }

  @inline(__always)
  private func mixed(_ columns: SIMD4<UInt32>) -> SIMD4<Float> {
    let places = columns &* 0x9E37_79B1
    let top = Self.hashed(places ^ above)
    let bottom = Self.hashed(places ^ below)
    return (top + (bottom - top) * down) * strength
  }

  /// From −1 to 1, evenly; lowbias32 by C. Wellons.
  @inline(__always)
  private static func hashed(_ keys: SIMD4<UInt32>) -> SIMD4<Float> {
    var x = keys
    x ^= x &>> 16
    x = x &* 0x7FEB_352D
    x ^= x &>> 15
    x = x &* 0x846C_A68B
    x ^= x &>> 16
    // As signed numbers over 2³¹: the upper bits become those of a float from 1 to 2.
    let bits = ((x ^ 0x8000_0000) &>> 9) | 0x3F80_0000
    return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self) * 2 - 3
  }
}
