/// Arithmetic on four pixels at a time, without calls of the mathematics library.
enum MaskMath {
  /// Narrower slopes count as this.
  static let steepest = 1e-6

  /// 3t² − 2t³ held to 0…1; 0 for what is no number.
  @inline(__always)
  static func smoothstep(_ position: SIMD4<Float>) -> SIMD4<Float> {
    var t = SIMD4<Float>()
    t.replace(with: position, where: position .> 0)
    t.replace(with: 1, where: t .> 1)
    return t * t * (3 - 2 * t)
  }

  /// The cube root with the sign of the value, to a few units in the last place.
  @inline(__always)
  static func cubeRoot(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(value, to: SIMD4<UInt32>.self)
    var size = unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: SIMD4<Float>.self)
    size.replace(with: 1e-24, where: size .< 1e-24)
    // A third of the bits is a third of the exponent, which is near; Halley's steps do the rest.
    var third = unsafe unsafeBitCast(size, to: SIMD4<UInt32>.self)
    third = (third &>> 2) &+ (third &>> 4)
    third = third &+ (third &>> 4)
    third = third &+ (third &>> 8) &+ 0x2A51_19F2
    var root = unsafe unsafeBitCast(third, to: SIMD4<Float>.self)
    for _ in 0..<2 {
      let cube = root * root * root
      root = root * (cube + size + size) / (cube + cube + size)
    }
    let signed = unsafe unsafeBitCast(root, to: SIMD4<UInt32>.self) | (bits & 0x8000_0000)
    return unsafe unsafeBitCast(signed, to: SIMD4<Float>.self)
  }

  /// The sRGB curve with the sign of the value.
  @inline(__always)
  static func encode(_ light: SIMD4<Float>) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(light, to: SIMD4<UInt32>.self)
    let size = unsafe unsafeBitCast(bits & 0x7FFF_FFFF, to: SIMD4<Float>.self)
    // x^(1/2.4) = x^(5/12) = q · ∛q² with q = x^(1/4)
    let quarter = size.squareRoot().squareRoot()
    let root = cubeRoot(quarter)
    var encoded = 1.055 * (quarter * root * root) - 0.055
    encoded.replace(with: 12.92 * size, where: size .<= 0.0031308)
    let signed = unsafe unsafeBitCast(encoded, to: SIMD4<UInt32>.self) | (bits & 0x8000_0000)
    return unsafe unsafeBitCast(signed, to: SIMD4<Float>.self)
  }

  /// Writes the weights of four pixels at a time; the last may be fewer.
  @inline(__always)
  static func fill(
    _ weights: UnsafeMutableBufferPointer<Float>, _ value: (Int) -> SIMD4<Float>
  ) {
    guard let base = weights.baseAddress else { return }
    let count = weights.count
    let raw = UnsafeMutableRawPointer(base)
    var index = 0
    while index + 4 <= count {
      unsafe raw.storeBytes(of: value(index), toByteOffset: index * 4, as: SIMD4<Float>.self)
      index += 4
    }
    guard index < count else { return }
    let last = value(index)
    for lane in 0..<(count - index) { unsafe base[index + lane] = last[lane] }
  }

  /// Red, green and blue of four neighbours; beyond the end the last one counts again.
  @inline(__always)
  static func channels(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, _ index: Int
  ) -> (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
    let last = block.count - 1
    let one = unsafe block[index]
    let two = unsafe block[min(index + 1, last)]
    let three = unsafe block[min(index + 2, last)]
    let four = unsafe block[min(index + 3, last)]
    return (
      SIMD4(one.x, two.x, three.x, four.x), SIMD4(one.y, two.y, three.y, four.y),
      SIMD4(one.z, two.z, three.z, four.z)
    )
  }
}
