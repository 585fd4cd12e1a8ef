/// Square roots of four numbers at a time; the standard library takes them one by one.
enum FastRoot {
  /// Of numbers that are not negative; relative error below 3e-7.
  @inline(__always)
  static func of(_ value: SIMD4<Float>) -> SIMD4<Float> {
    // One over the root: a guess from the bits, and Newton's steps.
    let half = value * 0.5
    let bits = unsafe 0x5F37_59DF &- (unsafeBitCast(value, to: SIMD4<Int32>.self) &>> 1)
    var inverse = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    inverse *= 1.5 - half * inverse * inverse
    inverse *= 1.5 - half * inverse * inverse
    inverse *= 1.5 - half * inverse * inverse
    return value * inverse
  }
}
