/// Turns a program into tables and stages for given layouts.
struct PixelLowering {
  private(set) var reader: PixelSource
  private(set) var stages: [PixelStage] = []

  private var bounds: SegmentedCurves.Bounds
  private let precision: PixelPrecision

  init(
    _ program: ColourProgram, from source: PixelLayout, to target: PixelLayout,
    _ precision: PixelPrecision
  ) {
    self.precision = precision
    reader = .samples(source)
    bounds = source.sample == .float32 ? .float : .unit
    var operations = program.operations[...]
    let isPremultiplied = source.hasAlpha && source.alpha == .premultiplied
    let endsPremultiplied = source.hasAlpha && target.hasAlpha && target.alpha == .premultiplied
    // Matrices alone may act on premultiplied colour as it is.
    let staysPremultiplied = program.isLinear && isPremultiplied && endsPremultiplied

    if isPremultiplied, !staysPremultiplied {
      stages.append(.unpremultiply)
    } else if source.sample == .uint8 {
      foldIntoTables(&operations, bands: source.bands)
    }
    for operation in operations { append(operation) }
    if endsPremultiplied, !staysPremultiplied { stages.append(.premultiply) }
  }

  private mutating func foldIntoTables(
    _ operations: inout ArraySlice<ColourProgram.Operation>, bands: Int
  ) {
    var chains: [CurveChain] = []
    var matrix = Matrix3.identity
    if case .curves(let curves) = operations.first {
      chains = curves
      operations.removeFirst()
      bounds = SegmentedCurves.bounds(of: curves, within: bounds)
    }
    if case .matrix(let next) = operations.first {
      matrix = next
      operations.removeFirst()
      bounds = Self.bounds(of: next, within: bounds)
    }
    reader = .tables(ByteTables(bands: bands, curves: chains, matrix: matrix))
  }

  private mutating func append(_ operation: ColourProgram.Operation) {
    switch operation {
    case .matrix(let matrix):
      append(.matrix(FloatMatrix(matrix)))
      bounds = Self.bounds(of: matrix, within: bounds)
    case .curves(let chains):
      for curves in SegmentedCurves.tables(chains, within: bounds, precision) {
        append(.curves(curves))
      }
      bounds = SegmentedCurves.bounds(of: chains, within: bounds)
    case .flatten(let grey):
      stages.append(.flatten(Float(grey)))
      bounds = SegmentedCurves.Bounds(below: bounds.below, above: max(bounds.above, grey))
    case .function(let function):
      if let function = function as? any PlanarFunction {
        append(.function(function))
      } else {
        stages.append(.function(function))
      }
      bounds = function.bounds(within: bounds)
    case .blend(let blend):
      let before = bounds
      let outer = stages
      stages = []
      for operation in blend.operations { append(operation) }
      let inner = BlendStage(opacity: Float(blend.opacity), mask: blend.mask, stages: stages)
      stages = outer + [.blend(inner)]
      bounds = SegmentedCurves.Bounds(
        below: max(bounds.below, before.below), above: max(bounds.above, before.above))
    }
  }

  /// Gathers what acts on planes; a matrix alone needs none.
  private mutating func append(_ step: PlanarRun.Step) {
    switch (stages.last, step) {
    case (.planar(let run), _):
      stages[stages.count - 1] = .planar(PlanarRun(run.steps + [step]))
    case (_, .matrix(let matrix)): stages.append(.matrix(matrix))
    case (.matrix(let before), _):
      stages[stages.count - 1] = .planar(PlanarRun([.matrix(before), step]))
    default: stages.append(.planar(PlanarRun([step])))
    }
  }

  static func bounds(
    of matrix: Matrix3, within bounds: SegmentedCurves.Bounds
  ) -> SegmentedCurves.Bounds {
    var (highest, lowest) = (0.0, 0.0)
    for row in [matrix.rows.first, matrix.rows.second, matrix.rows.third] {
      var above = 0.0
      var below = 0.0
      for weight in [row.x, row.y, row.z] {
        above += max(weight * bounds.above, -weight * bounds.below)
        below += max(weight * bounds.below, -weight * bounds.above)
      }
      highest = max(highest, above)
      lowest = max(lowest, below)
    }
    return SegmentedCurves.Bounds(below: lowest, above: highest)
  }
}
