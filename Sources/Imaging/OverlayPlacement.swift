import RenderModel

/// Where an overlay lies on a picture and how large it is shown.
struct OverlayPlacement: Hashable, Sendable {
  /// Of the picture's and of the overlay's free space: 0 the first end, ½ the middle, 1 the last.
  private var anchor: SIMD2<Double>
  /// Fractions of the picture's short side.
  private var offset: SIMD2<Double>
  /// The overlay's width as a fraction of the picture's.
  private var scale: Double

  private static let anchors: [String: SIMD2<Double>] = [
    "topLeft": [0, 0], "top": [0.5, 0], "topRight": [1, 0], "left": [0, 0.5],
    "center": [0.5, 0.5], "right": [1, 0.5], "bottomLeft": [0, 1], "bottom": [0.5, 1],
    "bottomRight": [1, 1],
  ]

  /// nil when a parameter is missing or out of range.
  init?(_ step: FilterStep) {
    guard let anchor = step.text("anchor").flatMap({ Self.anchors[$0] }),
      let x = step.number("x"), let y = step.number("y"), abs(x) <= 10, abs(y) <= 10,
      let scale = step.number("scale"), (0.001...4).contains(scale)
    else { return nil }
    self.anchor = anchor
    self.scale = scale
    offset = [x, y]
  }

  /// The overlay's place on a displayed picture; it may reach over the edges.
  ///
  /// `picture`, `overlay`: sizes as displayed.
  func rect(of overlay: PixelSize, on picture: PixelSize) -> PixelRect {
    let across = scale * Double(picture.width)
    let width = Self.rounded(across)
    let height = Self.rounded(across * Double(overlay.height) / Double(overlay.width))
    let short = Double(min(picture.width, picture.height))
    func place(_ free: Int, _ axis: Int) -> Int {
      Int((Double(free) * anchor[axis] + offset[axis] * short + 0.5).rounded(.down))
    }
    return PixelRect(
      left: place(picture.width - width, 0), top: place(picture.height - height, 1),
      width: width, height: height)
  }

  /// Bounded so that a sliver of a picture cannot ask for more rows than there can be.
  private static func rounded(_ length: Double) -> Int {
    max(1, Int(min(length + 0.5, 10_000_000).rounded(.down)))
  }
}
