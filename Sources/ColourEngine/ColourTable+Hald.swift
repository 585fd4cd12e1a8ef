/// A cube laid out as a square picture: level L has L² points on a side and is L³ pixels wide.
package enum HaldPicture {
  package static let levels = 2...16

  /// nil when the side is that of no level.
  package static func level(side: Int) -> Int? {
    levels.first { $0 * $0 * $0 == side }
  }

  /// Points on a side of the cube.
  package static func size(level: Int) -> Int { level * level }
}

extension ColourTable {
  /// The pixels of a HaldCLUT row by row as codes 0…65535 of its samples; their fourth lane must be 0.
  ///
  /// nil when there are not as many as the level has.
  package convenience init?(haldLevel level: Int, codes: [SIMD4<UInt16>]) {
    guard HaldPicture.levels.contains(level),
      let cube = TetrahedralTable(
        size: HaldPicture.size(level: level), domain: .unit, entries: .codes(codes))
    else { return nil }
    self.init(curves: nil, cube: cube, bounds: .unit)
  }
}
