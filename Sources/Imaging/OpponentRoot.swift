/// Brightness and two colour differences from roots of linear light, where noise of light is even.
///
/// Lanes: brightness, blue less it, red less it, alpha.
enum OpponentRoot {
  /// What is added before the root: near black noise does not fall with light.
  private static var offset: Float { 1 / 1024 }
  private static var rootOfOffset: Float { 1 / 32 }
  private static var weights: SIMD4<Float> {
    SIMD4(0.262_700_21, 0.677_998_07, 0.059_301_72, 0)
  }

  /// From red, green, blue, alpha; not premultiplied.
  @inline(__always)
  static func from(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(pixel, to: SIMD4<UInt32>.self)
    let size = unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: SIMD4<Float>.self)
    let root = (size + offset).squareRoot() - rootOfOffset
    let signed = unsafe unsafeBitCast(
      unsafeBitCast(root, to: SIMD4<UInt32>.self) | (bits & 0x8000_0000), to: SIMD4<Float>.self)
    let weighed = signed * weights
    let halves = weighed.lowHalf + weighed.highHalf
    let brightness = halves.x + halves.y
    return SIMD4(brightness, signed.z - brightness, signed.x - brightness, pixel.w)
  }

  /// To red, green, blue; the fourth lane means nothing.
  @inline(__always)
  static func light(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let root =
      value.x * SIMD4<Float>(1, 1, 1, 0)
      + (value.y * SIMD4<Float>(0, -weights.z / weights.y, 1, 0)
        + value.z * SIMD4<Float>(1, -weights.x / weights.y, 0, 0))
    let bits = unsafe unsafeBitCast(root, to: SIMD4<UInt32>.self)
    let size = unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: SIMD4<Float>.self)
    // (s + √c)² − c
    let light = size * (size + 2 * rootOfOffset)
    return unsafe unsafeBitCast(
      unsafeBitCast(light, to: SIMD4<UInt32>.self) | (bits & 0x8000_0000), to: SIMD4<Float>.self)
  }
}
