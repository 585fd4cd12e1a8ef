import Glibc

/// Rises from 0 to 1 along a line, as displayed at a right angle to it.
struct LinearGradientMask: MaskFunction {
  private let position: SIMD3<Double>
  private let divisor: SIMD3<Double>

  /// nil when the two points are one.
  init?(from: SIMD2<Double>, to: SIMD2<Double>, in frame: MaskFrame) {
    let (right, down) = ((to.x - from.x) * frame.aspect, to.y - from.y)
    let length = right * right + down * down
    guard length.isFinite, length > 1e-12 else { return nil }
    let across = right / length * frame.aspect
    let along = down / length
    position =
      frame.x * across + frame.y * along - frame.divisor * (from.x * across + from.y * along)
    divisor = frame.divisor
  }

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    let position = RowForm(position, at: place)
    let divisor = RowForm(divisor, at: place)
    unsafe MaskMath.fill(weights) {
      MaskMath.smoothstep(position.values($0) / divisor.values($0))
    }
  }
}

/// 1 inside an ellipse, 0 outside.
struct RadialMask: MaskFunction {
  private let right: SIMD3<Double>
  private let down: SIMD3<Double>
  private let divisor: SIMD3<Double>
  private let slope: Float

  /// nil when a radius is not above 0.
  init?(
    center: SIMD2<Double>, radius: SIMD2<Double>, isOfShortSide: Bool, degrees: Double,
    feather: Double, in frame: MaskFrame
  ) {
    let unit = isOfShortSide ? SIMD2(frame.shortSide, frame.shortSide) : SIMD2(frame.aspect, 1)
    let radii = radius * unit
    guard radii.x > 0, radii.y > 0, degrees.isFinite, feather >= 0 else { return nil }
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let x = (frame.x - frame.divisor * center.x) * frame.aspect
    let y = frame.y - frame.divisor * center.y
    right = (x * cosine + y * sine) / radii.x
    down = (y * cosine - x * sine) / radii.y
    divisor = frame.divisor
    slope = Float(1 / max(feather, MaskMath.steepest))
  }

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    let right = RowForm(right, at: place)
    let down = RowForm(down, at: place)
    let divisor = RowForm(divisor, at: place)
    unsafe MaskMath.fill(weights) { index in
      let w = divisor.values(index)
      let (u, v) = (right.values(index) / w, down.values(index) / w)
      return MaskMath.smoothstep((1 - (u * u + v * v).squareRoot()) * slope)
    }
  }
}
