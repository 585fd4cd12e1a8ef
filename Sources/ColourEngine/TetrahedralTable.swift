internal import CPixelKernels

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
  private let domain: TableDomain

  /// Entries with red fastest, the fourth lane 0; nil when there are not size³ of them.
  init?(size: Int, domain: TableDomain, entries: Entries) {
    guard Self.sizes.contains(size), entries.count == size * size * size else { return nil }
    self.size = size
    self.entries = entries
    self.domain = domain
  }

  func apply(to planes: ColourPlanes) {
    let scale = domain.scale(points: size)
    let (low, high) = (domain.lowest, domain.highest)
    var cube = MinilabCube(
      lowest: (low.x, low.y, low.z), highest: (high.x, high.y, high.z),
      scale: (scale.x, scale.y, scale.z), size: Int32(size))
    switch entries {
    case .floats(let entries):
      unsafe entries.withUnsafeBufferPointer { entries in
        unsafe entries.withMemoryRebound(to: Float.self) { entries in
          guard let entries = entries.baseAddress else { return }
          unsafe minilab_planes_look_up_floats(planes.start, planes.groups, entries, &cube)
        }
      }
    case .codes(let entries):
      unsafe entries.withUnsafeBufferPointer { entries in
        unsafe entries.withMemoryRebound(to: UInt16.self) { entries in
          guard let entries = entries.baseAddress else { return }
          unsafe minilab_planes_look_up_codes(planes.start, planes.groups, entries, &cube)
        }
      }
    }
  }
}
