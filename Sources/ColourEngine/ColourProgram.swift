import RenderModel

/// What happens to the colour of a pixel, folded as far as it goes: matrices and curves by turns.
struct ColourProgram: Sendable {
  enum Operation: Hashable, Sendable {
    /// One curve for all channels, or three.
    case curves([CurveChain])
    case matrix(Matrix3)
    /// Lays the picture over an even ground of that grey, in linear light.
    case flatten(Double)
  }

  private(set) var operations: [Operation] = []

  init(from source: PixelLayout, steps: [FilterStep], to target: PixelLayout, matte: Double) {
    append(curves: source.space.curves.map { CurveChain([.decode($0)]) })
    append(source.space.toWorking)
    for step in steps { append(step) }
    if target.isGrey {
      let luminance = RGBSpace.workingLuminance
      append(Matrix3(luminance, luminance, luminance))
    } else {
      append(target.space.fromWorking)
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

  private mutating func append(_ step: FilterStep) {
    switch PointFilter(step) {
    case .linear(let matrix): append(matrix)
    case .encoded(let piece):
      append(RGBSpace.sRGB.fromWorking)
      append(curves: [CurveChain([.encode(.sRGB), piece, .decode(.sRGB)])])
      append(RGBSpace.sRGB.toWorking)
    case nil:
      preconditionFailure("\(step.name) is no point filter")
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

/// The meaning of a point filter's step.
enum PointFilter {
  /// On linear working RGB.
  case linear(Matrix3)
  /// On each channel, encoded by the sRGB curve on sRGB primaries.
  case encoded(CurveChain.Piece)

  /// nil when the step is not a point filter, or lacks a parameter.
  init?(_ step: FilterStep) {
    switch step.name {
    case "exposure":
      guard let ev = step.number("ev") else { return nil }
      self = .linear(Self.exposure(ev))
    case "saturation":
      guard let amount = step.number("amount") else { return nil }
      self = .linear(Self.saturation(amount))
    case "temperatureTint":
      guard let temperature = step.number("temperature"), let tint = step.number("tint") else {
        return nil
      }
      self = .linear(TemperatureTint.matrix(temperature: temperature, tint: tint))
    case "contrast":
      guard let amount = step.number("amount"), let pivot = step.number("pivot") else {
        return nil
      }
      self = .encoded(.contrast(amount: amount, pivot: pivot))
    case "brightness":
      guard let amount = step.number("amount") else { return nil }
      self = .encoded(.add(amount))
    case "toneCurve":
      guard let points = step.points("points") else { return nil }
      self = .encoded(.tone(MonotoneCurve(x: points.map(\.x), y: points.map(\.y))))
    default: return nil
    }
  }
}
