/// Four pixels, channel by channel.
struct FourPixels {
  var red: SIMD4<Float>
  var green: SIMD4<Float>
  var blue: SIMD4<Float>

  @inline(__always)
  private init(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>) {
    red = SIMD4(a.x, b.x, c.x, d.x)
    green = SIMD4(a.y, b.y, c.y, d.y)
    blue = SIMD4(a.z, b.z, c.z, d.z)
  }

  @inline(__always)
  init(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at index: Int) {
    unsafe self.init(block[index], block[index + 1], block[index + 2], block[index + 3])
  }

  @inline(__always)
  func luminance(_ weights: SIMD3<Float>) -> SIMD4<Float> {
    red * weights.x + green * weights.y + blue * weights.z
  }

  /// The last ones of a block; the last is repeated.
  init(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>, from index: Int) {
    let last = block.count - 1
    unsafe self.init(
      block[index], block[min(index + 1, last)], block[min(index + 2, last)],
      block[min(index + 3, last)])
  }
}
