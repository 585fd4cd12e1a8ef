/// Colours of the sensor where one of the channels is full and the others are not.
///
/// The lightness stays what the channels say together; the colour is drawn towards grey as far as
/// cutting all of them at the first full one would draw it. After dcraw's blending.
enum RAWHighlights {
  /// Four samples a pixel, of which the fourth becomes full. `full`: where the first channel is full.
  static func blend(_ samples: UnsafeMutableBufferPointer<UInt16>, full: Float, isGrey: Bool) {
    for start in stride(from: 0, to: samples.count - 3, by: 4) {
      unsafe samples[start + 3] = .max
      if isGrey {
        unsafe samples[start + 1] = samples[start]
        unsafe samples[start + 2] = samples[start]
        continue
      }
      let pixel = unsafe SIMD3(
        Float(samples[start]), Float(samples[start + 1]), Float(samples[start + 2]))
      guard pixel.max() > full else { continue }
      let blended = blend(pixel, full: full)
      unsafe samples[start] = UInt16(blended.x)
      unsafe samples[start + 1] = UInt16(blended.y)
      unsafe samples[start + 2] = UInt16(blended.z)
    }
  }

  static func blend(_ pixel: SIMD3<Float>, full: Float) -> SIMD3<Float> {
    let cut = pixel.clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: full))
    let mean = pixel.sum() / 3
    let colour = pixel - mean
    let strength = (colour * colour).sum()
    guard strength > 0 else { return pixel }
    let cutColour = cut - cut.sum() / 3
    let ratio = ((cutColour * cutColour).sum() / strength).squareRoot()
    let blended = mean + colour * min(ratio, 1)
    return blended.clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 65_535))
  }
}
