import Glibc

/// How a channel's encoded values stand for light.
///
/// Values outside 0…1 are carried on: odd-symmetrically below zero, by the formula above one.
package enum TransferCurve: Hashable, Sendable {
  case linear
  /// IEC 61966-2-1.
  case sRGB
  /// light = encoded ^ exponent
  case gamma(Double)
  /// An ICC parametricCurveType: function 0…4 and its parameters in the order g a b c d e f.
  case parametric(type: Int, [Double])
  /// Equally spaced samples of light over encoded 0…1, interpolated linearly, ends held.
  case table([Float])

  /// Encoded value to light.
  package func decode(_ encoded: Double) -> Double {
    switch self {
    case .linear: encoded
    case .sRGB: Self.odd(encoded, Self.decodeSRGB)
    case .gamma(let exponent): Self.odd(encoded) { pow($0, exponent) }
    case .parametric(let type, let parameters):
      ParametricCurve(type: type, parameters).decode(encoded)
    case .table(let samples): SampledCurve.value(encoded, samples)
    }
  }

  /// Light to encoded value; the inverse of `decode`.
  package func encode(_ light: Double) -> Double {
    switch self {
    case .linear: light
    case .sRGB: Self.odd(light, Self.encodeSRGB)
    case .gamma(let exponent): Self.odd(light) { pow($0, 1 / exponent) }
    case .parametric(let type, let parameters):
      ParametricCurve(type: type, parameters).encode(light)
    case .table(let samples): SampledCurve.position(light, samples)
    }
  }

  /// Whether the curve begins with a straight line, so that values near zero need no fine steps.
  var hasLinearToe: Bool {
    switch self {
    case .linear, .sRGB: true
    case .gamma(let exponent): exponent == 1
    case .parametric, .table: false
    }
  }

  private static func odd(_ value: Double, _ function: (Double) -> Double) -> Double {
    value < 0 ? -function(-value) : function(value)
  }

  private static func decodeSRGB(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  private static func encodeSRGB(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}

/// The functions of ICC.1:2022, 10.18, in one form: (a·x + b)^g + e from d on, c·x + f below.
struct ParametricCurve {
  private var g: Double
  private var a = 1.0
  private var b = 0.0
  private var c = 0.0
  private var d = 0.0
  private var e = 0.0
  private var f = 0.0

  /// Missing parameters count as those of the identity.
  init(type: Int, _ parameters: [Double]) {
    func parameter(_ index: Int) -> Double { index < parameters.count ? parameters[index] : 0 }
    g = parameter(0) > 0 ? parameter(0) : 1
    guard type >= 1 else { return }
    a = parameter(1) != 0 ? parameter(1) : 1
    b = parameter(2)
    switch type {
    case 1: d = -b / a
    case 2:
      e = parameter(3)
      d = -b / a
      f = e
    default:
      c = parameter(3)
      d = parameter(4)
      guard type >= 4 else { return }
      e = parameter(5)
      f = parameter(6)
    }
  }

  func decode(_ x: Double) -> Double {
    if x < 0, d <= 0 || f != 0 { return base(0) }
    return x < 0 ? -base(-x) : base(x)
  }

  private func base(_ x: Double) -> Double {
    x >= d ? pow(max(0, a * x + b), g) + e : c * x + f
  }

  func encode(_ y: Double) -> Double {
    if y < 0, d > 0, f == 0 { return -inverse(-y) }
    return inverse(y)
  }

  private func inverse(_ y: Double) -> Double {
    if y < base(max(d, 0)), d > 0 { return c == 0 ? d : min(d, (y - f) / c) }
    return max(max(d, 0), (pow(max(0, y - e), 1 / g) - b) / a)
  }
}

/// Equally spaced samples over 0…1.
enum SampledCurve {
  static func value(_ position: Double, _ samples: [Float]) -> Double {
    guard let last = samples.last, samples.count > 1 else { return position }
    // Written so that NaN takes the first branch.
    guard position > 0 else { return Double(samples[0]) }
    guard position < 1 else { return Double(last) }
    let scaled = position * Double(samples.count - 1)
    let index = min(Int(scaled), samples.count - 2)
    let low = Double(samples[index])
    return low + (Double(samples[index + 1]) - low) * (scaled - Double(index))
  }

  /// Where the samples first reach a value; they are taken as never falling.
  static func position(_ value: Double, _ samples: [Float]) -> Double {
    guard samples.count > 1 else { return value }
    var low = 0
    var high = samples.count - 1
    guard value > Double(samples[0]) else { return 0 }
    guard value < Double(samples[high]) else { return 1 }
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(samples[middle]) < value { low = middle } else { high = middle }
    }
    let (from, to) = (Double(samples[low]), Double(samples[high]))
    let fraction = to > from ? (value - from) / (to - from) : 0
    return (Double(low) + fraction) / Double(samples.count - 1)
  }
}
