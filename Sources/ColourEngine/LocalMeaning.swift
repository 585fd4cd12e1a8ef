import RenderModel

/// A local filter by its parameters, and the constants of all of them.
enum LocalMeaning: Hashable, Sendable {
  case highlightsShadows(highlights: Double, shadows: Double)
  /// `radius`: a fraction of the short side.
  case localContrast(amount: Double, radius: Double)
  case dehaze(amount: Double)

  /// Stops at an amount of 1.
  static let highlightStops = 1.5
  static let shadowStops = 2.0
  static let detailShare = 0.75
  /// How much of the haze goes, and how thick the haze is that is added.
  static let hazeShare = 0.8
  static let addedHaze = 0.5

  /// Half sides of squares as fractions of the short side.
  static let toneRadius = 0.025
  static let patchRadius = 0.0175
  static let hazeRadius = 0.06
  /// In stops².
  static let toneEpsilon = 0.25
  /// In squares of the root of light.
  static let hazeEpsilon = 0.001
  /// Light that is added before the logarithm is taken: black lies 10 stops below 1.
  static let floor: Float = 1 / 1024

  /// nil when the step is no local filter, or lacks a parameter.
  init?(_ step: FilterStep) {
    switch step.name {
    case "highlightsShadows":
      guard let highlights = step.number("highlights"), let shadows = step.number("shadows")
      else { return nil }
      self = .highlightsShadows(highlights: highlights, shadows: shadows)
    case "localContrast":
      guard let amount = step.number("amount"), let radius = step.number("radius"),
        radius.isFinite
      else { return nil }
      self = .localContrast(amount: amount, radius: radius)
    case "dehaze":
      guard let amount = step.number("amount") else { return nil }
      self = .dehaze(amount: amount)
    default: return nil
    }
  }

  var isIdentity: Bool {
    switch self {
    case .highlightsShadows(let highlights, let shadows): highlights == 0 && shadows == 0
    case .localContrast(let amount, _), .dehaze(let amount): amount == 0
    }
  }

  static func stops(of light: [Float]) -> [Float] {
    var result = light
    for start in stride(from: 0, to: light.count, by: 4) {
      var four = SIMD4<Float>(repeating: 0)
      let count = min(4, light.count - start)
      for lane in 0..<count { four[lane] = light[start + lane] }
      let stops = BinaryLogarithm.log2(four + floor)
      for lane in 0..<count { result[start + lane] = stops[lane] }
    }
    return result
  }
}
