/// The whole picture as it is displayed, in which masks have their places.
struct MaskFrame: Sendable {
  /// From a pixel's position to fractions of the picture, by rows of a projective map.
  let x: SIMD3<Double>
  let y: SIMD3<Double>
  let divisor: SIMD3<Double>
  /// Width over height, as the picture is shown at its middle.
  let aspect: Double

  init(_ toPicture: Matrix3) {
    let rows = toPicture.rows
    x = rows.first
    y = rows.second
    divisor = rows.third
    // Rows of the map's derivative where both fractions are ½, but for a common factor: neither a cut
    // nor a turn changes their lengths, so neither changes a mask.
    func length(_ row: SIMD3<Double>) -> Double {
      let slope = row - rows.third * 0.5
      return (slope.x * slope.x + slope.y * slope.y).squareRoot()
    }
    let ratio = length(rows.second) / length(rows.first)
    aspect = ratio.isFinite && ratio > 0 ? ratio : 1
  }

  /// The short side in units of the height.
  var shortSide: Double { min(aspect, 1) }
}

/// A linear form of a pixel's position, for four neighbours in a row at a time.
struct RowForm {
  private let first: SIMD4<Float>
  private let step: Float

  @inline(__always)
  init(_ form: SIMD3<Double>, at place: PixelPlace) {
    let start =
      form.x * (Double(place.column) + 0.5) + form.y * (Double(place.row) + 0.5) + form.z
    let offsets = SIMD4<Double>(0, 1, 2, 3) * form.x
    first = SIMD4<Float>(offsets + start)
    step = Float(form.x)
  }

  /// `index`: that of the first of the four, counted from the place.
  @inline(__always)
  func values(_ index: Int) -> SIMD4<Float> { first + step * Float(index) }
}
