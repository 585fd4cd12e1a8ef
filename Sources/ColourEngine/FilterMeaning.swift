import RenderModel

/// What a point filter does, as operations that begin and end in linear working RGB.
enum FilterMeaning {
  /// nil when the step is not a point filter, or lacks a parameter or a file.
  static func operations(
    of placed: PlacedStep, _ resources: FilterResources
  ) -> [ColourProgram.Operation]? {
    guard let whole = unblended(placed, resources) else { return nil }
    let step = placed.step
    if step.mask == nil, step.opacity >= 1 { return whole }
    if step.opacity <= 0 { return [] }
    if step.mask == nil, whole.count == 1, case .matrix(let matrix) = whole[0] {
      return [.matrix(matrix.mixed(with: .identity, share: step.opacity))]
    }
    if step.mask == nil, let folded = folded(whole, share: step.opacity) { return folded }
    var mask: (any MaskFunction)?
    if let wanted = step.mask {
      guard let made = CompiledMask.make(wanted, placed, resources) else { return nil }
      mask = made
    }
    return [.blend(MaskedBlend(opacity: step.opacity, mask: mask, operations: whole))]
  }

  /// Curves between two matrices that undo each other, mixed with what was there before.
  ///
  /// nil for all else, and for curves with corners, which one table could not follow.
  private static func folded(
    _ operations: [ColourProgram.Operation], share: Double
  ) -> [ColourProgram.Operation]? {
    guard operations.count == 3, case .matrix(let there) = operations[0],
      case .curves(let chains) = operations[1], case .matrix(let back) = operations[2],
      (back * there).distance(to: .identity) < 1e-9, !chains.contains(where: \.hasEnds)
    else { return nil }
    let mixed = chains.map { CurveChain($0.isIdentity ? [] : [.mixed($0, share: share)]) }
    return [operations[0], .curves(mixed), operations[2]]
  }

  private static func unblended(
    _ placed: PlacedStep, _ resources: FilterResources
  ) -> [ColourProgram.Operation]? {
    toneOperations(placed.step) ?? colourOperations(placed.step)
      ?? lookOperations(placed.step) ?? tableOperations(placed.step, resources)
      ?? placeOperations(placed) ?? localOperations(placed)
  }

  /// A curve for each channel, on values encoded by the sRGB curve on sRGB primaries.
  static func encoded(_ pieces: [CurveChain.Piece]) -> [ColourProgram.Operation] {
    encoded([pieces, pieces, pieces])
  }

  /// The same with curves of their own for red, green and blue.
  static func encoded(_ channels: [[CurveChain.Piece]]) -> [ColourProgram.Operation] {
    [
      .matrix(RGBSpace.sRGB.fromWorking),
      .curves(channels.map { CurveChain([.encode(.sRGB)] + $0 + [.decode(.sRGB)]) }),
      .matrix(RGBSpace.sRGB.toWorking),
    ]
  }

  /// A function of colours that are encoded by the sRGB curve on sRGB primaries.
  static func encoded(_ function: any PixelFunction) -> [ColourProgram.Operation] {
    [
      .matrix(RGBSpace.sRGB.fromWorking), .curves([CurveChain([.encode(.sRGB)])]),
      .function(function), .curves([CurveChain([.decode(.sRGB)])]),
      .matrix(RGBSpace.sRGB.toWorking),
    ]
  }

  /// A matrix on linear RGB with sRGB primaries.
  static func linear(_ matrix: Matrix3) -> [ColourProgram.Operation] {
    [.matrix(RGBSpace.sRGB.toWorking * matrix * RGBSpace.sRGB.fromWorking)]
  }
}

extension Matrix3 {
  /// `share` of this and the rest of the other.
  func mixed(with other: Matrix3, share: Double) -> Matrix3 {
    func mix(_ one: SIMD3<Double>, _ two: SIMD3<Double>) -> SIMD3<Double> {
      one * share + two * (1 - share)
    }
    return Matrix3(
      mix(rows.first, other.rows.first), mix(rows.second, other.rows.second),
      mix(rows.third, other.rows.third))
  }
}
