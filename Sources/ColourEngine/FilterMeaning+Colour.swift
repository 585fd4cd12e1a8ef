import Glibc
import RenderModel

extension FilterMeaning {
  /// Filters of hue and saturation; nil for all others.
  static func colourOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    switch step.name {
    case "saturation":
      guard let amount = step.number("amount") else { return nil }
      return amount == 1 ? [] : linear(saturation(amount))
    case "temperatureTint":
      guard let temperature = step.number("temperature"), let tint = step.number("tint") else {
        return nil
      }
      if temperature == 6500, tint == 0 { return [] }
      return [.matrix(TemperatureTint.matrix(temperature: temperature, tint: tint))]
    case "vibrance":
      guard let amount = step.number("amount") else { return nil }
      return amount == 0 ? [] : OklabFunction.operations(Vibrance(amount: amount))
    case "hue":
      guard let degrees = step.number("degrees") else { return nil }
      let isWhole = degrees.truncatingRemainder(dividingBy: 360) == 0
      return isWhole ? [] : linear(hueRotation(degrees))
    case "hsl":
      let shifts = HueBands.names.compactMap { step.triple($0) }
      guard shifts.count == HueBands.names.count else { return nil }
      if shifts.allSatisfy({ $0 == .zero }) { return [] }
      return OklabFunction.operations(HueBands(shifts: shifts))
    default:
      return mixingOperations(step) ?? toningOperations(step) ?? channelOperations(step)
    }
  }

  /// c′ = Y + amount · (c − Y) with Y of linear sRGB (0.2126, 0.7152, 0.0722).
  static func saturation(_ amount: Double) -> Matrix3 {
    let rest = luminance * (1 - amount)
    return Matrix3(rest + [amount, 0, 0], rest + [0, amount, 0], rest + [0, 0, amount])
  }

  /// The weights of ITU-R BT.709.
  static let luminance: SIMD3<Double> = [0.2126, 0.7152, 0.0722]

  /// hue-rotate of W3C Filter Effects.
  static func hueRotation(_ degrees: Double) -> Matrix3 {
    let angle = degrees * .pi / 180
    let (c, s) = (cos(angle), sin(angle))
    return Matrix3(
      [
        0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928,
      ],
      [
        0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283,
      ],
      [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072])
  }
}

extension FilterStep {
  /// An array of three numbers.
  func triple(_ name: String) -> SIMD3<Double>? {
    guard let numbers = numbers(name), numbers.count == 3 else { return nil }
    return [numbers[0], numbers[1], numbers[2]]
  }
}
