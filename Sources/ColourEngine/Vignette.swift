import Glibc

/// Light that grows or falls towards the corners of the picture as it is at the filter.
struct Vignette: PixelFunction {
  private let gain: Float
  private let start: Float
  private let perFeather: Float
  private let exponent: Float
  /// From a pixel's position to half diagonals from the picture's middle.
  private let scale: SIMD2<Double>
  private let shift: SIMD2<Double>

  init(amount: Double, radius: Double, feather: Double, roundness: Double, in placed: PlacedStep) {
    gain = Float(amount)
    start = Float(radius - feather / 2)
    perFeather = Float(1 / max(feather, 1e-3))
    exponent = Float(2 / roundness)
    let extent = placed.extent
    let halfDiagonal = max((extent.x * extent.x + extent.y * extent.y).squareRoot() / 2, 1e-9)
    let rows = placed.toExtent.rows
    // No filter turns the extent against the pixels, so column and row stay by themselves.
    scale = [rows.first.x * extent.x / halfDiagonal, rows.second.y * extent.y / halfDiagonal]
    shift = [
      (rows.first.z - 0.5) * extent.x / halfDiagonal,
      (rows.second.z - 0.5) * extent.y / halfDiagonal,
    ]
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let x = Float((Double(place.column) + 0.5) * scale.x + shift.x)
    let y = Float((Double(place.row) + 0.5) * scale.y + shift.y)
    let down = SIMD8<Float>(repeating: exponent == 2 ? y * y : pow(abs(y), exponent))
    let step = Float(scale.x)
    let lanes = SIMD8<Float>.counting
    unsafe PixelGains.multiply(block) { first, _ in
      gains(lanes * step + (x + Float(first) * step), down)
    }
  }

  @inline(__always)
  private func gains(_ across: SIMD8<Float>, _ down: SIMD8<Float>) -> SIMD8<Float> {
    let distance: SIMD8<Float>
    if exponent == 2 {
      distance = down.adding(across, times: across).roots
    } else {
      distance = FastPower.power(
        FastPower.power(across.magnitudes, exponent) + down, 1 / exponent)
    }
    return 1 + gain * ((distance - start) * perFeather).smoothStep
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let factor = Double(max(1, 1 + gain))
    return SegmentedCurves.Bounds(below: bounds.below * factor, above: bounds.above * factor)
  }
}
