import CImagingShim
import ColourEngine
import Glibc

/// A turn by any angle about the centre, interpolated once, cut to what the turned picture covers.
struct Straightening: Hashable, Sendable {
  private let input: PixelSize
  private let output: PixelSize
  private let cosine: Double
  private let sine: Double

  /// `degrees`: positive turns the picture clockwise.
  init(input: PixelSize, output: PixelSize, degrees: Double) {
    self.input = input
    self.output = output
    cosine = cos(degrees * .pi / 180)
    sine = sin(degrees * .pi / 180)
  }

  /// The largest centred rectangle of the picture's own aspect inside the turned picture.
  static func inside(_ size: PixelSize, degrees: Double) -> PixelSize {
    let angle = abs(degrees) * .pi / 180
    let (width, height) = (Double(size.width), Double(size.height))
    let aspect = height / width
    let fits = min(
      width / (cos(angle) + aspect * sin(angle)), height / (sin(angle) + aspect * cos(angle)))
    // Rounded down so that nothing outside the picture is seen; the margin is for the arithmetic.
    return PixelSize(
      width: max(1, Int((fits + 1e-6).rounded(.down))),
      height: max(1, Int((fits * aspect + 1e-6).rounded(.down))))
  }

  /// Where the centre of an output pixel lies in the input, counted in pixel centres.
  func source(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
    let right = Double(x) + 0.5 - Double(output.width) / 2
    let down = Double(y) + 0.5 - Double(output.height) / 2
    return (
      cosine * right + sine * down + Double(input.width) / 2 - 0.5,
      cosine * down - sine * right + Double(input.height) / 2 - 0.5
    )
  }

  /// From a position in the output to the one in the input, both counted from the corner.
  var toInput: Matrix3 {
    Matrix3.translation(Double(input.width) / 2, Double(input.height) / 2)
      * Matrix3([cosine, sine, 0], [-sine, cosine, 0], [0, 0, 1])
      * Matrix3.translation(-Double(output.width) / 2, -Double(output.height) / 2)
  }

  func need(_ rect: PixelRect) -> PixelRect {
    let corners = [
      source(rect.left, rect.top), source(rect.right - 1, rect.top),
      source(rect.left, rect.bottom - 1), source(rect.right - 1, rect.bottom - 1),
    ]
    let xs = corners.map { Int($0.x.rounded(.down)) }
    let ys = corners.map { Int($0.y.rounded(.down)) }
    let left = clamp((xs.min() ?? 0) - 1, input.width)
    let top = clamp((ys.min() ?? 0) - 1, input.height)
    let right = clamp((xs.max() ?? 0) + 3, input.width)
    let bottom = clamp((ys.max() ?? 0) + 3, input.height)
    return PixelRect(left: left, top: top, width: right - left + 1, height: bottom - top + 1)
  }

  private func clamp(_ value: Int, _ limit: Int) -> Int { min(max(value, 0), limit - 1) }

  func fill(_ output: FloatWindow, from input: FloatWindow) {
    for y in output.rect.top..<output.rect.bottom {
      for x in output.rect.left..<output.rect.right {
        let position = source(x, y)
        let sum = CatmullRom.sample(input, position.x, position.y)
        for band in 0..<output.bands { output.set(x, y, band, sum[band]) }
      }
    }
  }
}
