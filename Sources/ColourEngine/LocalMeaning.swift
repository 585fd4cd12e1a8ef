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
    var result = light + [Float](repeating: 0, count: 8)
    unsafe result.withUnsafeMutableBufferPointer { values in
      guard let row = values.baseAddress else { return }
      for index in stride(from: 0, to: light.count, by: 8) {
        unsafe BinaryLogarithm.log2(SIMD8(row, index) + floor).store(row, index)
      }
    }
    result.removeLast(8)
    return result
  }
}
