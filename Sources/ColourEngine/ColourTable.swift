/// A table of colours over colours, as read from a file: curves, a cube, or curves before a cube.
///
/// Values are those of the space that the filter states; the file does not say which.
package final class ColourTable: Sendable {
  /// Values in tables and domains lie within ±65536; light beyond that is in no picture.
  package static let farthest = 65_536.0

  let curves: TableCurves?
  let cube: TetrahedralTable?
  /// Where results can lie.
  let bounds: SegmentedCurves.Bounds

  init(curves: TableCurves?, cube: TetrahedralTable?, bounds: SegmentedCurves.Bounds) {
    self.curves = curves
    self.cube = cube
    self.bounds = bounds
  }

  /// Samples of the curves and points on a side of the cube; 0 where there is none.
  package var sizes: (curves: Int, cube: Int) { (curves?.size ?? 0, cube?.size ?? 0) }

  func apply(to planes: ColourPlanes) {
    if let curves { curves.apply(to: planes) }
    if let cube { cube.apply(to: planes) }
  }
}

/// Looks encoded colours up in a table and mixes what is found with what was there, as encoded.
struct TableLookup: PlanarFunction {
  let table: ColourTable
  /// 0…1.
  let strength: Float

  func apply(to planes: ColourPlanes) {
    if strength == 1 {
      table.apply(to: planes)
    } else {
      planes.mix(strength) { table.apply(to: $0) }
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let (part, rest) = (Double(strength), Double(1 - strength))
    return SegmentedCurves.Bounds(
      below: table.bounds.below * part + bounds.below * rest,
      above: table.bounds.above * part + bounds.above * rest)
  }
}
