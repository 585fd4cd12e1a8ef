/// The values that a table is for, channel by channel.
struct TableDomain: Hashable, Sendable {
  let lowest: SIMD3<Float>
  let highest: SIMD3<Float>

  static let unit = TableDomain(SIMD3(repeating: 0), SIMD3(repeating: 1))

  /// `highest` must lie above `lowest` in every channel.
  init(_ lowest: SIMD3<Float>, _ highest: SIMD3<Float>) {
    self.lowest = lowest
    self.highest = highest
  }

  /// Steps from point to point in a unit of the value.
  func scale(points: Int) -> SIMD3<Float> {
    SIMD3(repeating: Float(points - 1)) / (highest - lowest)
  }
}

/// Where colours lie among the points of a cube.
struct TableGrid: Sendable {
  private let red: Axis
  private let green: Axis
  private let blue: Axis
  private let size: Float

  /// One channel, four pixels at a time.
  private struct Axis: Sendable {
    let lowest: SIMD4<Float>
    let highest: SIMD4<Float>
    let scale: SIMD4<Float>
    /// The first point of the last cell.
    let lastCell: SIMD4<Float>

    /// The whole part of the position among the points, in the low bits, and the fraction, 0…1.
    ///
    /// At a point itself either cell may be meant.
    @inline(__always)
    func split(_ value: SIMD4<Float>) -> (whole: SIMD4<Float>, fraction: SIMD4<Float>) {
      let held = lesser(greater(value, lowest), highest)
      let position = (held - lowest) * scale
      let whole = lesser(position - 0.5, lastCell) + Rounding.anchor
      return (whole, position - (whole - Rounding.anchor))
    }
  }

  /// Four pixels; two numbers of 32 bits lie in each of 64.
  struct Cells {
    /// In the lowest 16 bits the first point's place in its plane.
    var places: SIMD2<UInt64>
    /// In the lowest 8 bits the plane, in the next 3 how the fractions compare.
    var orders: SIMD2<UInt64>
    /// Of the first point, the two between, and the one across.
    var weights: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  }

  init(_ domain: TableDomain, points: Int) {
    let scale = domain.scale(points: points)
    func axis(_ channel: Int) -> Axis {
      Axis(
        lowest: SIMD4(repeating: domain.lowest[channel]),
        highest: SIMD4(repeating: domain.highest[channel]),
        scale: SIMD4(repeating: scale[channel]), lastCell: SIMD4(repeating: Float(points - 2)))
    }
    (red, green, blue) = (axis(0), axis(1), axis(2))
    size = Float(points)
  }

  @inline(__always)
  func cells(
    of a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> Cells {
    let (r, fr) = red.split(SIMD4(a.x, b.x, c.x, d.x))
    let (g, fg) = green.split(SIMD4(a.y, b.y, c.y, d.y))
    let (plane, fb) = blue.split(SIMD4(a.z, b.z, c.z, d.z))
    let place = (r - Rounding.anchor) + (g - Rounding.anchor) * size + Rounding.anchor
    let first = unsafe unsafeBitCast(fr .>= fg, to: SIMD4<Int32>.self) & 0x100
    let second = unsafe unsafeBitCast(fg .>= fb, to: SIMD4<Int32>.self) & 0x200
    let third = unsafe unsafeBitCast(fb .>= fr, to: SIMD4<Int32>.self) & 0x400
    let order = unsafe (unsafeBitCast(plane, to: SIMD4<Int32>.self) & 0xFF) | first | second | third

    let (larger, smaller) = (greater(fr, fg), lesser(fr, fg))
    let (high, low) = (greater(larger, fb), lesser(smaller, fb))
    let middle = greater(smaller, lesser(larger, fb))
    let (w0, w1, w2) = (1 - high, high - middle, middle - low)
    return unsafe Cells(
      places: unsafeBitCast(place, to: SIMD2<UInt64>.self),
      orders: unsafeBitCast(order, to: SIMD2<UInt64>.self),
      weights: (
        SIMD4(w0.x, w1.x, w2.x, low.x), SIMD4(w0.y, w1.y, w2.y, low.y),
        SIMD4(w0.z, w1.z, w2.z, low.z), SIMD4(w0.w, w1.w, w2.w, low.w)
      ))
  }
}

/// Rounding to whole numbers by adding a number whose neighbours are one apart.
enum Rounding {
  /// 1.5 · 2²³: the whole number is in the low bits of the sum.
  @inline(__always)
  static var anchor: SIMD4<Float> { SIMD4(repeating: 12_582_912) }
}

// Lane by lane as written here they become one instruction each, which a mask does not.

/// The second where the first is not a number.
@inline(__always)
func greater(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
  SIMD4(
    a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, a.w > b.w ? a.w : b.w)
}

/// The second where the first is not a number.
@inline(__always)
func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
  SIMD4(
    a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, a.w < b.w ? a.w : b.w)
}
