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
    let down = SIMD4<Float>(repeating: exponent == 2 ? y * y : pow(abs(y), exponent))
    let step = Float(scale.x)
    unsafe PixelGains.multiply(block) { gains in
      for index in gains.indices {
        let across = SIMD4<Float>(0, 1, 2, 3) * step + (x + Float(4 * index) * step)
        unsafe gains[index] = self.gains(across, down)
      }
    }
  }

  @inline(__always)
  private func gains(_ across: SIMD4<Float>, _ down: SIMD4<Float>) -> SIMD4<Float> {
    let distance: SIMD4<Float>
    if exponent == 2 {
      distance = FastRoot.of(across * across + down)
    } else {
      let positive = across.replacing(with: -across, where: across .< 0)
      distance = FastPower.power(FastPower.power(positive, exponent) + down, 1 / exponent)
    }
    let t = PixelGains.held((distance - start) * perFeather)
    return 1 + gain * (t * t * (3 - 2 * t))
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let factor = Double(max(1, 1 + gain))
    return SegmentedCurves.Bounds(below: bounds.below * factor, above: bounds.above * factor)
  }
}
