/// Noise like that of film: a smooth random field in the picture's own frame, strongest in mid-tones.
///
/// The same seed gives the same field at every scale; where a pixel covers several grains, it has as
/// little contrast as their average would.
struct Grain: PixelFunction {
  private let field: ValueNoise
  /// Of the coarse and the fine layer, already times four.
  private let coarse: Float
  private let fine: Float
  /// From a pixel's position to cells of the coarse layer.
  private let scale: SIMD2<Double>
  private let shift: SIMD2<Double>

  /// `size`: the side of a cell in thousandths of the picture's long side.
  init(amount: Double, size: Double, roughness: Double, seed: UInt32, in placed: PlacedStep) {
    let extent = placed.extent
    let cell = max(size / 1000 * max(extent.x, extent.y), 1e-6)
    let rows = placed.toExtent.rows
    scale = [rows.first.x * extent.x / cell, rows.second.y * extent.y / cell]
    shift = [rows.first.z * extent.x / cell, rows.second.z * extent.y / cell]
    field = ValueNoise(seed: seed)
    let strength = 4 * 0.1 * amount / (1 + roughness * roughness).squareRoot()
    let covered = abs(scale.x * scale.y)
    coarse = Float(strength * ValueNoise.deviation(covering: covered))
    fine = Float(strength * roughness * ValueNoise.deviation(covering: 4 * covered))
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let x = (Double(place.column) + 0.5) * scale.x + shift.x
    let y = (Double(place.row) + 0.5) * scale.y + shift.y
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: block.count) { noise in
      unsafe noise.initialize(repeating: 0)
      unsafe field.add(to: noise, layer: 0, x: x, y: y, step: scale.x, strength: coarse)
      if fine != 0 {
        unsafe field.add(
          to: noise, layer: 1, x: 2 * x, y: 2 * y, step: 2 * scale.x, strength: fine)
      }
      unsafe Self.multiply(block, noise)
    }
  }

  @inline(__always)
  private static func multiply(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, _ noise: UnsafeMutableBufferPointer<Float>
  ) {
    let weights = Self.luminance
    for index in block.indices {
      let weighed = unsafe block[index] * weights
      let halves = weighed.lowHalf + weighed.highHalf
      let luminance = halves.x + halves.y
      let rest = 1 - min(max(luminance, 0), 1).squareRoot()
      let factor = unsafe max(0, 1 + noise[index] * rest)
      let gain = factor * factor
      unsafe block[index] *= SIMD4(gain, gain, gain, 1)
    }
  }

  private static let luminance = SIMD4(SIMD3<Float>(RGBSpace.workingLuminance), 0)

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let most = 1 + Double(coarse + fine)
    return SegmentedCurves.Bounds(
      below: bounds.below * most * most, above: bounds.above * most * most)
  }
}
