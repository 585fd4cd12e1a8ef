import RenderModel

extension RenderGeometry {
  mutating func addPad(_ step: FilterStep) throws(RenderFailure) {
    guard let margins = CanvasMargins(step), let colour = CanvasColour(step) else {
      throw Self.invalid(step, "its numbers are missing or out of range")
    }
    add(colour) { margins.around($0) }
  }

  mutating func addBorder(_ step: FilterStep) throws(RenderFailure) {
    guard let width = step.number("width"), (0...10).contains(width),
      let inside = step.number("inside"), let colour = CanvasColour(step)
    else {
      throw Self.invalid(step, "its numbers are missing or out of range")
    }
    if width == 0 { return }
    if inside == 0 {
      add(colour) { CanvasMargins.even(CanvasMargins.border(width, of: $0)).around($0) }
    } else {
      let edge = CanvasMargins.border(width, of: size)
      stages.append(
        .canvas(
          Canvas(
            size: size, colour: colour,
            kept: PixelRect(
              left: edge, top: edge, width: max(0, size.width - 2 * edge),
              height: max(0, size.height - 2 * edge)), isMoved: false)))
    }
  }

  /// `around`: the canvas of a displayed picture, and where in it the picture lies.
  private mutating func add(
    _ colour: CanvasColour, _ around: (PixelSize) -> (canvas: PixelSize, picture: PixelRect)
  ) {
    fullSize = orientation.displayed(around(orientation.displayed(fullSize)).canvas)
    let shown = around(orientation.displayed(size))
    let canvas = orientation.displayed(shown.canvas)
    if canvas == size { return }
    stages.append(
      .canvas(
        Canvas(
          size: canvas, colour: colour, kept: orientation.stored(shown.picture, of: canvas),
          isMoved: true)))
    size = canvas
  }

  mutating func addOverlay(_ step: FilterStep) throws(RenderFailure) {
    guard step.mask == nil, (0...1).contains(step.opacity), step.file("path") != nil,
      OverlayPlacement(step) != nil
    else {
      throw Self.invalid(step, "its parameters are missing or out of range")
    }
    if step.opacity > 0 { stages.append(.overlay(step, orientation)) }
  }
}

/// How much canvas is added on each side, as displayed.
struct CanvasMargins: Hashable, Sendable {
  /// Fractions of the short side, or pixels.
  private var top, right, bottom, left: Double
  private var isPixels = false
  /// Width over height of the whole; 0 leaves it.
  private var aspect: Double

  /// nil when a parameter is missing or out of range.
  init?(_ step: FilterStep) {
    guard let top = step.number("top"), let right = step.number("right"),
      let bottom = step.number("bottom"), let left = step.number("left"),
      let aspect = step.number("aspect"),
      [top, right, bottom, left].allSatisfy({ (0...10).contains($0) }),
      aspect == 0 || (0.01...100).contains(aspect)
    else { return nil }
    (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    self.aspect = aspect
  }

  private init(pixels: Int) {
    (top, right, bottom, left) = (Double(pixels), Double(pixels), Double(pixels), Double(pixels))
    isPixels = true
    aspect = 0
  }

  static func even(_ pixels: Int) -> CanvasMargins { CanvasMargins(pixels: pixels) }

  /// The pixels of a border whose width is more than 0: at least one.
  static func border(_ width: Double, of size: PixelSize) -> Int {
    max(1, Int((width * Double(min(size.width, size.height)) + 0.5).rounded(.down)))
  }

  func around(_ size: PixelSize) -> (canvas: PixelSize, picture: PixelRect) {
    let unit = isPixels ? 1 : Double(min(size.width, size.height))
    func pixels(_ margin: Double) -> Int { Int((margin * unit + 0.5).rounded(.down)) }
    var picture = PixelRect(
      left: pixels(left), top: pixels(top), width: size.width, height: size.height)
    var canvas = PixelSize(
      width: picture.right + pixels(right), height: picture.bottom + pixels(bottom))
    if aspect > 0 {
      let width = Int((Double(canvas.height) * aspect + 0.5).rounded(.down))
      if width > canvas.width {
        picture.left += (width - canvas.width) / 2
        canvas.width = width
      } else {
        let height = max(
          canvas.height, Int((Double(canvas.width) / aspect + 0.5).rounded(.down)))
        picture.top += (height - canvas.height) / 2
        canvas.height = height
      }
    }
    return (canvas, picture)
  }
}
