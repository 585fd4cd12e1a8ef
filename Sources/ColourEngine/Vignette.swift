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
    var across = SIMD4<Float>(0, 1, 2, 3) * step + x
    var index = 0
    while index + 4 <= block.count {
      let gains = gains(across, down)
      unsafe block[index] *= Self.spread(gains.x)
      unsafe block[index + 1] *= Self.spread(gains.y)
      unsafe block[index + 2] *= Self.spread(gains.z)
      unsafe block[index + 3] *= Self.spread(gains.w)
      index += 4
      across = SIMD4<Float>(0, 1, 2, 3) * step + (x + Float(index) * step)
    }
    let gains = gains(across, down)
    for rest in index..<block.count { unsafe block[rest] *= Self.spread(gains[rest - index]) }
  }

  @inline(__always)
  private static func spread(_ gain: Float) -> SIMD4<Float> { SIMD4(gain, gain, gain, 1) }

  @inline(__always)
  private func gains(_ across: SIMD4<Float>, _ down: SIMD4<Float>) -> SIMD4<Float> {
    let distance: SIMD4<Float>
    if exponent == 2 {
      distance = (across * across + down).squareRoot()
    } else {
      let positive = across.replacing(with: -across, where: across .< 0)
      distance = FastPower.power(FastPower.power(positive, exponent) + down, 1 / exponent)
    }
    var t = (distance - start) * perFeather
    t.replace(with: 0, where: t .< 0)
    t.replace(with: 1, where: t .> 1)
    return 1 + gain * (t * t * (3 - 2 * t))
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let factor = Double(max(1, 1 + gain))
    return SegmentedCurves.Bounds(below: bounds.below * factor, above: bounds.above * factor)
  }
}
