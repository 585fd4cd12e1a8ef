import Glibc

/// A signal of ITU-R BT.2100 and how it is brought into the range of a display of today.
///
/// Light is counted in cd/m². The diffuse white of BT.2408, 203 cd/m², is the range's upper end, and
/// what is brighter is rolled off towards it by the EETF of Report ITU-R BT.2390.
package struct HDRSignal: Hashable, Sendable {
  package enum Transfer: Hashable, Sendable { case pq, hlg }

  package var transfer: Transfer
  /// What becomes white; brighter values are clipped to it.
  package var peak: Double

  package static let white = 203.0
  /// Of masters that do not say, and the nominal display of HLG.
  package static let usualPeak = 1000.0

  package init(transfer: Transfer, peak: Double? = nil) {
    self.transfer = transfer
    let wanted = transfer == .hlg ? nil : peak
    self.peak = min(max(wanted ?? Self.usualPeak, Self.white), PerceptualQuantizer.brightest)
  }

  /// The light that is shown for some light of the source.
  package func rolledOff(_ light: Double) -> Double {
    let top = PerceptualQuantizer.encode(peak)
    let limit = PerceptualQuantizer.encode(Self.white) / top
    let code = min(PerceptualQuantizer.encode(light) / top, 1)
    let knee = 1.5 * limit - 0.5
    guard code > knee, knee < 1 else { return PerceptualQuantizer.decode(min(code, limit) * top) }
    let t = (code - knee) / (1 - knee)
    let (square, cube) = (t * t, t * t * t)
    let result =
      (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
      + (3 * square - 2 * cube) * limit
    return PerceptualQuantizer.decode(result * top)
  }
}

/// SMPTE ST 2084, between cd/m² and values 0…1.
package enum PerceptualQuantizer {
  package static let brightest = 10_000.0
  static let m1 = 2610.0 / 16_384
  static let m2 = 2523.0 / 32
  static let c1 = 3424.0 / 4096
  static let c2 = 2413.0 / 128
  static let c3 = 2392.0 / 128

  package static func decode(_ code: Double) -> Double {
    let power = pow(max(code, 0), 1 / m2)
    return brightest * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  package static func encode(_ light: Double) -> Double {
    let power = pow(max(light, 0) / brightest, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

/// The curve of hybrid log-gamma (ITU-R BT.2100, table 5).
enum HybridLogGamma {
  static let a = 0.178_832_77
  static let b = 1 - 4 * a
  static let c = 0.5 - a * log(4 * a)
  /// Of a display of 1000 cd/m².
  static let systemGamma = 1.2
}
