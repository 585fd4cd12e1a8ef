/// Colours over a cube of colours, interpolated in the tetrahedron of four points around a colour.
///
/// J. M. Kasson, S. I. Nin, W. Plouffe and J. L. Hafner, Performing color space conversions with
/// three-dimensional linear interpolation, 1995. Exact at the points; what lies outside the domain
/// is moved to its edge.
struct TetrahedralTable: Sendable {
  /// Codes take half the memory and hold all that a picture of 8 or 16 bits can say.
  enum Entries: Sendable {
    case floats([SIMD4<Float>])
    /// 0…65535 for 0…1.
    case codes([SIMD4<UInt16>])

    var count: Int {
      switch self {
      case .floats(let entries): entries.count
      case .codes(let entries): entries.count
      }
    }
  }

  /// Points on a side.
  static let sizes = 2...256

  let size: Int
  private let entries: Entries
  private let grid: TableGrid
  /// How far two corners of a tetrahedron lie from its first, two numbers for each order of channels.
  private let corners: [Int]

  /// Entries with red fastest, the fourth lane 0; nil when there are not size³ of them.
  init?(size: Int, domain: TableDomain, entries: Entries) {
    guard Self.sizes.contains(size), entries.count == size * size * size else { return nil }
    self.size = size
    self.entries = entries
    grid = TableGrid(domain, points: size)
    let (red, green, blue) = (1, size, size * size)
    // By the bits red ≥ green, green ≥ blue, blue ≥ red: 0 cannot be, and in 7 all are equal.
    let orders = [
      (red, green), (red, blue), (green, red), (red, green), (blue, green), (blue, red),
      (green, blue), (red, green),
    ]
    corners = orders.flatMap { [$0.0, $0.0 + $0.1] }
  }

  /// Changes the first three lanes of each pixel.
  @inline(never)
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    switch entries {
    case .floats(let entries):
      unsafe lookUp(block, in: entries) {
        $0
      } finish: {
        $0
      }
    case .codes(let entries):
      unsafe lookUp(block, in: entries) {
        SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: $0))
      } finish: {
        $0 * SIMD4(repeating: 1 / 65_535)
      }
    }
  }

  @inline(__always)
  private func lookUp<Entry>(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, in entries: [Entry],
    value: (Entry) -> SIMD4<Float>, finish: (SIMD4<Float>) -> SIMD4<Float>
  ) {
    let grid = grid
    let plane = UInt64(size * size)
    let diagonal = 1 + size + size * size
    let last = block.count - 1
    unsafe entries.withUnsafeBufferPointer { entries in
      unsafe corners.withUnsafeBufferPointer { corners in
        guard let entries = entries.baseAddress, let corners = corners.baseAddress else { return }

        @inline(__always)
        func blend(
          _ place: UInt64, _ order: UInt64, _ weights: SIMD4<Float>, _ pixel: SIMD4<Float>
        ) -> SIMD4<Float> {
          let offset = (place & 0xFFFF) &+ (order & 0xFF) &* plane
          let base = unsafe entries + Int(truncatingIfNeeded: offset)
          let corner = unsafe corners + Int(truncatingIfNeeded: order >> 8 & 7) &* 2
          let near = unsafe value(base[0]) * weights.x + value(base[corner[0]]) * weights.y
          let far = unsafe value(base[corner[1]]) * weights.z + value(base[diagonal]) * weights.w
          let blended = finish(near + far)
          return SIMD4(blended.x, blended.y, blended.z, pixel.w)
        }

        var index = 0
        while index <= last {
          // Four at a time, channel by channel; a short rest is filled up with its last pixel.
          let (i1, i2, i3) = (min(index &+ 1, last), min(index &+ 2, last), min(index &+ 3, last))
          let (a, b, c, d) = unsafe (block[index], block[i1], block[i2], block[i3])
          let cells = grid.cells(of: a, b, c, d)
          let (places, orders, weights) = (cells.places, cells.orders, cells.weights)
          unsafe block[index] = blend(places[0], orders[0], weights.0, a)
          unsafe block[i1] = blend(places[0] >> 32, orders[0] >> 32, weights.1, b)
          unsafe block[i2] = blend(places[1], orders[1], weights.2, c)
          unsafe block[i3] = blend(places[1] >> 32, orders[1] >> 32, weights.3, d)
          index &+= 4
        }
      }
    }
  }
}
