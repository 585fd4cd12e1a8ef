import Glibc
import RenderModel

extension FilterMeaning {
  /// Filters that make each channel from all three; nil for all others.
  static func mixingOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    switch step.name {
    case "channelMixer":
      guard let matrix = rows(step), let constant = step.triple("constant") else { return nil }
      return linear(matrix, plus: constant)
    case "colourMatrix":
      guard let matrix = rows(step), let bias = step.triple("bias"),
        let encoding = step.text("encoding")
      else { return nil }
      return encoding == "linear" ? linear(matrix, plus: bias) : encoded(matrix, plus: bias)
    case "monochrome":
      guard let red = step.number("red"), let green = step.number("green"),
        let blue = step.number("blue"), let isNormalised = step.number("normalised")
      else { return nil }
      var weights: SIMD3<Double> = [red, green, blue]
      let sum = weights.sum()
      if isNormalised != 0, abs(sum) >= 0.01 { weights /= sum }
      return linear(Matrix3(weights, weights, weights))
    case "sepia":
      guard let amount = step.number("amount") else { return nil }
      return encoded(sepia.mixed(with: .identity, share: amount), plus: .zero)
    default: return nil
    }
  }

  /// sepia(1) of W3C Filter Effects.
  static let sepia = Matrix3(
    [0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131])

  private static func rows(_ step: FilterStep) -> Matrix3? {
    guard let red = step.triple("red"), let green = step.triple("green"),
      let blue = step.triple("blue")
    else { return nil }
    return Matrix3(red, green, blue)
  }

  /// A matrix and a constant on linear RGB with sRGB primaries.
  private static func linear(
    _ matrix: Matrix3, plus constant: SIMD3<Double>
  ) -> [ColourProgram.Operation] {
    let mixed = matrix == .identity ? [] : linear(matrix)
    if constant == .zero { return mixed }
    return mixed + [.function(ChannelOffset(RGBSpace.sRGB.toWorking.apply(constant)))]
  }

  /// The same on encoded RGB.
  static func encoded(
    _ matrix: Matrix3, plus constant: SIMD3<Double>
  ) -> [ColourProgram.Operation] {
    if matrix == .identity {
      return constant == .zero ? [] : encoded(constant.array.map { [.add($0)] })
    }
    var inner: [ColourProgram.Operation] = [.matrix(matrix)]
    if constant != .zero { inner.append(.function(ChannelOffset(constant))) }
    return encoded(inner)
  }

  /// Operations on values encoded by the sRGB curve on sRGB primaries.
  static func encoded(_ inner: [ColourProgram.Operation]) -> [ColourProgram.Operation] {
    if inner.isEmpty { return [] }
    return [.matrix(RGBSpace.sRGB.fromWorking), .curves([CurveChain([.encode(.sRGB)])])] + inner
      + [.curves([CurveChain([.decode(.sRGB)])]), .matrix(RGBSpace.sRGB.toWorking)]
  }
}

extension SIMD3<Double> {
  var array: [Double] { [x, y, z] }
}
