/// How large a picture may become by its geometry filters, as displayed; crops count for nothing.
struct AdjustedSize: Hashable, Sendable {
  private(set) var width: Int
  private(set) var height: Int
  /// The side of it that lies across while quarter turns are still to be done.
  private(set) var storedWidth: Int

  /// What a size is bounded to, so that squares of it are finite numbers.
  private static let largest = 1e15

  init(header: AssetHeader, filters: [FilterStep]) {
    let shown = header.displayedSize
    var (width, height) = (Double(max(1, shown.width)), Double(max(1, shown.height)))
    var isTurned = header.orientation >= 5
    for step in filters {
      let short = min(width, height)
      switch step.name {
      case "orient":
        guard let number = step.number("orientation"), number >= 5 else { break }
        swap(&width, &height)
        isTurned.toggle()
      case "pad":
        func margin(_ side: String) -> Double { max(0, step.number(side) ?? 0) * short + 1 }
        width += margin("left") + margin("right")
        height += margin("top") + margin("bottom")
        if let aspect = step.number("aspect"), aspect > 0 {
          (width, height) = (max(width, height * aspect), max(height, width / aspect))
        }
      case "border":
        guard step.number("inside") != 1 else { break }
        let edge = 2 * (max(0, step.number("width") ?? 0) * short + 1)
        width += edge
        height += edge
      case "perspective":
        (width, height) = Self.rectangle(step, width, height)
      default: break
      }
      (width, height) = (min(width, Self.largest), min(height, Self.largest))
    }
    self.width = Self.whole(width)
    self.height = Self.whole(height)
    storedWidth = isTurned ? self.height : self.width
  }

  /// The mean sides of the quadrilateral; they grow with the picture's.
  private static func rectangle(
    _ step: FilterStep, _ width: Double, _ height: Double
  ) -> (Double, Double) {
    let points = ["topLeft", "topRight", "bottomRight", "bottomLeft"].map { name -> SIMD2<Double> in
      let pair = step.numbers(name) ?? []
      return pair.count == 2 ? [pair[0] * width, pair[1] * height] : [0, 0]
    }
    func length(_ one: Int, _ other: Int) -> Double {
      let side = points[one] - points[other]
      return (side * side).sum().squareRoot()
    }
    return (
      max(1, (length(0, 1) + length(3, 2)) / 2 + 1), max(1, (length(0, 3) + length(1, 2)) / 2 + 1)
    )
  }

  /// Rounded up; saturates.
  static func whole(_ value: Double) -> Int {
    value < 9e18 ? Int(value.rounded(.up)) : .max
  }
}
