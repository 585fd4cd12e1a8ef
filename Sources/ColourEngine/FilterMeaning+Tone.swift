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
      return encoded([.contrast(amount: amount, pivot: pivot)])
    case "brightness":
      guard let amount = step.number("amount") else { return nil }
      return encoded([.add(amount)])
    case "toneCurve":
      guard let points = step.points("points") else { return nil }
      return encoded([.tone(MonotoneCurve(x: points.map(\.x), y: points.map(\.y)))])
    default: return nil
    }
  }
}
