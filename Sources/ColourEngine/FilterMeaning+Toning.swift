import Glibc
import RenderModel

extension FilterMeaning {
  /// Filters that colour shadows, highlights or all tones; nil for all others.
  static func toningOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    switch step.name {
    case "colourGrade": return gradeOperations(step)
    case "splitTone":
      guard let shadows = pure(step, "shadowHue", "shadowSaturation"),
        let highlights = pure(step, "highlightHue", "highlightSaturation"),
        let balance = step.number("balance")
      else { return nil }
      if shadows == .zero, highlights == .zero { return [] }
      return encoded(
        SplitTone(shadows: shadows, highlights: highlights, ratio: pow(4, -balance)))
    case "tint":
      guard let colour = step.triple("colour"), let amount = step.number("amount") else {
        return nil
      }
      return amount == 0 ? [] : encoded(Tinting(colour: colour, amount: amount))
    default: return nil
    }
  }

  /// What a wheel at its rim adds, in encoded values.
  static let wheelScale = 0.25

  private static func gradeOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    guard let slope = step.triple("slope"), let offset = step.triple("offset"),
      let power = step.triple("power"), let saturation = step.number("saturation"),
      let shadows = wheel(step, "shadow"), let midtones = wheel(step, "midtone"),
      let highlights = wheel(step, "highlight")
    else { return nil }
    let hasWheels = [shadows, midtones, highlights].contains { $0 != .zero }
    if slope == [1, 1, 1], offset == .zero, power == [1, 1, 1], saturation == 1, !hasWheels {
      return []
    }
    return encoded(
      Grading(
        Grading.Settings(
          slope: slope, offset: offset, power: power, saturation: saturation, shadows: shadows,
          midtones: midtones, highlights: highlights)))
  }

  private static func wheel(_ step: FilterStep, _ range: String) -> SIMD3<Double>? {
    guard let colour = pure(step, range + "Hue", range + "Amount"),
      let luminance = step.number(range + "Luminance")
    else { return nil }
    return (colour + luminance) * wheelScale
  }

  private static func pure(
    _ step: FilterStep, _ hue: String, _ amount: String
  ) -> SIMD3<Double>? {
    guard let hue = step.number(hue), let amount = step.number(amount) else { return nil }
    return PureHue.withoutLuma(hue) * amount
  }
}
