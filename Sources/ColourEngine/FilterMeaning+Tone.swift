import Glibc
import RenderModel

extension FilterMeaning {
  /// Filters of brightness and contrast; nil for all others.
  static func toneOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    switch step.name {
    case "exposure":
      guard let ev = step.number("ev") else { return nil }
      return [.matrix(Matrix3(diagonal: SIMD3(repeating: exp2(ev))))]
    case "contrast":
      guard let amount = step.number("amount"), let pivot = step.number("pivot") else {
        return nil
      }
      return amount == 1 ? [] : encoded([.contrast(amount: amount, pivot: pivot)])
    case "brightness":
      guard let amount = step.number("amount") else { return nil }
      return amount == 0 ? [] : encoded([.add(amount)])
    case "gamma":
      guard let power = step.number("power") else { return nil }
      return power == 1 ? [] : gamma(power)
    case "levels": return levels(step)
    case "whitesBlacks":
      guard let whites = step.number("whites"), let blacks = step.number("blacks") else {
        return nil
      }
      if whites == 0, blacks == 0 { return [] }
      return encoded([.ends(EndShift(whites: whites, blacks: blacks))])
    case "toneCurve": return toneCurve(step)
    default: return nil
    }
  }

  /// A curve for each channel, on linear values on sRGB primaries.
  private static func gamma(_ power: Double) -> [ColourProgram.Operation] {
    [
      .matrix(RGBSpace.sRGB.fromWorking),
      .curves([CurveChain([.power(exponent: power, toe: exp2(-14))])]),
      .matrix(RGBSpace.sRGB.toWorking),
    ]
  }

  // MARK: - Levels

  private static func levels(_ step: FilterStep) -> [ColourProgram.Operation]? {
    guard let black = step.number("black"), let white = step.number("white"),
      let gamma = step.number("gamma"), let outputBlack = step.number("outputBlack"),
      let outputWhite = step.number("outputWhite")
    else { return nil }
    let isHeld = step.version < 2 || step.number("clamp") == 1
    let all = levels([black, white, gamma, outputBlack, outputWhite], isHeld)
    let channels = ["red", "green", "blue"].map { all + levels(step.numbers($0) ?? [], isHeld) }
    return channels.allSatisfy(\.isEmpty) ? [] : encoded(channels)
  }

  /// Nothing for the values that change nothing.
  private static func levels(_ five: [Double], _ isHeld: Bool) -> [CurveChain.Piece] {
    guard five.count == 5, five != [0, 1, 1, 0, 1] else { return [] }
    let (black, gamma, outputBlack, outputWhite) = (five[0], five[2], five[3], five[4])
    // The decoder sees to a distance; this keeps other callers from dividing by nothing.
    let white = max(five[1], black + 1e-3)
    var pieces: [CurveChain.Piece] = isHeld ? [.hold(black...white)] : []
    pieces += [.add(-black), .contrast(amount: 1 / (white - black), pivot: 0)]
    if gamma != 1 { pieces.append(.power(exponent: 1 / max(gamma, 1e-3), toe: exp2(-12))) }
    return pieces + [.contrast(amount: outputWhite - outputBlack, pivot: 0), .add(outputBlack)]
  }

  // MARK: - Tone curves

  private static func toneCurve(_ step: FilterStep) -> [ColourProgram.Operation]? {
    let names = ["points", "red", "green", "blue", "luminance"]
    guard names.contains(where: { step.points($0) != nil }) else { return nil }
    let all = curve(step, "points").map { [$0] } ?? []
    let channels = names[1...3].map { name in all + (curve(step, name).map { [$0] } ?? []) }
    var operations: [ColourProgram.Operation] = []
    if !channels.allSatisfy(\.isEmpty) {
      operations = encoded(channels.map { $0.map { .tone($0) } })
    }
    if let luminance = curve(step, "luminance") {
      operations.append(.function(LuminanceCurve(luminance)))
    }
    return operations
  }

  /// nil when there are no points, or when they all lie on the straight line from (0, 0) to (1, 1).
  private static func curve(_ step: FilterStep, _ name: String) -> MonotoneCurve? {
    guard let points = step.points(name) else { return nil }
    if points.first?.x == 0, points.last?.x == 1, points.allSatisfy({ $0.x == $0.y }) {
      return nil
    }
    return MonotoneCurve(points, ends: step.version < 2 ? .held : .openCorners)
  }
}
