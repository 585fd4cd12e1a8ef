/// Powers of eight numbers at a time, from polynomials; relative error below 2e-6 for moderate exponents.
enum FastPower {
  /// `base` to the exponent; bases below 1e-12 count as that, and bases above 1e12 as that.
  @inline(__always)
  static func power(_ base: SIMD8<Float>, _ exponent: Float) -> SIMD8<Float> {
    var bounded = base
    bounded.replace(with: 1e-12, where: .!(base .> 1e-12))
    bounded.replace(with: 1e12, where: base .> 1e12)
    let power = BinaryLogarithm.log2(bounded) * exponent
    return BinaryLogarithm.exp2(
      power.replacing(with: -120, where: power .< -120).replacing(with: 120, where: power .> 120))
  }
}
