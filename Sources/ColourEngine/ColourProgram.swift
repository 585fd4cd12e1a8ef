import RenderModel

/// What happens to the colour of a pixel, folded as far as it goes: matrices and curves by turns.
struct ColourProgram: Sendable {
  enum Operation: Sendable {
    /// One curve for all channels, or three.
    case curves([CurveChain])
    case matrix(Matrix3)
    /// Lays the picture over an even ground of that grey, in linear light.
    case flatten(Double)
    case function(any PixelFunction)
    case blend(MaskedBlend)
  }

  private(set) var operations: [Operation] = []

  private init() {}

  init(
    from source: PixelLayout, steps: [PlacedStep], to target: PixelLayout, matte: Double,
    resources: FilterResources, gamut: GamutMeter? = nil
  ) {
    if let hdr = source.space.hdr {
      operations.append(.function(HDRFunction(hdr, toWorking: source.space.toWorking)))
    } else if source.space.isLab {
      operations.append(.function(LabFunction()))
    } else {
      append(curves: source.space.curves.map { CurveChain([.decode($0)]) })
      append(source.space.toWorking)
    }
    for step in steps {
      guard let operations = FilterMeaning.operations(of: step, resources) else {
        preconditionFailure("\(step.step.name) is no point filter")
      }
      for operation in operations { append(operation) }
    }
    if target.isGrey {
      let luminance = RGBSpace.workingLuminance
      append(Matrix3(luminance, luminance, luminance))
    } else {
      append(target.space.fromWorking)
      if let gamut {
        let probe: any PixelFunction =
          source.hasAlpha ? GamutProbe(meter: gamut) : PlanarGamutProbe(meter: gamut)
        operations.append(.function(probe))
      }
    }
    if source.hasAlpha, !target.hasAlpha { operations.append(.flatten(matte)) }
    append(curves: target.space.curves.map { CurveChain([.encode($0)]) })
  }

  /// Whether colour times a factor gives the result times that factor.
  var isLinear: Bool {
    operations.allSatisfy {
      if case .matrix = $0 { true } else { false }
    }
  }

  /// Folds neighbours where the result is the same.
  private mutating func append(_ operation: Operation) {
    switch operation {
    case .matrix(let matrix): append(matrix)
    case .curves(let chains): append(curves: chains)
    case .flatten: operations.append(operation)
    case .function(let function):
      if case .function(let before) = operations.last, let both = before.followed(by: function) {
        operations.removeLast()
        operations.append(.function(both))
      } else {
        operations.append(operation)
      }
    case .blend(let blend):
      var inner = ColourProgram()
      for operation in blend.operations { inner.append(operation) }
      if inner.operations.isEmpty { return }
      operations.append(
        .blend(
          MaskedBlend(opacity: blend.opacity, mask: blend.mask, operations: inner.operations)))
    }
  }

  private mutating func append(_ matrix: Matrix3) {
    var matrix = matrix
    if case .matrix(let before) = operations.last {
      let product = matrix * before
      // A float must hold it: hundreds of steps of exposure can add up to more.
      if product.isWithin(1e18) {
        operations.removeLast()
        matrix = product
      }
    }
    if matrix.distance(to: .identity) > 1e-9 { operations.append(.matrix(matrix)) }
  }

  private mutating func append(curves added: [CurveChain]) {
    var added = added
    if case .curves(let before) = operations.last {
      operations.removeLast()
      let count = max(before.count, added.count)
      added = (0..<count).map { channel in
        var chain = before[before.count == 1 ? 0 : channel]
        chain.append(added[added.count == 1 ? 0 : channel])
        return chain
      }
    }
    if added.allSatisfy({ $0 == added[0] }) { added = [added[0]] }
    if !added.allSatisfy(\.isIdentity) { operations.append(.curves(added)) }
  }
}
