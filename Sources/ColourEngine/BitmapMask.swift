/// The grey values of a picture that is laid over the whole one.
struct BitmapMask: MaskFunction {
  private let bitmap: BlurredBitmap
  private let x: SIMD3<Double>
  private let y: SIMD3<Double>
  private let divisor: SIMD3<Double>

  /// `feather`: σ of the blur as a fraction of the picture's short side. nil for an empty bitmap.
  init?(_ bitmap: MaskBitmap, feather: Double, in frame: MaskFrame) {
    guard bitmap.width > 0, bitmap.height > 0, feather >= 0 else { return nil }
    let sigma = feather * frame.shortSide
    let blurred = BlurredBitmap(
      bitmap, across: sigma / frame.aspect * Double(bitmap.width),
      down: sigma * Double(bitmap.height))
    self.bitmap = blurred
    divisor = frame.divisor
    // Middles of the bitmap's pixels lie at whole numbers.
    x = frame.x * Double(blurred.width) - divisor * 0.5
    y = frame.y * Double(blurred.height) - divisor * 0.5
  }

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    let (across, down) = (RowForm(x, at: place), RowForm(y, at: place))
    let divisor = RowForm(divisor, at: place)
    let bitmap = bitmap.result
    let (width, height) = (bitmap.width, bitmap.height)
    let last = SIMD4(repeating: Float(width - 1))
    let bottom = SIMD4(repeating: Float(height - 1))
    unsafe bitmap.weights.withUnsafeBufferPointer { samples in
      unsafe MaskMath.fill(weights) { index in
        let w = divisor.values(index)
        let x = Self.held(across.values(index) / w, to: last)
        let y = Self.held(down.values(index) / w, to: bottom)
        var result = SIMD4<Float>()
        for lane in 0..<4 {
          let (column, row) = (Int(x[lane]), Int(y[lane]))
          let (shareX, shareY) = (x[lane] - Float(column), y[lane] - Float(row))
          let corner = row * width + column
          let next = column + 1 < width ? 1 : 0
          let below = row + 1 < height ? corner + width : corner
          let upper = unsafe samples[corner] + (samples[corner + next] - samples[corner]) * shareX
          let lower = unsafe samples[below] + (samples[below + next] - samples[below]) * shareX
          result[lane] = upper + (lower - upper) * shareY
        }
        return result
      }
    }
  }

  /// 0 for what is no number.
  @inline(__always)
  private static func held(_ value: SIMD4<Float>, to last: SIMD4<Float>) -> SIMD4<Float> {
    var result = SIMD4<Float>()
    result.replace(with: value, where: value .> 0)
    result.replace(with: last, where: result .> last)
    return result
  }
}
