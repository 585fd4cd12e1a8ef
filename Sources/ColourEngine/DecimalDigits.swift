/// A decimal number while its digits come in: 18 or 19 of them count, the others only move the point.
struct DecimalDigits {
  private var mantissa: UInt64 = 0
  var exponent = 0
  /// All digits, also leading zeros.
  private(set) var count = 0

  @inline(__always)
  mutating func append(_ digit: UInt8) {
    count &+= 1
    if mantissa < 1_000_000_000_000_000_000 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
    } else {
      exponent &+= 1
    }
  }

  @inline(__always)
  mutating func appendFraction(_ digit: UInt8) {
    count &+= 1
    if mantissa < 1_000_000_000_000_000_000 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      exponent &-= 1
    }
  }

  /// Exact up to 2⁵³ and exponents of ±22, else right to a few units in the last place; never NaN.
  var value: Double {
    if exponent >= -22 {
      if exponent <= 0 { return Double(mantissa) / Self.powers[-exponent] }
      if exponent <= 22 { return Double(mantissa) * Self.powers[exponent] }
    }
    if mantissa == 0 || exponent < -360 { return 0 }
    if exponent > 308 { return .infinity }
    var value = Double(mantissa)
    var rest = exponent
    while rest < -22 {
      value /= 1e22
      rest += 22
    }
    while rest > 22 {
      value *= 1e22
      rest -= 22
    }
    return rest < 0 ? value / Self.powers[-rest] : value * Self.powers[rest]
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
