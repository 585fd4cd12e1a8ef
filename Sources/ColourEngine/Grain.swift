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
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: block.count + 8) { room in
      unsafe room.initialize(repeating: 0)
      guard let noise = room.baseAddress else { return }
      let count = block.count
      unsafe field.add(
        to: noise, count: count, layer: 0, x: x, y: y, step: scale.x, strength: coarse)
      if fine != 0 {
        unsafe field.add(
          to: noise, count: count, layer: 1, x: 2 * x, y: 2 * y, step: 2 * scale.x,
          strength: fine)
      }
      unsafe PixelGains.multiply(block) { first, pixels in
        let rest = 1 - pixels.luminance.held(to: 1).roots
        let factor = unsafe SIMD8<Float>(repeating: 1).adding(SIMD8(noise, first), times: rest)
          .notNegative
        return factor * factor
      }
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let most = 1 + Double(coarse + fine)
    return SegmentedCurves.Bounds(
      below: bounds.below * most * most, above: bounds.above * most * most)
  }
}
