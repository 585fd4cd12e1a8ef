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
    var position = Int64((x * 4_294_967_296).rounded())
    let advance = Int64((step * 4_294_967_296).rounded())
    var column = position >> 32
    var left = line.value(column)
    var right = line.value(column &+ 1)
    for index in values.indices {
      let here = position >> 32
      if here != column {
        left = here == column &+ 1 ? right : line.value(here)
        right = line.value(here &+ 1)
        column = here
      }
      let fraction = Float(UInt32(truncatingIfNeeded: position) >> 8) * (1 / 16_777_216)
      unsafe values[index] += left + (right - left) * Self.smooth(fraction)
      position &+= advance
    }
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
  func value(_ column: Int64) -> Float {
    let place = UInt32(truncatingIfNeeded: column) &* 0x9E37_79B1
    let top = Self.hashed(place ^ above)
    let bottom = Self.hashed(place ^ below)
    return (top + (bottom - top) * down) * strength
  }

  /// From −1 to 1, evenly; lowbias32 by C. Wellons.
  @inline(__always)
  private static func hashed(_ key: UInt32) -> Float {
    var x = key
    x ^= x >> 16
    x = x &* 0x7FEB_352D
    x ^= x >> 15
    x = x &* 0x846C_A68B
    x ^= x >> 16
    return Float(Int32(bitPattern: x)) * (1 / 2_147_483_648)
  }
}
