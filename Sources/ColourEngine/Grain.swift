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
    unsafe PixelGains.multiply(block) { gains in
      unsafe gains.withMemoryRebound(to: Float.self) { noise in
        let noise = unsafe UnsafeMutableBufferPointer(rebasing: noise[..<block.count])
        unsafe noise.update(repeating: 0)
        unsafe field.add(to: noise, layer: 0, x: x, y: y, step: scale.x, strength: coarse)
        if fine != 0 {
          unsafe field.add(
            to: noise, layer: 1, x: 2 * x, y: 2 * y, step: 2 * scale.x, strength: fine)
        }
      }
      unsafe Self.weigh(gains, block)
    }
  }

  /// From noise to what light is multiplied by.
  private static func weigh(
    _ noise: UnsafeMutableBufferPointer<SIMD4<Float>>,
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    let weights = weights
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: noise.count) { lights in
      unsafe lights.initialize(repeating: SIMD4())
      unsafe lights.withMemoryRebound(to: Float.self) { light in
        for index in block.indices {
          let pixel = unsafe block[index]
          unsafe light[index] =
            pixel.x * weights.x + pixel.y * weights.y + pixel.z * weights.z
        }
      }
      for index in noise.indices {
        let rest = unsafe 1 - FastRoot.of(PixelGains.held(lights[index]))
        let factor = unsafe noise[index] * rest + 1
        let positive = factor.replacing(with: SIMD4(), where: factor .< 0)
        unsafe noise[index] = positive * positive
      }
    }
  }

  private static let weights = SIMD3<Float>(RGBSpace.workingLuminance)

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let most = 1 + Double(coarse + fine)
    return SegmentedCurves.Bounds(
      below: bounds.below * most * most, above: bounds.above * most * most)
  }
}
