/// Moves the bright and the dark end of encoded values: e + ¼ · (whites · p(e) + blacks · p(1 − e)).
///
/// p(t) is 0 below 0, t³ to 1 and its tangent above, so that the curve is smooth and never falls.
struct EndShift: Hashable, Sendable {
  var whites: Double
  var blacks: Double

  func value(_ encoded: Double) -> Double {
    encoded + (whites * Self.weight(encoded) + blacks * Self.weight(1 - encoded)) / 4
  }

  private static func weight(_ t: Double) -> Double {
    if t <= 0 { return 0 }
    return t < 1 ? t * t * t : 3 * t - 2
  }
}
