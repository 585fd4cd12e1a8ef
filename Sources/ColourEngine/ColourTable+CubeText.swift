extension ColourTable {
  /// Reads the text of a `.cube` file, of Adobe's dialect or of Resolve's.
  package convenience init(cubeText bytes: [UInt8]) throws(CubeTextError) {
    var parser = CubeTextParser(bytes)
    let text = try parser.parse()
    let curves = text.curves.flatMap { TableCurves(domain: $0.domain, samples: $0.rows) }
    let cube = text.cube.flatMap {
      TetrahedralTable(size: $0.size, domain: $0.domain, entries: .floats($0.rows))
    }
    self.init(
      curves: curves, cube: cube, bounds: (text.cube ?? text.curves).map(\.bounds) ?? .unit)
  }
}

/// The tables of a `.cube` file; at least one of them is there.
struct CubeText: Sendable {
  struct Table: Sendable {
    var size: Int
    var domain: TableDomain
    /// In the file's order, red fastest; the fourth lane is 0.
    var rows: [SIMD4<Float>]

    var bounds: SegmentedCurves.Bounds {
      var (low, high) = (SIMD4<Float>(), SIMD4<Float>())
      for row in rows {
        low.replace(with: row, where: row .< low)
        high.replace(with: row, where: row .> high)
      }
      return SegmentedCurves.Bounds(below: -Double(low.min()), above: Double(high.max()))
    }
  }

  var curves: Table?
  var cube: Table?
}
