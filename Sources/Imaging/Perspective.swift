import Adjustments
import ColourEngine

/// A quadrilateral made a rectangle: one interpolation, antialiased where the picture gets smaller.
struct Perspective: Hashable, Sendable {
  private let input: PixelSize
  private let output: PixelSize
  /// From a position in the output to the one in the input, both counted from the corner.
  let toInput: Matrix3

  /// Wider kernels would only cost time: what is seen so small is a few pixels in a corner.
  private static let widest = 256.0

  /// `toFractions`: from fractions of the output to fractions of the input.
  init(input: PixelSize, output: PixelSize, toFractions: Matrix3) {
    self.input = input
    self.output = output
    toInput =
      Matrix3.scale(Double(input.width), Double(input.height)) * toFractions
      * Matrix3.scale(1 / Double(output.width), 1 / Double(output.height))
  }

  /// The mean of the two sides across and of the two sides down, in pixels, rounded.
  static func size(of corners: PerspectiveCorners, in picture: PixelSize) -> PixelSize {
    let unit = SIMD2(Double(picture.width), Double(picture.height))
    let points = corners.points.map { $0 * unit }
    func length(_ one: Int, _ other: Int) -> Double {
      let side = points[one] - points[other]
      return (side * side).sum().squareRoot()
    }
    func rounded(_ value: Double) -> Int { max(1, Int((value + 0.5).rounded(.down))) }
    return PixelSize(
      width: rounded((length(0, 1) + length(3, 2)) / 2),
      height: rounded((length(0, 3) + length(1, 2)) / 2))
  }

  /// Takes the corners of the unit square to the four points; Heckbert's closed form.
  static func homography(_ corners: PerspectiveCorners) -> Matrix3 {
    let points = corners.points
    let sum = points[0] - points[1] + points[2] - points[3]
    let right = points[1] - points[2]
    let below = points[3] - points[2]
    func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
    // Not 0: the points are convex.
    let area = cross(right, below)
    let g = cross(sum, below) / area
    let h = cross(right, sum) / area
    let across = points[1] - points[0] + g * points[1]
    let down = points[3] - points[0] + h * points[3]
    return Matrix3([across.x, down.x, points[0].x], [across.y, down.y, points[0].y], [g, h, 1])
  }

  /// How far one step in the output goes in the input, along one axis of the input.
  private struct Reach {
    var across: Double
    var down: Double

    var length: Double { (across * across + down * down).squareRoot() }
  }

  /// Where the middle of an output pixel lies in the input, counted in pixel centres, and how many
  /// input pixels it covers on each axis; at least 1.
  private func source(
    _ x: Int, _ y: Int
  ) -> (position: SIMD2<Double>, spread: SIMD2<Double>) {
    let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
    let image = toInput.apply([u, v, 1])
    let point = SIMD2(image.x, image.y) / image.z
    let rows = toInput.rows
    func spread(_ row: SIMD3<Double>, _ place: Double) -> Double {
      let across = (row.x - place * rows.third.x) / image.z
      let down = (row.y - place * rows.third.y) / image.z
      return min(max(1, (across * across + down * down).squareRoot()), Self.widest)
    }
    return (point - 0.5, [spread(rows.first, point.x), spread(rows.second, point.y)])
  }
}

extension Perspective: WindowFilter {
  func need(_ rect: PixelRect) -> PixelRect {
    let corners = [
      (rect.left, rect.top), (rect.right - 1, rect.top), (rect.left, rect.bottom - 1),
      (rect.right - 1, rect.bottom - 1),
    ].map { source($0.0, $0.1).position }
    let spread = widestSpread(rect)
    func range(_ values: [Double], _ spread: Double, _ length: Int) -> Range<Int> {
      let reach = 2 * spread + 2
      let low = ((values.min() ?? 0) - reach).rounded(.down)
      let high = ((values.max() ?? 0) + reach).rounded(.up)
      let first = Int(min(max(low, 0), Double(length - 1)))
      return first..<Int(min(max(high + 1, Double(first + 1)), Double(length)))
    }
    let across = range(corners.map(\.x), spread.x, input.width)
    let down = range(corners.map(\.y), spread.y, input.height)
    return PixelRect(
      left: across.lowerBound, top: down.lowerBound, width: across.count, height: down.count)
  }

  /// No pixel of the part is spread wider.
  ///
  /// The gradient is (a·w − g·x) / w² with a numerator that is linear in one coordinate and a w that
  /// is linear in both, so both have their extremes at corners of the part.
  private func widestSpread(_ rect: PixelRect) -> SIMD2<Double> {
    let rows = toInput.rows
    var smallest = Double.infinity
    var largest = (x: Reach(across: 0, down: 0), y: Reach(across: 0, down: 0))
    for u in [Double(rect.left), Double(rect.right)] {
      for v in [Double(rect.top), Double(rect.bottom)] {
        let image = toInput.apply([u, v, 1])
        smallest = min(smallest, image.z)
        func widen(_ reach: inout Reach, _ row: SIMD3<Double>, _ value: Double) {
          reach.across = max(reach.across, abs(row.x * image.z - rows.third.x * value))
          reach.down = max(reach.down, abs(row.y * image.z - rows.third.y * value))
        }
        widen(&largest.x, rows.first, image.x)
        widen(&largest.y, rows.second, image.y)
      }
    }
    let scale = 1 / (smallest * smallest)
    return [
      min(max(1, largest.x.length * scale), Self.widest),
      min(max(1, largest.y.length * scale), Self.widest),
    ]
  }

  func fill(_ output: FloatWindow, from input: FloatWindow) {
    // As many taps as the widest kernel has.
    let capacity = 4 * Int(Self.widest) + 2
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { weights in
      for y in output.rect.top..<output.rect.bottom {
        for x in output.rect.left..<output.rect.right {
          let (position, spread) = source(x, y)
          let sum =
            unsafe spread == [1, 1]
            ? CatmullRom.sample(input, position.x, position.y)
            : CatmullRom.sample(input, position, spread: spread, scratch: weights)
          for band in 0..<output.bands { output.set(x, y, band, sum[band]) }
        }
      }
    }
  }
}
