/// The dark channel of He, Sun and Tang: where no channel is dark nearby, there is haze.
///
/// Pixels without alpha are as if they were not there.
struct DarkChannel {
  /// Half side of the square patch, in pixels.
  let reach: Int

  /// The least value within the patch about each pixel; infinite where nothing is there.
  func minimum(_ values: [Float], width: Int, height: Int) -> [Float] {
    let stride = width + 2 * reach
    var padded = [Float](repeating: .infinity, count: stride * (height + 2 * reach))
    for y in 0..<height {
      for x in 0..<width { padded[(y + reach) * stride + x + reach] = values[y * width + x] }
    }
    slide(&padded, step: 1)
    slide(&padded, step: stride)
    var result = values
    for y in 0..<height {
      for x in 0..<width { result[y * width + x] = padded[y * stride + x] }
    }
    return result
  }

  /// Each value becomes the least of itself and those that follow within the patch.
  ///
  /// Windows are doubled until two of them cover the patch.
  private func slide(_ values: inout [Float], step: Int) {
    let length = 2 * reach + 1
    var span = 1
    while 2 * span <= length {
      lower(&values, by: span * step)
      span *= 2
    }
    if span < length { lower(&values, by: (length - span) * step) }
  }

  private func lower(_ values: inout [Float], by offset: Int) {
    unsafe values.withUnsafeMutableBufferPointer { values in
      for index in 0..<max(0, values.count - offset) {
        let (own, other) = unsafe (values[index], values[index + offset])
        unsafe values[index] = other < own ? other : own
      }
    }
  }

  /// The least of three channels divided by the light of the air, from 0 to 1; infinite without alpha.
  func darkness(of picture: ReducedPicture, airLight: SIMD3<Float> = [1, 1, 1]) -> [Float] {
    let inverse = 1 / airLight
    let isLimited = airLight != [1, 1, 1]
    let least = picture.pixels.map { pixel -> Float in
      guard pixel.w > 0 else { return .infinity }
      let darkest = min(pixel.x * inverse.x, pixel.y * inverse.y, pixel.z * inverse.z)
      return darkest > 0 ? (isLimited ? min(darkest, 1) : darkest) : 0
    }
    return minimum(least, width: picture.width, height: picture.height)
  }

  /// The mean colour of the thousandth of the pixels that have the brightest dark channel.
  ///
  /// No channel is taken as less than a quarter, so that a dark picture is not taken for haze.
  func airLight(of picture: ReducedPicture) -> SIMD3<Float> {
    let darkness = darkness(of: picture)
    var there: [Float] = []
    there.reserveCapacity(darkness.count)
    for index in darkness.indices where picture.pixels[index].w > 0 {
      there.append(darkness[index])
    }
    var (sum, weight) = (SIMD3<Double>(), 0.0)
    if !there.isEmpty {
      let bound = Self.largest(there, rank: max(1, there.count / 1000))
      for index in darkness.indices where darkness[index] >= bound {
        let pixel = picture.pixels[index]
        if pixel.w <= 0 { continue }
        sum += SIMD3(Double(pixel.x), Double(pixel.y), Double(pixel.z)) * Double(pixel.w)
        weight += Double(pixel.w)
      }
    }
    let mean = weight > 0 ? sum / weight : SIMD3()
    return SIMD3(
      Float(max(mean.x, 0.25)), Float(max(mean.y, 0.25)), Float(max(mean.z, 0.25)))
  }

  /// The value that so many are not below; none of them is negative.
  private static func largest(_ values: [Float], rank: Int) -> Float {
    // Floats from 0 up are ordered as their bits: the upper half first, then the lower.
    var (rank, prefix) = (rank, UInt32(0))
    for shift in [UInt32(16), 0] {
      var counts = [Int](repeating: 0, count: 65_536)
      for value in values {
        let bits = value.bitPattern
        if shift == 16 || bits >> 16 == prefix { counts[Int(bits >> shift & 0xFFFF)] += 1 }
      }
      var digit = 65_535
      while digit > 0, counts[digit] < rank {
        rank -= counts[digit]
        digit -= 1
      }
      prefix = prefix << 16 | UInt32(digit)
    }
    return Float(bitPattern: prefix)
  }
}
