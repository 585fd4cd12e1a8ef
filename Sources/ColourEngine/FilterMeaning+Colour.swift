import RenderModel

extension FilterMeaning {
  /// Filters of hue and saturation; nil for all others.
  static func colourOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    switch step.name {
    case "saturation":
      guard let amount = step.number("amount") else { return nil }
      return linear(saturation(amount))
    case "temperatureTint":
      guard let temperature = step.number("temperature"), let tint = step.number("tint") else {
        return nil
      }
      return [.matrix(TemperatureTint.matrix(temperature: temperature, tint: tint))]
    default: return nil
    }
  }

  /// c′ = Y + amount · (c − Y) with Y of linear sRGB (0.2126, 0.7152, 0.0722).
  static func saturation(_ amount: Double) -> Matrix3 {
    let rest = luminance * (1 - amount)
    return Matrix3(rest + [amount, 0, 0], rest + [0, amount, 0], rest + [0, 0, amount])
  }

  /// The weights of ITU-R BT.709.
  static let luminance: SIMD3<Double> = [0.2126, 0.7152, 0.0722]
}
